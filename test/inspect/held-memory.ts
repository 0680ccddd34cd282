/**
 * Runs in a process of its own (`--expose-gc`): many runs are shown by an inspector, and their memory is measured. Prints JSON: what
 * is held beyond what there was before, as a ratio to `mostBytes`.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createAgent } from '../../src/agent.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { createInspector } from '../../src/observe/inspect/inspector.ts';
import { returns } from '../shell/setup.ts';

const [page = '', kind = '', runs = ''] = process.argv.slice(2);
const mostBytes = 8_000_000;

const rows = () => Array.from({ length: 150 }, (_, id) => ({ id, half: id / 2, name: `x${id}`, list: [id, id, id] }));
const kinds: ReadonlyMap<string, { readonly steps: number; readonly output: () => unknown }> = new Map([
  ['rows', { steps: 10, output: rows }],
  ['texts', { steps: 5, output: () => 'x'.repeat(15_000) }],
  ['steps', { steps: 60, output: () => 'seen' }],
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

const inspector = await createInspector({ page, mostBytes });
await play(10, undefined);
const before = await heldBytes();
await play(Number(runs), inspector.onEvent);
const ratio = ((await heldBytes()) - before) / mostBytes;
console.log(JSON.stringify({ ratio, canMeasure: globalThis.gc !== undefined }));
await inspector.close();
