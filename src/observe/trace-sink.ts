/**
 * The events of one run after the other into one file. What there is no room for is counted, and a line in its place says so.
 * Nothing is thrown, and nobody is waited for.
 */
import { AgentError } from '../core/errors.ts';
import { messageOf } from '../core/message-of.ts';
import type { TraceDropped, TraceEvent } from '../core/trace.ts';
import { appendLines, type Room } from './trace-append.ts';
import type { Settings } from './trace-options.ts';
import { traceText } from './trace-text.ts';

export interface TraceWritten {
  /** Events that are in the file. */
  readonly events: number;
  /** Events that are not. */
  readonly dropped: number;
  /** Events in which texts were cut, since their line would have been too long. */
  readonly cut: number;
  readonly bytes: number;
  /** Why the file is not complete, where that is not the number of events or their pace; null where nothing went wrong. */
  readonly problem: AgentError | null;
}

export interface TraceSink {
  take(event: TraceEvent, runId: string): void;
  /** Of an event that has no place in the file. */
  refuse(): void;
  ready(): Promise<AgentError | null>;
  close(): Promise<TraceWritten>;
}

export interface SinkOptions {
  readonly settings: Settings;
  readonly room: Room;
  readonly existing: 'continue' | 'replace';
  readonly failed: (problem: AgentError) => void;
  readonly before?: Promise<unknown>;
}

export function roomOf({ maxQueuedEvents, maxQueuedBytes }: Settings): Room {
  return { lines: maxQueuedEvents, bytes: maxQueuedBytes, mostBytes: maxQueuedBytes };
}

export function traceSink(path: string, { settings, room, existing, failed, before }: SinkOptions): TraceSink {
  let problem: AgentError | null = null;
  let gap: TraceDropped | null = null;
  let [given, cut, ofRun] = [0, 0, 0];
  let end: Promise<TraceWritten> | null = null;
  const lines = appendLines(path, {
    existing,
    isOurs,
    room,
    failed: (cause) => {
      problem = incomplete(path, cause);
      failed(problem);
    },
    ...(before === undefined ? {} : { before }),
  });

  const drop = ({ sequence, wallMs }: TraceEvent, runId: string) => {
    if (gap !== null && gap.runId !== runId) tellGap();
    const from = gap ?? { from: sequence, count: 0, wallMs };
    gap = { type: 'trace.dropped', runId, count: from.count + 1, from: from.from, to: sequence, wallMs: from.wallMs };
  };
  const tellGap = () => {
    if (gap !== null && lines.write(JSON.stringify(gap), { counts: 0, urgent: true })) gap = null;
  };
  /** With what is missing before it: both or neither. */
  const write = (text: string, urgent: boolean) => {
    const isWritten = lines.write(gap === null ? text : `${JSON.stringify(gap)}\n${text}`, { urgent });
    if (isWritten) gap = null;
    return isWritten;
  };
  const finish = async (): Promise<TraceWritten> => {
    tellGap();
    await lines.close(settings.closeWithinMs);
    const { counted: events, bytes } = lines.written();
    return { events, dropped: given - events, cut, bytes, problem };
  };

  return {
    take(event, runId) {
      given++;
      if (event.type === 'run.started' || event.type === 'run.resumed') ofRun = 0;
      // Room for the last event, and for the line that says what is missing before it.
      const urgent = event.type === 'run.ended';
      const isSpent = ofRun >= settings.maxEvents - 2 && !urgent;
      const line = isSpent ? null : traceText(event, settings.maxLine);
      if (line === null || !write(line.text, urgent)) return drop(event, runId);
      ofRun++;
      if (line.isCut) cut++;
    },
    refuse() {
      given++;
    },
    ready: async () => {
      await lines.ready();
      return problem;
    },
    close: () => (end ??= finish()),
  };
}

/** Of the first line, which may be torn, or its beginning. */
function isOurs(line: string): boolean {
  const start = line
    .slice(0, 4_000)
    .replace(/^\ufeff/, '')
    .replaceAll(/\s/g, '');
  return begins.some((one) => (start.startsWith('{') && start.includes(one)) || `{${one}`.startsWith(start));
}

/** With what a trace begins. */
const begins = ['run.started', 'run.resumed', 'trace.dropped'].map((type) => `"type":"${type}"`);

export function incomplete(path: string, cause: unknown): AgentError {
  return new AgentError('store_failed', `The trace ${path} is not complete: ${messageOf(cause)}.`, {
    hint: 'The folder must exist, you must be allowed to write there, the disk must have room, and the file must be a trace, or not be there yet. No run was changed by it.',
    cause,
  });
}
