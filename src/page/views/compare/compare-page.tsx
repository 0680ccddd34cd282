/** Two runs side by side: their steps aligned by number, and what differs marked. */
import { useMemo, useState } from 'preact/hooks';
import type { RunView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useInspector } from '../../state/use-inspector.ts';
import { useFormat, useTexts } from '../../texts/use-texts.ts';
import { visible } from '../common/json-text.ts';
import { LongText } from '../common/long-text.tsx';
import { RunStatus } from '../common/status.tsx';
import { hasNoBeginning } from '../run/run-gaps.tsx';
import { isDifferent, stepPairs } from './compare-steps.ts';
import { ComparedStep } from './compared-step.tsx';

export function ComparePage({ left, right }: { readonly left: Session; readonly right: Session }) {
  const texts = useTexts();
  const inspector = useInspector();
  const leftView = useWhole(left);
  const rightView = useWhole(right);
  const [isOnlyDifferent, setOnlyDifferent] = useState(false);
  const pairs = useMemo(
    () => (leftView === null || rightView === null ? [] : stepPairs(leftView, rightView)),
    [leftView, rightView],
  );
  if (leftView === null || rightView === null) return <p class="empty">{texts.loading}</p>;
  const different = pairs.filter(isDifferent);
  return (
    <div class="comparison" data-view="comparison">
      <div class="comparison-head">
        <h2>{texts.comparison}</h2>
        <span class="note" role="status">
          {different.length === 0 ? texts.same : texts.differences(different.length)}
        </span>
        <button
          type="button"
          class="small-button"
          aria-pressed={isOnlyDifferent}
          onClick={() => setOnlyDifferent(!isOnlyDifferent)}
        >
          {texts.onlyDifferent}
        </button>
        <button type="button" class="small-button" onClick={() => inspector.compare(null)}>
          {texts.compareStop}
        </button>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            <RunColumn view={leftView} />
            <RunColumn view={rightView} />
          </tr>
        </thead>
        <tbody>
          {(isOnlyDifferent ? different : pairs).map((pair) => (
            <ComparedStep key={pair.number} pair={pair} />
          ))}
          <tr
            class={
              leftView.stopReason === rightView.stopReason && leftView.answer === rightView.answer
                ? 'pair'
                : 'pair different'
            }
          >
            <th scope="row">{texts.ending}</th>
            <Ending view={leftView} />
            <Ending view={rightView} />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function RunColumn({ view }: { readonly view: RunView }) {
  const texts = useTexts();
  const format = useFormat();
  return (
    <th scope="col">
      <div class="compared-run">
        <LongText text={view.task ?? (hasNoBeginning(view) ? texts.noBeginning : texts.noTask)} />
        <span class="run-numbers">
          <RunStatus phase={view.phase} stopReason={view.stopReason} />
          {view.model !== null && <span>{visible(view.model.name)}</span>}
          <span>{texts.stepsCount(view.steps.length)}</span>
          <span>{texts.tokensCount(view.usage.totalTokens)}</span>
          <span>{format.time(view.atMs)}</span>
          {view.missing > 0 && (
            <span class="run-incomplete" title={texts.incompleteHint(view.missing)}>
              {texts.incomplete}
            </span>
          )}
        </span>
      </div>
    </th>
  );
}

function Ending({ view }: { readonly view: RunView }) {
  const texts = useTexts();
  return (
    <td>
      {view.stopReason === null ? texts.noEnding : <RunStatus phase={view.phase} stopReason={view.stopReason} />}
      {view.answer !== null && (
        <p>
          <LongText text={view.answer} class="answer" />
        </p>
      )}
      {view.failure !== null && (
        <p class="tone-bad">
          <LongText text={view.failure.message} />
        </p>
      )}
    </td>
  );
}

function useWhole({ recording, player }: Session): RunView | null {
  return recording.viewAt(useStore(player.store, ({ length }) => length));
}
