/**
 * The lines of a run that lie between its beginning and its last step, where they are cut so that a run that goes on keeps both. No
 * place changes: who has read up to a place reads on from there, and who reads anew is told what is not there any more.
 */
import { begins, type TraceDropped, type TraceEvent } from '../../core/trace.ts';

export interface Middle {
  /** Before its line is kept, or is not. */
  comes(event: TraceEvent): void;
  /** Cuts about half of it, whole steps. `bytesOf` is what a line costs. Of nothing, nothing is freed. */
  cut(bytesOf: (line: Buffer) => number): Freed;
}

export interface Freed {
  readonly bytes: number;
  readonly lines: number;
}

interface Step {
  /** Of its first line. */
  readonly place: number;
  readonly sequence: number;
  readonly wallMs: number;
}

/** In bytes: what the place of a line costs that is cut. */
const placeBytes = 8;

export function middleOf(lines: Buffer[]): Middle {
  /** Those behind what is cut. */
  let steps: Step[] = [];
  let runId = '';
  /** Lines up to there are cut, but for the first. */
  let end = 1;
  let from: Step | null = null;

  const markFor = (first: Step, next: Step): Buffer => {
    const [begin, to] = [first.sequence, next.sequence - 1];
    const { wallMs } = first;
    const mark: TraceDropped = { type: 'trace.dropped', runId, count: to + 1 - begin, from: begin, to, wallMs };
    return Buffer.from(JSON.stringify(mark));
  };
  return {
    comes(event) {
      if (begins(event)) runId = event.runId;
      const { sequence, wallMs } = event;
      const here = { place: lines.length, sequence, wallMs };
      // The first event stands for itself.
      if (here.place === 1 && from === null) from = here;
      if (event.type !== 'prompt.sent' || here.place === 0) return;
      if (steps.at(-1)?.place === here.place) steps.pop();
      steps.push(here);
    },
    cut(bytesOf) {
      const last = steps.at(-1)?.place ?? 0;
      const sizes = lines.slice(end, Math.max(end, last)).map(bytesOf);
      const half = sizes.reduce((sum, size) => sum + size, 0) / 2;
      let [bytes, place] = [0, end];
      const next = steps.find((step) => {
        for (; place < step.place; place++) bytes += sizes[place - end] ?? 0;
        return step.place > end && bytes >= half;
      });
      if (next === undefined || from === null) return { bytes: 0, lines: 0 };
      const freed = { bytes: bytes - placeBytes * (next.place - end), lines: next.place - end };
      lines.fill(markFor(from, next), 1, next.place);
      end = next.place;
      steps = steps.filter((step) => step.place >= end);
      return freed;
    },
  };
}
