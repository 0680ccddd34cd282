/** One step in a line: its number, thought, calls, and what it took. It unfolds into all that is known of it. */
import type { CallView, StepView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useFormat, useTexts, wordIn } from '../../texts/use-texts.ts';
import { Icon } from '../common/icon.tsx';
import { memoised } from '../common/memoised.ts';
import { callTone } from '../common/tones.ts';
import { ArrivingReply } from './arriving-reply.tsx';
import { preview } from './preview.ts';
import { StepBody } from './step-body.tsx';

interface StepRowProps {
  readonly session: Session;
  readonly step: StepView;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  /** It is the last so far. */
  readonly isCurrent: boolean;
  readonly onToggle: (step: number) => void;
  readonly onStep: (step: number) => void;
}

export const StepRow = memoised(({ session, step, isOpen, isChosen, isCurrent, onToggle, onStep }: StepRowProps) => {
  const texts = useTexts();
  const classes = `step${isOpen ? ' open' : ''}${isChosen ? ' chosen' : ''}${isCurrent ? ' current' : ''}`;
  const toggle = () => {
    onToggle(step.number);
    if (!isOpen) onStep(step.number);
  };
  return (
    <li class={classes} data-step={step.number} data-open={isOpen}>
      <h4 class="step-heading">
        <button type="button" class="step-line" aria-expanded={isOpen} onClick={toggle}>
          <Icon name="chevron" />
          <span class="step-number">
            <span class="hidden">{texts.stepName(step.number)}</span>
            <span aria-hidden="true">{step.number}</span>
          </span>
          <StepSummary step={step} isCurrent={isCurrent} />
          <StepNumbers step={step} />
        </button>
      </h4>
      {isCurrent && <ArrivingReply session={session} step={step} />}
      {isOpen && <StepBody session={session} step={step} />}
    </li>
  );
});

/** Of a text that may be long: the line shows no more. */
const shownChars = 240;
const shownCalls = 5;

function StepSummary({ step, isCurrent }: Pick<StepRowProps, 'step' | 'isCurrent'>) {
  const texts = useTexts();
  const { thought, answer, calls, violation, repliedAtMs, endedAtMs } = step;
  // A step that is not over, and another behind it: events of it are missing.
  const lacks = endedAtMs === null && !isCurrent;
  const isWaiting = isCurrent && thought === null && repliedAtMs === null && endedAtMs === null && calls.length === 0;
  return (
    <span class="step-summary">
      {thought !== null && (
        <span class="step-thought" dir="auto">
          {preview(thought, shownChars)}
        </span>
      )}
      {isWaiting && <span class="step-thought note">{texts.thinking}</span>}
      {calls.slice(0, shownCalls).map((call) => (
        <CallLine key={call.callId} call={call} />
      ))}
      {calls.length > shownCalls && <span class="note">{texts.showMore(calls.length - shownCalls)}</span>}
      {(answer !== null || violation !== null || step.loopWarned || lacks) && (
        <span class="chips">
          {lacks && <span class="chip tone-bad">{texts.stepLacks}</span>}
          {violation !== null && (
            <span class="chip tone-bad" title={wordIn(texts.words.violationCodes, violation.code)}>
              {violation.code}
            </span>
          )}
          {step.loopWarned && <span class="chip tone-wait">{texts.loop}</span>}
          {answer !== null && violation === null && <span class="chip tone-good">{texts.answer}</span>}
          {answer !== null && <span class="call-line-result">{preview(answer)}</span>}
        </span>
      )}
    </span>
  );
}

function CallLine({ call }: { readonly call: CallView }) {
  const texts = useTexts();
  const { tool, input, observation, status, retries } = call;
  return (
    <span class={`call-line tone-${callTone(status)}`} data-call-status={status}>
      <span class="dot" aria-hidden="true" />
      <span class="call-line-tool">{preview(tool, 60)}</span>
      <span class="call-line-input">{preview(input)}</span>
      {retries.length > 0 && <span class="call-line-status">↻{retries.length}</span>}
      {status !== 'succeeded' && <span class="call-line-status">{wordIn(texts.words.callStatuses, status)}</span>}
      {observation !== null && <span class="call-line-result">{`→ ${preview(observation)}`}</span>}
    </span>
  );
}

function StepNumbers({ step }: { readonly step: StepView }) {
  const texts = useTexts();
  const format = useFormat();
  const { inputTokens, outputTokens } = step.tokens;
  const tokens = inputTokens + outputTokens;
  return (
    <span class="step-numbers">
      {tokens > 0 && <span>{texts.tokensShort(format.short(tokens))}</span>}
      <span>{step.endedAtMs === null ? '…' : format.time(step.endedAtMs - step.startedAtMs)}</span>
    </span>
  );
}
