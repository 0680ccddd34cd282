/** A row of the probe, and the short words in which the rows are written. */
import type { Ending, Piece, ProbeInput, ProbeModel, ProbeTool } from '../engine.ts';
import { says } from '../streams.ts';

export interface Row {
  readonly id: string;
  /** The input in a few words. */
  readonly what: string;
  /** What bounds it, in a few words. */
  readonly limit: string;
  /** Where that is a time: it ends no sooner, and little later. */
  readonly limitMs?: number;
  readonly input: ProbeInput;
  readonly expected: Expected;
}

export interface Expected extends Ending {
  readonly modelCalls: number;
  readonly toolStarts: number;
  /** The most memory of the whole process, Node and loader included; only where the input is large. */
  readonly mostMiB?: number;
}

export const look = (input: Readonly<Record<string, unknown>> = {}): Piece => ({ call: 'look', input });
export const looks = (run: ProbeTool['run'], more: Partial<ProbeTool> = {}) => ({
  look: { run, readOnly: true, ...more },
});
export const seen = looks(() => 'seen');

/** Calls once, then answers. */
export const lookOnce: ProbeModel = (call) => (call === 1 ? says(look()) : says({ answer: 'done' }));
export const lookAlways: ProbeModel = () => says(look());
export const neverDone: ProbeModel = (call) => says(look({ page: call }));
export const answers: ProbeModel = () => says({ answer: 'done' });

export const answered = (modelCalls: number, toolStarts: number): Expected => ({
  kind: 'answered',
  reason: 'final',
  answer: 'done',
  modelCalls,
  toolStarts,
});
export const stopped = (reason: string, modelCalls: number, toolStarts: number): Expected => ({
  kind: 'stopped',
  reason,
  modelCalls,
  toolStarts,
});
export const refused: Expected = { kind: 'refused', reason: 'invalid_option', modelCalls: 0, toolStarts: 0 };
