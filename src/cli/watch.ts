/** Prints a run while it goes on. */
import type { LiveEvent } from '../core/trace.ts';
import type { Run } from '../run.ts';
import { show } from './live.ts';
import type { Live, LiveOptions } from './live-state.ts';
import { oneLine } from './plain-text.ts';
import { progressLine } from './progress.ts';
import type { Screen } from './screen.ts';

export interface WatchOptions extends LiveOptions {
  readonly screen: Screen;
  /** What is known of it before its first event, as of one that goes on. */
  readonly from: Live;
  /** Called after each event, once it is shown, such as to ask a person. */
  readonly onLook: (live: Live, event: LiveEvent) => void;
}

/** How often the time in the status is put right. */
const tickMs = 100;

/** Settles when the run has ended, with what was shown last. */
export async function watch(run: Run, options: WatchOptions): Promise<Live> {
  const { screen } = options;
  let live = options.from;
  let seenAt = performance.now();
  const tick = () => screen.status(statusOf(live, performance.now() - seenAt));
  const ticking = setInterval(tick, tickMs);
  for await (const event of run) {
    const [next, text] = show(live, event, options);
    live = next;
    if ('atMs' in event) seenAt = performance.now();
    if (live.phase === 'over') screen.status('');
    screen.write(text);
    tick();
    options.onLook(live, event);
  }
  clearInterval(ticking);
  screen.status('');
  return live;
}

/** While a person decides the running time stands still, and so does the line. */
function statusOf(live: Live, sinceMs: number): string {
  if (live.phase === 'over' || live.step === 0 || live.isWaiting) return '';
  const doing = live.phase === 'acting' ? live.calls.map(({ tool }) => oneLine(tool)).join(', ') : live.phase;
  return `${progressLine({ ...live, atMs: live.atMs + sinceMs })} · ${doing}`;
}
