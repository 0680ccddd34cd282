/** The steps of a run, one under the other. A long run shows its last steps first; what is out of sight is not laid out. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { memoised } from '../common/memoised.ts';
import { useOpenSteps } from './open-steps.ts';
import { StepRow } from './step-row.tsx';

/** Steps that are in the page at once. */
const page = 200;

interface StepListProps {
  readonly session: Session;
  readonly view: RunView;
  readonly onStep: (step: number) => void;
}

export const StepList = memoised(({ session, view, onStep }: StepListProps) => {
  const texts = useTexts();
  const chosen = useStore(session.store, ({ step }) => step);
  const follows = useStore(session.player.store, (state) => state.follows);
  const { steps } = view;
  const current = steps.at(-1)?.number ?? 0;
  const { isOpen, toggle, openAll, closeAll } = useOpenSteps(session);
  const [extra, setExtra] = useState(0);
  const focus = chosen ?? current;
  const first = Math.max(0, Math.min(steps.length - page, focus - page / 2) - extra);
  const list = useRef<HTMLOListElement>(null);

  // What is chosen, or plays, is brought into sight; where a person reads further up, nothing moves.
  useEffect(() => {
    const isWanted = chosen !== null || !follows || list.current?.dataset.atEnd === 'true';
    if (isWanted) list.current?.querySelector(`[data-step="${focus}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [focus, chosen, follows]);

  return (
    <section class="steps" aria-labelledby="steps-title" data-view="steps">
      <div class="steps-head">
        <h3 id="steps-title">{texts.steps}</h3>
        <span class="note">{steps.length > 0 && texts.stepsCount(steps.length)}</span>
        {steps.length > 0 && (
          <span class="steps-tools">
            <button type="button" class="small-button" onClick={openAll}>
              {texts.openAll}
            </button>
            <button type="button" class="small-button" onClick={closeAll}>
              {texts.closeAll}
            </button>
          </span>
        )}
      </div>
      {steps.length === 0 && <p class="empty">{texts.noSteps}</p>}
      {first > 0 && (
        <button type="button" class="link" onClick={() => setExtra(extra + page)}>
          {texts.stepsFrom(first + 1)}
        </button>
      )}
      <ol ref={list} class="step-list">
        {steps.slice(first, Math.max(first + page + extra, 0) + page).map((step) => (
          <StepRow
            key={step.number}
            session={session}
            step={step}
            isOpen={isOpen(step.number)}
            isChosen={step.number === chosen}
            isCurrent={step.number === current}
            onToggle={toggle}
            onStep={onStep}
          />
        ))}
      </ol>
    </section>
  );
});
