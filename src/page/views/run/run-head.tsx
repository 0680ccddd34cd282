/** What the run is: its task, how it stands, and the facts about it. */
import type { Policy } from '../../../core/policy.ts';
import type { RunSummary } from '../../../observe/inspect/wire.ts';
import type { RunView } from '../../../observe/run-view.ts';
import { useFormat, useTexts, wordIn } from '../../texts/use-texts.ts';
import { CopyButton } from '../common/copy-button.tsx';
import { visible } from '../common/json-text.ts';
import { LongText } from '../common/long-text.tsx';
import { memoised } from '../common/memoised.ts';
import { RunStatus } from '../common/status.tsx';
import { AbortButton } from '../deciding/deciding.tsx';

interface RunHeadProps {
  readonly view: RunView;
  readonly summary: RunSummary | null;
  readonly isDecidable: boolean;
}

export const RunHead = memoised(({ view, summary, isDecidable }: RunHeadProps) => {
  const texts = useTexts();
  const isOver = view.phase === 'ended';
  return (
    <header class="run-head">
      <div class="run-title">
        <h2 id="run-title" tabIndex={-1}>
          <LongText text={view.task ?? texts.noTask} most={300} />
        </h2>
        <RunStatus phase={view.phase} stopReason={view.stopReason} />
        {isOver && view.stopReason !== null && (
          <span class="note">{wordIn(texts.words.stopReasons, view.stopReason)}</span>
        )}
        {isDecidable && view.phase === 'running' && summary !== null && <AbortButton runKey={summary.key} />}
      </div>
      <RunFacts view={view} summary={summary} />
      {(summary?.lost ?? 0) > 0 && (
        <p class="tone-bad" role="status" data-part="lost">
          {texts.lost(summary?.lost ?? 0)}
        </p>
      )}
      {view.missing > 0 && (
        <p class="tone-bad" role="status">
          {texts.missing(view.missing)}
        </p>
      )}
    </header>
  );
});

function RunFacts({ view, summary }: Omit<RunHeadProps, 'isDecidable'>) {
  const texts = useTexts();
  const format = useFormat();
  const { model, dialect, policy, startedWallMs, resumed, tools, runId } = view;
  const facts: readonly (readonly [label: string, value: string | null])[] = [
    [texts.model, model === null ? null : `${model.provider} ${model.name}`],
    [texts.dialect, dialect],
    [texts.policy, policy === null ? null : policyText(policy)],
    [texts.started, startedWallMs === null ? null : format.day(startedWallMs)],
    [texts.tools, tools.length === 0 ? null : tools.join(', ')],
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
      <div>
        <dt>{texts.runId}</dt>
        <dd class="run-id" title={runId}>
          <code>{runId}</code>
        </dd>
        <dd>
          <CopyButton text={() => runId} />
        </dd>
      </div>
      {resumed > 0 && (
        <div>
          <dd>{texts.resumed(resumed)}</dd>
        </div>
      )}
    </dl>
  );
}

const policyText = (policy: Policy) => (typeof policy === 'string' ? policy : `allow ${policy.allow.join(', ')}`);
