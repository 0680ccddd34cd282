/**
 * Runs in a process of its own (`--expose-gc`): runs are shown by an inspector, and their memory is measured. Prints JSON: what is
 * held beyond what there was before, as a ratio to `mostBytes`, and how much was told in all, as one, too.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createAgent } from '../../src/agent.ts';
import type { Observer, TraceEvent } from '../../src/core/trace.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { createInspector } from '../../src/observe/inspect/inspector.ts';
import { returns } from '../shell/setup.ts';

const [page = '', kind = '', runs = ''] = process.argv.slice(2);
const mostBytes = 8_000_000;
/** Of one result: two of them are more than a run may hold. */
const hugeBytes = 3_000_000;

const rows = () => Array.from({ length: 150 }, (_, id) => ({ id, half: id / 2, name: `x${id}`, list: [id, id, id] }));
const kinds: ReadonlyMap<string, { readonly steps: number; readonly output: () => unknown }> = new Map([
  ['rows', { steps: 10, output: rows }],
  ['texts', { steps: 5, output: () => 'x'.repeat(15_000) }],
  ['steps', { steps: 60, output: () => 'seen' }],
  ['huge', { steps: 1, output: () => 'seen' }],
]);
const { steps, output } = kinds.get(kind) ?? { steps: 0, output: () => null };

async function play(count: number, onEvent: Parameters<typeof createAgent>[0]['onEvent']): Promise<void> {
  for (let index = 0; index < count; index++) {
    const replies = Array.from({ length: steps }, (_, n) => `Thought: x\nAction: look\nAction Input: {"n": ${n}}`);
    const model = scriptedModel([...replies, 'Thought: b\nFinal Answer: 42']);
    const budget = { maxSteps: 100, maxToolCalls: 100, maxTokens: 1_000_000_000 };
    const agent = createAgent({ model, tools: { look: returns(output()) }, onEvent: onEvent ?? [], budget });
    await agent.run('the task');
  }
}

async function heldBytes(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Tells a run with as many huge results in one turn: nothing else runs meanwhile. Gives what is held before the turn is over. */
async function heldWithinTurn(count: number, onEvent: Observer): Promise<{ held: number; told: number }> {
  const events: TraceEvent[] = [];
  await play(1, (event) => events.push(event));
  const before = await heldBytes();
  const run = { runId: 'huge' };
  let [told, sequence] = [0, 0];
  const tell = (event: TraceEvent) => onEvent({ ...event, sequence: sequence++ }, run);
  for (const event of events) {
    tell(event);
    if (event.type !== 'call.settled') continue;
    for (let index = 0; index < count; index++) {
      const observation = `${index} `.padEnd(hugeBytes, 'x');
      told += observation.length;
      tell({ ...event, observation });
    }
  }
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { held: heapUsed + external - before, told };
}

const inspector = await createInspector({ page, mostBytes });
if (kind === 'huge') {
  const { held, told } = await heldWithinTurn(Number(runs), inspector.onEvent);
  console.log(
    JSON.stringify({ ratio: held / mostBytes, told: told / mostBytes, canMeasure: globalThis.gc !== undefined }),
  );
} else {
  await play(10, undefined);
  const before = await heldBytes();
  await play(Number(runs), inspector.onEvent);
  const ratio = ((await heldBytes()) - before) / mostBytes;
  console.log(JSON.stringify({ ratio, canMeasure: globalThis.gc !== undefined }));
}
await inspector.close();
