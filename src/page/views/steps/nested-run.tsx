/** The run of an agent that ran as a tool: its steps, each of which unfolds in turn. */
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { RunView, StepView } from '../../../observe/run-view.ts';
import { ModelContext } from '../../state/prices.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { LongText } from '../common/long-text.tsx';
import { RunStatus } from '../common/status.tsx';
import { preview } from './preview.ts';
import type { StepBodyProps } from './step-body.tsx';

/** Steps that are drawn at first. */
const page = 50;

interface NestedRunProps {
  readonly view: RunView;
  readonly Body: ComponentType<StepBodyProps>;
}

export function NestedRun({ view, Body }: NestedRunProps) {
  const texts = useTexts();
  const [most, setMost] = useState(page);
  return (
    <div class="nested" data-nested={view.runId}>
      <p class="nested-head">
        <RunStatus phase={view.phase} stopReason={view.stopReason} />
        <LongText text={view.task ?? texts.noTask} />
      </p>
      <ModelContext.Provider value={view.model}>
        <ol class="step-list">
          {view.steps.slice(0, most).map((step) => (
            <NestedStep key={step.number} step={step} Body={Body} />
          ))}
        </ol>
      </ModelContext.Provider>
      {view.steps.length > most && (
        <button type="button" class="link" onClick={() => setMost(most + page)}>
          {texts.showMore(Math.min(page, view.steps.length - most))}
        </button>
      )}
      {view.answer !== null && <LongText text={view.answer} class="answer" />}
    </div>
  );
}

interface NestedStepProps {
  readonly step: StepView;
  readonly Body: ComponentType<StepBodyProps>;
}

function NestedStep({ step, Body }: NestedStepProps) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="step nested-step">
      <button type="button" class="step-line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="step-number">
          <span class="hidden">{texts.stepName(step.number)}</span>
          <span aria-hidden="true">{step.number}</span>
        </span>
        <span class="step-thought" dir="auto">
          {preview(step.thought ?? step.calls.map(({ tool }) => tool).join(', '), 240)}
        </span>
      </button>
      {isOpen && <Body session={null} step={step} />}
    </li>
  );
}
