/** One run: its head, what waits for a decision, and the run as of where the page stands. */

import { useCallback } from 'preact/hooks';
import { goToStep } from '../../state/go-to-step.ts';
import { ModelContext } from '../../state/prices.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useInspected, useView } from '../../state/use-inspector.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Deciding, waitingCalls } from '../deciding/deciding.tsx';
import { LateRefusal } from '../deciding/late-refusal.tsx';
import { StepList } from '../steps/step-list.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { MachineChart } from './chart.tsx';
import { Gauges } from './gauges.tsx';
import { RunEnding } from './run-ending.tsx';
import { RunHead } from './run-head.tsx';
import { Transport } from './transport.tsx';
import { useNow } from './use-now.ts';

export function RunPage({ session }: { readonly session: Session }) {
  const texts = useTexts();
  const summary = useInspected(({ runs }) => runs.get(session.key));
  const isLoading = useStore(session.store, (state) => state.isLoading);
  const isOver = useStore(session.store, (state) => state.isOver);
  const failure = useStore(session.store, (state) => state.failure);
  const length = useStore(session.player.store, (state) => state.length);
  const view = useView(session);
  const whole = session.recording.viewAt(length);
  const isLive = summary?.isLive === true && !isOver;
  const onStep = useCallback((step: number) => goToStep(session, step), [session]);
  const now = useNow(whole, isLive);

  if (failure !== null) return <p class="empty tone-bad">{texts.failedRun(texts.oddEvents(failure))}</p>;
  if (view === null || whole === null) return <p class="empty">{isLoading ? texts.loading : texts.emptyRun}</p>;

  const isDecidable = summary?.isDecidable === true && !isOver;
  const waiting = isDecidable ? waitingCalls(whole).length : 0;
  return (
    <div class="run" data-run={whole.runId} data-phase={view.phase} data-stop={view.stopReason ?? ''}>
      <RunHead view={view} whole={whole} summary={summary ?? null} isDecidable={isDecidable} />
      <p class="hidden" aria-live="assertive">
        {waiting > 0 ? texts.announce(waiting) : ''}
      </p>
      <LateRefusal runKey={session.key} />
      {isDecidable && <Deciding runKey={session.key} view={whole} />}
      <Gauges view={view} />
      <Timeline session={session} view={view} whole={whole} now={now} onStep={onStep} />
      <div class="run-columns">
        <div class="run-story">
          <RunEnding view={view} />
          <ModelContext.Provider value={view.model}>
            <StepList session={session} view={view} onStep={onStep} />
          </ModelContext.Provider>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing else that the keyboard could reach */}
        <section class="run-side" aria-labelledby="machine-title" tabIndex={0}>
          <div class="machine">
            <h3 id="machine-title">{texts.chart}</h3>
            <MachineChart session={session} view={view} />
          </div>
        </section>
      </div>
      <Transport session={session} isLive={isLive} />
    </div>
  );
}
