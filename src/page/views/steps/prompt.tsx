/** The messages of a prompt, exactly as they were sent. Those that the prompt before did not have are marked. */
import { useState } from 'preact/hooks';
import type { Message } from '../../../core/model.ts';
import type { RunView, StepView, TryView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useTexts, wordIn } from '../../texts/use-texts.ts';
import { CopyButton } from '../common/copy-button.tsx';
import { jsonText, visible } from '../common/json-text.ts';
import { JsonTree } from '../common/json-tree.tsx';
import { LongText } from '../common/long-text.tsx';
import { Fold } from '../common/section.tsx';

/** Messages before the new ones that are drawn without being asked for. */
const drawnAtFirst = 20;

interface PromptProps {
  readonly session: Session;
  readonly step: StepView;
  readonly one: TryView;
}

export function Prompt({ session, step, one }: PromptProps) {
  const texts = useTexts();
  const ofTry = step.tries.length > 1 ? `, ${texts.ofTry(one.number)}` : '';
  const note = `${texts.promptCount(one.messages, one.added.length)}, ${texts.tokensCount(one.promptTokens)}${ofTry}`;
  return (
    <Fold title={texts.prompt} note={note} part="prompt">
      {() => {
        const view = session.recording.viewAt(session.recording.length);
        const messages = view === null ? [] : messagesOf(view, one);
        if (messages.length === 0) return <p class="note">{texts.promptMissing}</p>;
        return <Messages messages={messages} added={one.added.length} />;
      }}
    </Fold>
  );
}

interface MessagesProps {
  readonly messages: readonly Message[];
  readonly added: number;
}

function Messages({ messages, added }: MessagesProps) {
  const texts = useTexts();
  const [isWhole, setWhole] = useState(messages.length - added <= drawnAtFirst);
  const [isOnlyNew, setOnlyNew] = useState(false);
  const firstNew = messages.length - added;
  const first = isOnlyNew ? firstNew : isWhole ? 0 : firstNew - drawnAtFirst;
  return (
    <div class="prompt">
      <div class="prompt-tools">
        <CopyButton text={() => jsonText(messages)} />
        {firstNew > 0 && added > 0 && (
          <button type="button" class="small-button" aria-pressed={isOnlyNew} onClick={() => setOnlyNew(!isOnlyNew)}>
            {texts.onlyNew}
          </button>
        )}
        {first > 0 && !isOnlyNew && (
          <button type="button" class="link" onClick={() => setWhole(true)}>
            {texts.promptEarlier(first)}
          </button>
        )}
      </div>
      <ol class="messages" start={first + 1}>
        {messages.slice(first).map((message, index) => (
          <PromptMessage key={first + index} message={message} isNew={first + index >= firstNew} />
        ))}
      </ol>
    </div>
  );
}

function PromptMessage({ message, isNew }: { readonly message: Message; readonly isNew: boolean }) {
  const texts = useTexts();
  const { role, content } = message;
  const calls = role === 'assistant' ? message.calls : undefined;
  return (
    <li class={`message role-${role}${isNew ? ' new' : ''}`} data-role={role} data-new={isNew}>
      <div class="message-head">
        <span class="role">{wordIn(texts.roles, role)}</span>
        {isNew && <span class="new-mark">{texts.promptNew}</span>}
        {role === 'tool' && <code>{message.toolCallId}</code>}
        <CopyButton text={() => content} />
      </div>
      <LongText text={content} isCode />
      {calls?.map((call) => (
        <div key={call.toolCallId}>
          <code>{visible(`${call.tool} ${call.toolCallId}`)}</code>
          <JsonTree value={call.input} />
        </div>
      ))}
    </li>
  );
}

/** Each prompt is the one before it, up to where they differ, and what was added: so all of them are rebuilt in order. */
function messagesOf(view: RunView, wanted: TryView): readonly Message[] {
  const messages: Message[] = [];
  for (const step of view.steps)
    for (const one of step.tries) {
      messages.length = Math.min(messages.length, Math.max(0, one.messages - one.added.length));
      messages.push(...one.added);
      if (one.sentAtMs === wanted.sentAtMs && one.sentWallMs === wanted.sentWallMs && one.number === wanted.number)
        return messages.length === one.messages ? messages : one.added;
    }
  return wanted.added;
}
