/** A small table of runs whose metrics are worked out by hand; used by the tests of the fold and of the command. */
import type { TraceEvent } from '../../src/core/trace.ts';
import { createAgent, tool } from '../../src/index.ts';
import { type ScriptEntry, scriptedModel, virtualClock } from '../../src/testing.ts';
import { anyInput } from '../shell/setup.ts';

const call = (
  name: string,
  input: { readonly [key: string]: string | number },
  [inputTokens, outputTokens] = [10, 2],
) => ({
  calls: [{ tool: name, input }],
  usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 },
});
const answer = { text: 'Done.', usage: { inputTokens: 20, outputTokens: 4, cachedInputTokens: 5 } };
const empty = { text: '', usage: { inputTokens: 10, outputTokens: 0 } };

/**
 * | run | steps | tokens | running time | ends with |
 * | --- | --- | --- | --- | --- |
 * | a | 2 | 12 + 24 = 36 | 100 ms | final |
 * | b | 3 | 12 + 12 + 24 = 48 | 200 + 200 ms | final; the second call repeats the first |
 * | c | 3 | 3 × 12 = 36 | 0 ms | tool_errors_exhausted |
 * | d | 3 | 3 × 12 = 36 | 0 ms | tool_errors_exhausted, as c but for names and numbers |
 * | e | 3 | 3 × 10 = 30 | 0 ms | violations_exhausted |
 */
export const scripts: { readonly [runId: string]: readonly ScriptEntry[] } = {
  a: [call('look', { ms: 100 }), answer],
  b: [call('look', { ms: 200 }), call('look', { ms: 200 }), answer],
  c: [1, 2, 3].map((n) => call('打开', { file: `a${n}` })),
  d: [4, 5, 6].map((n) => call('打开', { file: `<b>${n}` })),
  e: [empty, empty, empty],
};

export async function traceOf(runId: string, replies: readonly ScriptEntry[]): Promise<readonly TraceEvent[]> {
  const clock = virtualClock();
  const trace: TraceEvent[] = [];
  const agent = createAgent({
    model: scriptedModel(replies, { clock, name: 'small' }),
    clock,
    dialect: 'native',
    tools: {
      look: tool({
        inputSchema: anyInput,
        readOnly: true,
        execute: ({ ms }: { ms?: number }) => new Promise((resolve) => clock.setTimer(ms ?? 0, () => resolve('seen'))),
      }),
      打开: tool({
        inputSchema: anyInput,
        execute: ({ file }: { file?: string }) => {
          throw new Error(`cannot open "${file}" at line ${file?.length}`);
        },
      }),
      slow: tool({ inputSchema: anyInput, readOnly: true, execute: () => new Promise(() => {}), timeoutMs: 50 }),
    },
    onEvent: (event) => trace.push(event),
  });
  await clock.until(agent.start('task', { runId }).outcome);
  return trace;
}

/** All of them. */
export async function traces(): Promise<ReadonlyMap<string, readonly TraceEvent[]>> {
  const all = new Map<string, readonly TraceEvent[]>();
  for (const [runId, replies] of Object.entries(scripts)) all.set(runId, await traceOf(runId, replies));
  return all;
}
