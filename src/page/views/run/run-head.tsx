/** What the run is: its task, how it stands, and the facts about it. */
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Policy } from '../../../core/policy.ts';
import type { RunSummary } from '../../../observe/inspect/wire.ts';
import { costOf } from '../../../observe/report/costs.ts';
import type { RunView } from '../../../observe/run-view.ts';
import { PricesContext } from '../../state/prices.ts';
import { useInspected, useInspector } from '../../state/use-inspector.ts';
import { useFormat, useTexts, wordIn } from '../../texts/use-texts.ts';
import { CopyButton } from '../common/copy-button.tsx';
import { visible } from '../common/json-text.ts';
import { LongText } from '../common/long-text.tsx';
import { memoised } from '../common/memoised.ts';
import { RunStatus } from '../common/status.tsx';
import { AbortButton } from '../deciding/deciding.tsx';
import { hasNoBeginning, RunGaps } from './run-gaps.tsx';

interface RunHeadProps {
  readonly view: RunView;
  /** Behind the last event. */
  readonly whole: RunView;
  readonly summary: RunSummary | null;
  readonly isDecidable: boolean;
}

export const RunHead = memoised(({ view, whole, summary, isDecidable }: RunHeadProps) => {
  const texts = useTexts();
  const isOver = view.phase === 'ended';
  const heading = useWantedFocus();
  return (
    <header class="run-head">
      <div class="run-title">
        <h2 ref={heading} id="run-title" tabIndex={-1}>
          <LongText text={view.task ?? (hasNoBeginning(view) ? texts.noBeginning : texts.noTask)} most={300} />
        </h2>
        <RunStatus phase={view.phase} stopReason={view.stopReason} />
        {isOver && view.stopReason !== null && view.stopReason !== 'final' && (
          <span class="note">{wordIn(texts.words.stopReasons, view.stopReason)}</span>
        )}
        {isDecidable && view.phase === 'running' && summary !== null && <AbortButton runKey={summary.key} />}
      </div>
      <RunFacts view={view} summary={summary} />
      <RunGaps view={whole} lost={summary?.lost ?? 0} />
    </header>
  );
});

/** The heading of a run that was chosen is where one who hears the page reads on, and keys act on the run from there. */
function useWantedFocus() {
  const inspector = useInspector();
  const isWanted = useInspected(({ wantsFocus }) => wantsFocus);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    inspector.focused();
    const { activeElement } = document;
    // Whoever went elsewhere while the run was read stays there.
    if (activeElement === document.body || activeElement?.matches('.run-choose') === true)
      heading.current?.focus({ preventScroll: true });
  }, [isWanted, inspector]);
  return heading;
}

function RunFacts({ view, summary }: Pick<RunHeadProps, 'view' | 'summary'>) {
  const texts = useTexts();
  const format = useFormat();
  const prices = useContext(PricesContext);
  const { model, dialect, policy, startedWallMs, resumed, tools, runId } = view;
  const facts: readonly (readonly [label: string, value: string | null])[] = [
    [texts.model, model === null ? null : `${model.provider} ${model.name}`],
    [texts.dialect, dialect],
    [texts.policy, policy === null ? null : policyText(policy)],
    [texts.started, startedWallMs === null ? null : format.day(startedWallMs)],
    [texts.tools, tools.length === 0 ? null : tools.join(', ')],
    [texts.cost, prices === null ? null : texts.costIs(costOf(view, prices))],
    [texts.file, summary?.file ?? null],
  ];
  return (
    <dl class="run-facts-list">
      {facts.map(([label, value]) =>
        value === null ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd title={visible(value)}>
              <bdi>{visible(value)}</bdi>
            </dd>
          </div>
        ),
      )}
      {runId !== '' && (
        <div>
          <dt>{texts.runId}</dt>
          <dd class="run-id" title={runId}>
            <code>{runId}</code>
          </dd>
          <dd>
            <CopyButton text={() => runId} />
          </dd>
        </div>
      )}
      {resumed > 0 && (
        <div>
          <dd>{texts.resumed(resumed)}</dd>
        </div>
      )}
    </dl>
  );
}

const policyText = (policy: Policy) => (typeof policy === 'string' ? policy : `allow ${policy.allow.join(', ')}`);
