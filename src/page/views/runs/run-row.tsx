import type { RunSummary } from '../../../observe/inspect/wire.ts';
import { useFormat, useTexts } from '../../texts/use-texts.ts';
import { visible } from '../common/json-text.ts';
import { memoised } from '../common/memoised.ts';
import { RunStatus } from '../common/status.tsx';

/** Of a task: two lines of it are in sight. */
const shownChars = 300;

interface RunRowProps {
  readonly run: RunSummary;
  readonly place: 'shown' | 'beside' | null;
  readonly mayCompare: boolean;
  readonly onShow: (key: string) => void;
  readonly onCompare: (key: string | null) => void;
}

export const RunRow = memoised(({ run, place, mayCompare, onShow, onCompare }: RunRowProps) => {
  const texts = useTexts();
  const format = useFormat();
  const task = visible((run.task ?? (run.missing > 0 ? texts.noBeginning : texts.noTask)).slice(0, shownChars));
  const isBeside = place === 'beside';
  return (
    <li class={`run-row ${place ?? ''}`} data-run={run.runId} data-key={run.key} data-live={run.isLive}>
      <button
        type="button"
        class="run-choose"
        aria-current={place === 'shown' ? 'true' : undefined}
        onClick={() => onShow(run.key)}
      >
        <span class="run-task" dir="auto">
          {task}
        </span>
        <span class="run-facts">
          <RunStatus phase={run.phase} stopReason={run.stopReason} />
          {run.isLive && run.phase === 'running' && <span class="pulse" title={texts.live} />}
          {run.model !== null && <span class="run-model">{visible(run.model)}</span>}
          {run.startedWallMs !== null && <span class="run-clock">{format.clock(run.startedWallMs)}</span>}
        </span>
        <span class="run-numbers">
          <span>{texts.stepsCount(run.steps)}</span>
          <span>{texts.tokensShort(format.short(run.tokens))}</span>
          <span>{format.time(run.atMs)}</span>
          {run.missing > 0 && (
            <span class="run-incomplete" title={texts.incompleteHint(run.missing)}>
              {texts.incomplete}
            </span>
          )}
          {run.violations > 0 && <span class="run-violations">{texts.violationsCount(run.violations)}</span>}
        </span>
      </button>
      {mayCompare && place !== 'shown' && (
        <button
          type="button"
          class="run-compare"
          aria-pressed={isBeside}
          aria-label={isBeside ? texts.compareStop : texts.compareThis(task.slice(0, 80))}
          title={isBeside ? texts.compareStop : texts.compare}
          onClick={() => onCompare(isBeside ? null : run.key)}
        >
          ⇄
        </button>
      )}
    </li>
  );
});
