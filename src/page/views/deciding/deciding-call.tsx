import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { JsonValue } from '../../../core/json.ts';
import type { Decision } from '../../../observe/inspect/wire.ts';
import type { CallView } from '../../../observe/run-view.ts';
import { useFormat, useTexts, wordIn } from '../../texts/use-texts.ts';
import { jsonText, visible } from '../common/json-text.ts';
import { LongText } from '../common/long-text.tsx';
import { ObjectionText } from './objection-text.tsx';
import { type Decide, useDecide } from './use-decide.ts';

interface DecidingCallProps {
  readonly runKey: string;
  readonly call: CallView;
}

export function DecidingCall({ runKey, call }: DecidingCallProps) {
  const asked = useMemo(() => jsonText(call.input), [call.input]);
  const [text, setText] = useState(asked);
  const field = useRef<HTMLTextAreaElement>(null);
  const decide = useDecide(runKey);
  const read = useMemo(() => readJson(text), [text]);
  const isEdited = text !== asked;
  const id = `call-${call.callId.replaceAll('.', '-')}`;
  return (
    <form
      class="deciding-call"
      aria-label={call.tool}
      data-decide-call={call.callId}
      onSubmit={(event) => {
        event.preventDefault();
        // As it stands there: what is drawn may be a frame behind what was typed.
        const written = field.current?.value ?? text;
        const toRun = readJson(written);
        if (toRun.isRead) decide.send(approval(call.callId, written === asked ? undefined : toRun.value));
      }}
    >
      <CallFacts call={call} />
      <InputEditor id={id} field={field} asked={asked} text={text} read={read} onText={setText} />
      <Actions id={id} callId={call.callId} decide={decide} isEdited={isEdited} isRead={read.isRead} />
      <Answered decide={decide} />
    </form>
  );
}

interface InputEditorProps {
  readonly id: string;
  readonly field: RefObject<HTMLTextAreaElement>;
  readonly asked: string;
  readonly text: string;
  readonly read: Read;
  readonly onText: (text: string) => void;
}

function InputEditor({ id, field, asked, text, read, onText }: InputEditorProps) {
  const texts = useTexts();
  return (
    <>
      <div class="deciding-label">
        <label for={`${id}-input`}>{texts.inputToRun}</label>
        {text !== asked && (
          <button type="button" class="link" onClick={() => onText(asked)}>
            {texts.resetInput}
          </button>
        )}
      </div>
      <textarea
        ref={field}
        id={`${id}-input`}
        class="code"
        spellcheck={false}
        rows={Math.min(14, text.split('\n', 14).length)}
        value={text}
        aria-invalid={!read.isRead}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <p id={`${id}-problem`} class="tone-bad" role="status">
        {read.isRead ? '' : texts.badJson(read.why)}
      </p>
    </>
  );
}

interface ActionsProps {
  readonly id: string;
  readonly callId: string;
  readonly decide: Decide;
  readonly isEdited: boolean;
  readonly isRead: boolean;
}

function Actions({ id, callId, decide, isEdited, isRead }: ActionsProps) {
  const texts = useTexts();
  const reason = useRef<HTMLInputElement>(null);
  const { send, isSending } = decide;
  const deny = () => send({ kind: 'deny', callId, why: reason.current?.value ?? '' });
  return (
    <div class="deciding-actions">
      <button type="submit" class="primary" data-decide="approve" disabled={!isRead || isSending}>
        {isEdited ? texts.approveEdited : texts.approve}
      </button>
      <label class="deny-why" for={`${id}-why`}>
        <span class="hidden">{texts.denyWhy}</span>
        <input
          ref={reason}
          id={`${id}-why`}
          placeholder={texts.denyWhy}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The form would approve.
            event.preventDefault();
            deny();
          }}
        />
      </label>
      <button type="button" class="danger" data-decide="deny" disabled={isSending} onClick={deny}>
        {texts.deny}
      </button>
    </div>
  );
}

function Answered({ decide: { isSending, isTaken, objection } }: { readonly decide: Decide }) {
  const texts = useTexts();
  return (
    <>
      <div role="status" data-part="answered">
        {isSending && <span class="note">{texts.sending}</span>}
        {isTaken && <span class="tone-good">{texts.taken}</span>}
      </div>
      {objection !== null && (
        <p role="alert" class="tone-bad" data-part="refusal">
          <strong>{texts.notTaken}</strong> <ObjectionText objection={objection} />
        </p>
      )}
    </>
  );
}

function CallFacts({ call }: { readonly call: CallView }) {
  const texts = useTexts();
  const format = useFormat();
  const { tool, effect, rule, gate, observation, approval } = call;
  return (
    <div class="deciding-facts">
      <h3>
        <bdi>{visible(tool)}</bdi>
      </h3>
      {effect !== null && <span>{wordIn(texts.words.effects, effect)}</span>}
      {(rule !== null || gate !== null) && (
        <span>
          {texts.whyAsked}: {rule === null ? wordIn(texts.words.gates, gate ?? '') : wordIn(texts.words.rules, rule)}
        </span>
      )}
      {approval !== null && <span>{texts.until(format.clock(approval.untilMs))}</span>}
      {observation !== null && (
        <p>
          <LongText text={observation} />
        </p>
      )}
    </div>
  );
}

function approval(callId: string, input: JsonValue | undefined): Decision {
  return input === undefined ? { kind: 'approve', callId } : { kind: 'approve', callId, input };
}

type Read = { readonly isRead: true; readonly value: JsonValue } | { readonly isRead: false; readonly why: string };

function readJson(text: string): Read {
  try {
    return { isRead: true, value: JSON.parse(text) };
  } catch (thrown) {
    return { isRead: false, why: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
