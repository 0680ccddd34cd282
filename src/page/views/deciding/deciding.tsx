/** Calls that wait for a person: what they would do, and the decision about each. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallView, RunView } from '../../../observe/run-view.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../common/icon.tsx';
import { DecidingCall } from './deciding-call.tsx';
import { ObjectionText } from './objection-text.tsx';
import { useDecide } from './use-decide.ts';

export function Deciding({ runKey, view }: { readonly runKey: string; readonly view: RunView }) {
  const texts = useTexts();
  const waiting = waitingCalls(view);
  useFocusKept(waiting.length);
  if (waiting.length === 0) return null;
  return (
    <section class="deciding" aria-labelledby="deciding-title" data-view="deciding">
      <div class="deciding-head">
        <Icon name="person" />
        <h2 id="deciding-title">{texts.deciding}</h2>
        <span class="note">{texts.decideHint}</span>
        <AbortButton runKey={runKey} />
      </div>
      {waiting.map((call) => (
        <DecidingCall key={call.callId} runKey={runKey} call={call} />
      ))}
    </section>
  );
}

/** Where the focused call goes away the focus would be lost: it goes on to the next call, or to the run. */
function useFocusKept(waiting: number): void {
  const before = useRef(waiting);
  useLayoutEffect(() => {
    const isFewer = waiting < before.current;
    before.current = waiting;
    if (!isFewer || document.activeElement !== document.body) return;
    const next = document.querySelector<HTMLElement>('.deciding textarea') ?? document.getElementById('run-title');
    next?.focus();
  }, [waiting]);
}

export const waitingCalls = (view: RunView): readonly CallView[] =>
  view.phase !== 'waiting'
    ? []
    : (view.steps.at(-1)?.calls ?? []).filter(({ approval }) => approval !== null && approval.decision === null);

/** Asks once more: it cannot be taken back. */
export function AbortButton({ runKey }: { readonly runKey: string }) {
  const texts = useTexts();
  const [isSure, setSure] = useState(false);
  const { send, isSending, objection } = useDecide(runKey);
  const press = () => {
    if (!isSure) return setSure(true);
    setSure(false);
    send({ kind: 'abort' });
  };
  return (
    <span class="abort">
      {objection !== null && (
        <span role="alert" class="tone-bad">
          <ObjectionText objection={objection} />
        </span>
      )}
      <button
        type="button"
        class={isSure ? 'danger sure' : 'danger'}
        data-decide="abort"
        disabled={isSending}
        onClick={press}
        onBlur={() => setSure(false)}
      >
        {isSure ? texts.abortSure : texts.abort}
      </button>
    </span>
  );
}
