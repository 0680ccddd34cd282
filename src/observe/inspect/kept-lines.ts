/** The events of a run as lines of JSON, bounded in memory. */
import type { TraceEvent } from '../../core/trace.ts';
import { briefEvent } from './brief.ts';

export interface KeptLines {
  readonly lines: readonly Buffer[];
  /** Of memory. */
  bytes(): number;
  /** Events of which less than all was kept. */
  lost(): number;
  /** Gives how long the event is as JSON, in bytes; 0 for what is no JSON. */
  add(event: TraceEvent): number;
}

/** In bytes: what an event costs beside its text. */
const overhead = 200;

/** Above `mostBytes` long texts are cut; above one and a half times as much only beginnings and ends are kept. */
export function keptLines(mostBytes: number): KeptLines {
  const lines: Buffer[] = [];
  let [bytes, lost] = [0, 0];
  return {
    lines,
    bytes: () => bytes,
    lost: () => lost,
    add(event) {
      const whole = lineOf(event);
      const fits = whole !== null && bytes + whole.length <= mostBytes;
      if (!fits) lost++;
      const line = fits ? whole : lineOf(briefEvent(event));
      const isRoom = line !== null && bytes + line.length <= 1.5 * mostBytes;
      if (line !== null && (isRoom || isTurningPoint(event))) {
        lines.push(line);
        bytes += line.length + overhead;
      }
      return whole?.length ?? 0;
    },
  };
}

export function begins(event: TraceEvent): event is TraceEvent & { readonly type: 'run.started' | 'run.resumed' } {
  return event.type === 'run.started' || event.type === 'run.resumed';
}

/** Kept of the largest run: whether it is over must be known. */
function isTurningPoint(event: TraceEvent): boolean {
  return begins(event) || event.type === 'run.ended';
}

/** Null for what is no JSON: a program may show anything. */
function lineOf(event: TraceEvent): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(event));
  } catch {
    return null;
  }
}
