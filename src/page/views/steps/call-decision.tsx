/** Who decided that a call runs, or does not: a gate, a rule, a person. */
import type { ApprovalView, CallView } from '../../../observe/run-view.ts';
import { useFormat, useTexts, wordIn } from '../../texts/use-texts.ts';
import { Icon } from '../common/icon.tsx';
import { visible } from '../common/json-text.ts';
import { LongText } from '../common/long-text.tsx';

export function CallDecision({ call }: { readonly call: CallView }) {
  const texts = useTexts();
  const { gate, rule, approval } = call;
  if (gate === null && rule === null && approval === null) return null;
  return (
    <div class="decision" data-part="decision">
      {gate !== null && <span data-gate={gate}>{wordIn(texts.words.gates, gate)}</span>}
      {rule !== null && <span data-rule={rule}>{wordIn(texts.words.rules, rule)}</span>}
      {approval !== null && <Approval approval={approval} />}
    </div>
  );
}

function Approval({ approval }: { readonly approval: ApprovalView }) {
  const texts = useTexts();
  const format = useFormat();
  const { decision, by, why, cause, askedWallMs, decidedWallMs, edited } = approval;
  const took = decidedWallMs === null ? null : format.time(decidedWallMs - askedWallMs);
  // Nobody, in time; or a gate that refused the input as it was edited.
  const causes = { ...texts.words.gates, ...texts.words.causes };
  const who = by === null ? null : visible(by);
  const isOwn = cause === null || cause === 'person';
  return (
    <span class="approval" data-decision={decision ?? 'open'}>
      <Icon name="person" />
      {decision === null && texts.noDecision}
      {decision === 'granted' && <strong class="tone-good">{texts.granted(who)}</strong>}
      {decision === 'denied' && <strong class="tone-bad">{isOwn ? texts.denied(who) : wordIn(causes, cause)}</strong>}
      {took !== null && <span> {took}</span>}
      {edited && <span> {texts.inputEdited}</span>}
      {why !== '' && (
        <q>
          <LongText text={why} />
        </q>
      )}
    </span>
  );
}
