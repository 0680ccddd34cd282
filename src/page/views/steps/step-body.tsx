/** All that is known of a step. */
import { useContext } from 'preact/hooks';
import { costOfStep } from '../../../observe/report/costs.ts';
import type { StepView, TryView } from '../../../observe/run-view.ts';
import { ModelContext, PricesContext } from '../../state/prices.ts';
import type { Session } from '../../state/session.ts';
import { useFormat, useTexts, wordIn } from '../../texts/use-texts.ts';
import { visible } from '../common/json-text.ts';
import { LongText } from '../common/long-text.tsx';
import { Field, Fold } from '../common/section.tsx';
import { CallCard } from './call-card.tsx';
import { Prompt } from './prompt.tsx';
import { RawEvents } from './raw-events.tsx';

export interface StepBodyProps {
  /** Null for a step of a nested run, whose events are not its own. */
  readonly session: Session | null;
  readonly step: StepView;
}

export function StepBody({ session, step }: StepBodyProps) {
  const texts = useTexts();
  const { thought, reasoning, calls, answer, violation, dropped, text } = step;
  return (
    <div class="step-body">
      <StepFacts step={step} />
      {thought !== null && (
        <Field label={texts.thought} part="thought">
          <LongText text={thought} class="thought" />
        </Field>
      )}
      {reasoning !== null && (
        <Fold title={texts.reasoning} part="reasoning">
          {() => <LongText text={reasoning} />}
        </Fold>
      )}
      {calls.map((call) => (
        <CallCard key={call.callId} call={call} Body={StepBody} />
      ))}
      {violation !== null && <Violation violation={violation} />}
      {answer !== null && (
        <Field label={texts.answer} part="answer" tone={violation === null ? 'good' : 'bad'}>
          <LongText text={answer} class="answer" />
        </Field>
      )}
      {dropped !== null && (
        <Field label={texts.dropped} part="dropped">
          <LongText text={dropped} isCode />
        </Field>
      )}
      {step.tries.some(({ failure, asked }) => failure !== null || asked.length > 0) && <Tries tries={step.tries} />}
      {text !== null && (
        <Fold title={texts.reply} part="reply">
          {() => <LongText text={text} isCode />}
        </Fold>
      )}
      {session !== null && step.tries.map((one) => <Prompt key={one.number} session={session} step={step} one={one} />)}
      {session !== null && <RawEvents session={session} step={step.number} />}
    </div>
  );
}

function StepFacts({ step }: { readonly step: StepView }) {
  const texts = useTexts();
  const format = useFormat();
  const prices = useContext(PricesContext);
  const model = useContext(ModelContext);
  const { inputTokens, outputTokens, estimated } = step.tokens;
  const promptTokens = step.tries.at(-1)?.promptTokens ?? 0;
  const facts = [
    `${format.time(step.startedAtMs)} → ${step.endedAtMs === null ? '…' : format.time(step.endedAtMs)}`,
    texts.tokensInOut(format.count(inputTokens || promptTokens), format.count(outputTokens)) + (estimated ? ' ~' : ''),
    ...(prices === null ? [] : [`${texts.cost} ${texts.costIs(costOfStep(step, model, prices))}`]),
    ...(step.savedTokens > 0 ? [texts.saved(texts.tokensCount(step.savedTokens))] : []),
    ...(step.dialect === null ? [] : [texts.otherDialect(step.dialect)]),
  ];
  return (
    <div class="facts" data-part="facts">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {step.loopWarned && <strong class="tone-wait">{texts.loopWarned}</strong>}
    </div>
  );
}

function Violation({ violation }: { readonly violation: NonNullable<StepView['violation']> }) {
  const texts = useTexts();
  return (
    <Field label={texts.violation} part="violation" tone="bad">
      <p>
        <code data-violation={violation.code}>{violation.code}</code>{' '}
        {wordIn(texts.words.violationCodes, violation.code)}
      </p>
      <p class="note">{texts.toldModel}</p>
      <LongText text={violation.hint} />
    </Field>
  );
}

function Tries({ tries }: { readonly tries: readonly TryView[] }) {
  const texts = useTexts();
  return (
    <Field label={texts.tries} part="tries">
      <ul class="plain">
        {tries.map(({ number, failure, asked }) => (
          <li key={number}>
            {asked.length > 0 && (
              <p>{texts.asked(visible(asked.map(({ provider, name }) => `${provider} ${name}`).join(' → ')))}</p>
            )}
            {failure !== null && (
              <p>
                <strong class="tone-bad">{texts.tryFailed(number)}</strong>{' '}
                <code>{wordIn(texts.words.modelFailures, failure.failure)}</code> <LongText text={failure.message} />{' '}
                <span class="note">
                  <LongText text={failure.hint} />
                </span>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Field>
  );
}
