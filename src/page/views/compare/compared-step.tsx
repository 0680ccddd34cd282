import type { StepView } from '../../../observe/run-view.ts';
import { useFormat, useTexts } from '../../texts/use-texts.ts';
import { visible } from '../common/json-text.ts';
import { JsonTree } from '../common/json-tree.tsx';
import { LongText } from '../common/long-text.tsx';
import { memoised } from '../common/memoised.ts';
import { CallStatus } from '../common/status.tsx';
import { isDifferent, type Part, type StepPair } from './compare-steps.ts';

export const ComparedStep = memoised(({ pair }: { readonly pair: StepPair }) => {
  const texts = useTexts();
  const { number, left, right, differences } = pair;
  const words = differences.map((part) => texts.parts[part]).join(', ');
  const isMissing = left === null || right === null;
  return (
    <tr
      class={isDifferent(pair) ? 'pair different' : 'pair'}
      data-pair={number}
      data-differs={isMissing ? 'missing' : differences.join(' ')}
    >
      <th scope="row">
        {number}
        <span class="hidden">{isDifferent(pair) ? texts.differs(isMissing ? texts.notThere : words) : texts.same}</span>
        {isDifferent(pair) && (
          <span class="difference-mark" aria-hidden="true" title={texts.differs(words)}>
            ≠
          </span>
        )}
      </th>
      <Side step={left} differences={differences} />
      <Side step={right} differences={differences} />
    </tr>
  );
});

function Side({ step, differences }: { readonly step: StepView | null; readonly differences: readonly Part[] }) {
  const texts = useTexts();
  const format = useFormat();
  if (step === null) return <td class="not-there">{texts.notThere}</td>;
  const mark = (part: Part) => (differences.includes(part) ? 'part marked' : 'part');
  const { thought, calls, answer, violation, tokens } = step;
  return (
    <td>
      {thought !== null && (
        <p class={mark('thought')}>
          <LongText text={thought} />
        </p>
      )}
      {calls.map((call) => (
        <div key={call.callId} class="compared-call">
          <p class={mark('calls')}>
            <strong>{visible(call.tool)}</strong> <CallStatus status={call.status} />
          </p>
          <div class={mark('inputs')}>
            <JsonTree value={call.input} />
          </div>
          {call.observation !== null && (
            <p class={mark('observations')}>
              <LongText text={call.observation} isCode most={500} />
            </p>
          )}
        </div>
      ))}
      {violation !== null && (
        <p class={`${mark('violation')} tone-bad`}>
          <code>{violation.code}</code>
        </p>
      )}
      {answer !== null && (
        <p class={mark('answer')}>
          <LongText text={answer} class="answer" />
        </p>
      )}
      <p class={`${mark('tokens')} note`}>
        {texts.tokensInOut(format.count(tokens.inputTokens), format.count(tokens.outputTokens))}
      </p>
    </td>
  );
}
