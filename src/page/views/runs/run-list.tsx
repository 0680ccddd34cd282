/** The runs there are: found by text and status, one chosen, two compared. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { RunSummary } from '../../../observe/inspect/wire.ts';
import { inOrder } from '../../state/inspector.ts';
import { useInspected, useInspector } from '../../state/use-inspector.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { runWord } from '../common/status.tsx';
import { RunFilter } from './run-filter.tsx';
import { moveFocus } from './run-keys.ts';
import { RunRow } from './run-row.tsx';

/** Drawn at first, and with each click for more. */
const page = 200;

export function RunList() {
  const texts = useTexts();
  const inspector = useInspector();
  const runs = useInspected((state) => state.runs);
  const shownKey = useInspected(({ shown }) => shown?.key ?? null);
  const besideKey = useInspected(({ beside }) => beside?.key ?? null);
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const [most, setMost] = useState(page);
  const list = useRef<HTMLUListElement>(null);
  const all = useMemo(() => inOrder(runs.values()), [runs]);
  const found = useMemo(() => all.filter((run) => matches(run, text, status)), [all, text, status]);

  return (
    <nav class="runs" aria-label={texts.runs} data-view="runs">
      <div class="runs-head">
        <h2>{texts.runs}</h2>
        <span class="note" role="status">
          {texts.runsCount(found.length, all.length)}
        </span>
      </div>
      {all.length > 1 && (
        <RunFilter text={text} status={status} statuses={statusesOf(all)} onText={setText} onStatus={setStatus} />
      )}
      {all.length === 0 && (
        <div class="empty">
          <p>{texts.noRuns}</p>
          <p class="note">{texts.noRunsHint}</p>
        </div>
      )}
      {all.length > 0 && found.length === 0 && (
        <div class="empty">
          <p>{texts.noMatch}</p>
          <button type="button" class="link" onClick={() => [setText(''), setStatus('')]}>
            {texts.clearFilter}
          </button>
        </div>
      )}
      <ul ref={list} onKeyDown={(event) => moveFocus(event, list.current)}>
        {found.slice(0, most).map((run) => (
          <RunRow
            key={run.key}
            run={run}
            place={run.key === shownKey ? 'shown' : run.key === besideKey ? 'beside' : null}
            mayCompare={shownKey !== null}
            onShow={inspector.choose}
            onCompare={inspector.compare}
          />
        ))}
      </ul>
      {found.length > most && (
        <button type="button" class="link" onClick={() => setMost(most + page)}>
          {texts.showMore(Math.min(page, found.length - most))}
        </button>
      )}
    </nav>
  );
}

function matches(run: RunSummary, text: string, status: string): boolean {
  if (status !== '' && runWord(run) !== status) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  return [run.task, run.model, run.runId, run.file, runWord(run)].some((one) => one?.toLowerCase().includes(wanted));
}

function statusesOf(runs: readonly RunSummary[]): string[] {
  return [...new Set(runs.map(runWord))].sort();
}
