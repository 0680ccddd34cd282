/** Lines of journals that are well formed, for stores that look at nothing but lines. */

import type { JsonValue } from '../../src/core/json.ts';
import type { CallRef } from '../../src/core/outcome.ts';
import type { RunLimits, Snapshot } from '../../src/core/snapshot.ts';
import type { CheckpointLine, JournalEventLine, JournalLine } from '../../src/core/store.ts';

const limits: RunLimits = {
  maxSteps: 12,
  maxTokens: 300_000,
  wallClockMs: 180_000,
  maxToolCalls: 100,
  maxViolations: 3,
  maxToolErrors: 3,
  loopGuard: null,
  maxParallel: 8,
  maxEmptyResults: null,
  modelRetries: 2,
  checksAnswer: false,
};
const tokens = { inputTokens: 0, outputTokens: 0, estimated: true };
/** The first line is written at `startMs`; each that follows 1,000 later. */
export const startMs = 1_790_000_000_000;

const place = (sequence: number) => ({ sequence, state: { ACTION: 'running' }, wallMs: startMs + sequence * 1_000 });

export function started(runId: string, { task = 'Look.', wallMs = startMs } = {}): JournalEventLine {
  return {
    ...place(0),
    wallMs,
    type: 'run.started',
    format: 'fuseloop.journal/1',
    runId,
    task,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: task },
    ],
    limits,
    machineHash: 'hash',
    model: { provider: 'scripted', name: 'model' },
    dialect: 'labelled',
    tools: ['search'],
    policy: null,
  };
}

export function settled(sequence: number, output: JsonValue = null, observation = 'done'): JournalEventLine {
  return {
    ...place(sequence),
    type: 'call.settled',
    step: 1,
    atMs: sequence * 1_000,
    callId: '1.1',
    result: 'succeeded',
    observation,
    output,
    resultKey: 'result',
    startedAtMs: 1,
  };
}

export function ended(sequence: number, stopReason = 'final', waiting?: readonly CallRef[]): JournalEventLine {
  return { ...place(sequence), type: 'run.ended', stopReason, ...(waiting === undefined ? {} : { waiting }) };
}

/** A run of so many lines, from the first. */
export function runOf(runId: string, count: number): JournalLine[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? started(runId) : settled(index, index)));
}

export function checkpoint(runId: string, sequence: number, change: Partial<Snapshot> = {}): CheckpointLine {
  const snapshot: Snapshot = {
    format: 'fuseloop.snapshot/1',
    machineHash: 'hash',
    runId,
    task: 'Look.',
    tools: ['search'],
    state: { THOUGHT: 'reasoning' },
    context: {
      ...{ limits, tokens, calls: [], effects: [], window: [] },
      ...{ atMs: 5, step: 2, attempt: 1, askAtMs: 0, nestedSteps: 0, toolCalls: 1 },
      ...{ violations: 0, violationsInRow: 0, toolErrorsInRow: 0, emptyInRow: 0, violation: null },
      ...{ answer: null, proposed: null, approvalUntilMs: null, loop: 'none', stopReason: null, failure: null },
    },
    history: { messages: [{ role: 'user', content: 'Look.' }], steps: [], open: null },
    atMs: 5,
    startedAtMs: startMs,
    sequence,
    modelCalls: 2,
    ...change,
  };
  return { type: 'checkpoint', format: 'fuseloop.journal/1', wallMs: startMs + sequence * 1_000, snapshot };
}

/** A value that a careless store would change: names that objects have, half characters, a zero, Chinese. */
export const oddValue: JsonValue = JSON.parse(
  '{"__proto__":{"polluted":true},"constructor":1,"half":"\\ud800 and \\udc00","zero":"a\\u0000b","思考":"🙂 “结果”\\u2028","":[]}',
);

/** Ids that are bad names of files, or that a careless store would take for each other. */
export const oddIds = [
  ...['a/b', '../up', '..', '.', 'con', 'NUL.txt', 'C:\\runs\\1', 'a:b*c?<d>|"e"', ' ends with a space ', 'dot.'],
  ...['Case', 'case', 'CASE', '思考 🙂', '__proto__', 'constructor', 'a\u0000b', 'a\nb', '%2e%2e', "it's", 'a\\nb'],
  ...['\ud800', '\udc00', '\ufffd', 'é', 'e\u0301', 'x'.repeat(1_000), 'x'.repeat(1_001)],
];
