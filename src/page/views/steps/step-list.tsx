/** The steps of a run, one under the other. Of a long run only those around the place that is looked at are in the page. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RunView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { memoised } from '../common/memoised.ts';
import { MoreSteps, useInSight } from './more-steps.tsx';
import { type OpenSteps, useOpenSteps } from './open-steps.ts';
import { StepRow } from './step-row.tsx';
import { useFocus, useWindow } from './use-window.ts';

interface StepListProps {
  readonly session: Session;
  readonly view: RunView;
  readonly onStep: (step: number) => void;
}

export const StepList = memoised(({ session, view, onStep }: StepListProps) => {
  const texts = useTexts();
  const chosen = useStore(session.store, ({ step }) => step);
  const follows = useStore(session.player.store, (state) => state.follows);
  const open = useOpenSteps(session);
  const { steps } = view;
  const current = steps.at(-1)?.number ?? 0;
  const isFresh = useFresh(session, chosen, follows);
  const focus = useFocus(chosen, isFresh ? (steps[0]?.number ?? 0) : current);
  const index = steps.findIndex(({ number }) => number === focus);
  const { first, last, earlier, later } = useWindow(steps.length, index === -1 ? steps.length - 1 : index);
  const { list, end, hold } = useInView(focus, focus === chosen || !follows, isFresh, view.phase === 'ended');

  return (
    <section class="steps" aria-labelledby="steps-title" data-view="steps">
      <StepsHead count={steps.length} open={open} />
      {steps.length === 0 && <p class="empty">{texts.noSteps}</p>}
      {first > 0 && (
        <MoreSteps key={`before ${first}`} text={texts.stepsBefore(first + 1)} onMore={() => hold(earlier)} />
      )}
      <ol ref={list} class="step-list">
        {steps.slice(first, last).map((step) => (
          <StepRow
            key={step.number}
            session={session}
            step={step}
            isOpen={open.isOpen(step.number)}
            isChosen={step.number === chosen}
            isCurrent={step.number === current}
            onToggle={open.toggle}
            onStep={onStep}
          />
        ))}
      </ol>
      {last < steps.length && <MoreSteps key={`after ${last}`} text={texts.stepsAfter(last)} onMore={later} />}
      <div ref={end} class="steps-end" />
    </section>
  );
});

function StepsHead({ count, open }: { readonly count: number; readonly open: OpenSteps }) {
  const texts = useTexts();
  return (
    <div class="steps-head">
      <h3 id="steps-title">{texts.steps}</h3>
      <span class="note">{count > 0 && texts.stepsCount(count)}</span>
      {count > 0 && (
        <span class="steps-tools">
          <button type="button" class="small-button" onClick={open.openAll}>
            {texts.openAll}
          </button>
          <button type="button" class="small-button" onClick={open.closeAll}>
            {texts.closeAll}
          </button>
        </span>
      )}
    </div>
  );
}

/** Rows that come in above must not push away what is read: it is put back where it was. */
function useHold(list: RefObject<HTMLElement>): (change: () => void) => void {
  const held = useRef<{ readonly row: Element; readonly top: number } | null>(null);
  useLayoutEffect(() => {
    if (held.current === null) return;
    const { row, top } = held.current;
    held.current = null;
    const moved = () => row.getBoundingClientRect().top - top;
    row.closest('.run-story')?.scrollBy({ top: moved() });
    // On a phone it is the page that scrolls.
    window.scrollBy({ top: moved() });
  });
  return (change) => {
    const row = list.current?.firstElementChild ?? null;
    held.current = row === null ? null : { row, top: row.getBoundingClientRect().top };
    change();
  };
}

/** A recorded run is read from its ending down, and then from its first step, until a person goes somewhere in it. */
function useFresh(session: Session, chosen: number | null, follows: boolean): boolean {
  const isRecorded = useStore(session.store, (state) => state.isRecorded);
  const wasLeft = useRef(false);
  if (chosen !== null || !follows) wasLeft.current = true;
  return isRecorded && !wasLeft.current;
}

/** What is chosen, or plays, is brought into sight. Where a person reads further up in a live run, nothing moves. */
function useInView(focus: number, isWanted: boolean, isFresh: boolean, isOver: boolean) {
  const list = useRef<HTMLOListElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(false);
  useInSight(end, (isInSight) => {
    isAtEnd.current = isInSight;
  });
  useEffect(() => {
    if (!isWanted && (isFresh || !isAtEnd.current)) return;
    const step = list.current?.querySelector(`[data-step="${focus}"]`);
    // Who followed a live run to its end sees how it ended: that stands above the steps.
    const ending = isWanted || !isOver ? null : list.current?.closest('.run-story')?.querySelector('.ending');
    (ending ?? step)?.scrollIntoView({ block: 'nearest' });
  }, [focus, isWanted, isFresh, isOver]);
  return { list, end, hold: useHold(list) };
}
