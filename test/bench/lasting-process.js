/**
 * The measured process of what storing costs. It is started fresh for each figure, and prints one line of JSON.
 *
 *   node lasting-process.js loop <none|memory|file> <steps> <warmMs> <measureMs>
 *   node --expose-gc lasting-process.js suspended <held|memory|file> <runs>
 *   node --expose-gc lasting-process.js finished <none|memory|file> <runs>
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, tool } from '../../dist/index.js';
import { fileStore, memoryStore } from '../../dist/store.js';
import { median } from './statistics.js';
import { answer, budget, callReply, echo, echoSchema, instantModel, repliesOf, task } from './workload.js';

const [what, where, ...figures] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'fuseloop-bench-'));
const store = { memory: memoryStore, file: () => fileStore(folder) }[where]?.() ?? null;
try {
  const measure = { loop, suspended, finished }[what];
  console.log(JSON.stringify(await measure(...figures.map(Number))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function agentWith(model, marks = {}) {
  const tools = { echo: tool({ ...echo, ...marks, inputSchema: echoSchema }) };
  return createAgent({ model, budget, tools, ...(store === null ? {} : { store }) });
}

/** Microseconds of CPU a step, the median over runs, and the bytes that a step leaves in the store. */
async function loop(steps, warmMs, measureMs) {
  const replies = repliesOf(steps);
  const agent = agentWith(instantModel((step) => replies[step - 1]));
  let run = 0;
  const once = async () => {
    const runId = `run-${run++}`;
    const outcome = await agent.run(task, { runId });
    if (!outcome.ok || outcome.answer !== answer || outcome.steps.length !== steps)
      throw new Error(`The run did not end as it should: ${outcome.stopReason} after ${outcome.steps.length} steps.`);
    return runId;
  };
  const first = await once();
  const bytes = await storedBytes(first);
  for (const untilMs = performance.now() + warmMs; performance.now() < untilMs; ) await store?.delete(await once());
  const taken = [];
  for (const untilMs = performance.now() + measureMs; taken.length < 3 || performance.now() < untilMs; ) {
    const before = process.cpuUsage();
    const runId = await once();
    const { user, system } = process.cpuUsage(before);
    taken.push((user + system) / steps);
    await store?.delete(runId);
  }
  return { cpuUs: median(taken), bytes: bytes / steps };
}

async function storedBytes(runId) {
  if (where === 'file') return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const runs = (await store?.list()) ?? [];
  return runs.find((run) => run.runId === runId)?.bytes ?? 0;
}

/** KiB of heap for each run that waits for a person: its outcome held, or stored and nothing held. */
async function suspended(runs) {
  const agent = agentWith(
    instantModel(() => callReply(Math.floor(Math.random() * 1e9))),
    { needsApproval: true },
  );
  const suspend = async () => {
    const outcome = await agent.run(task);
    if (outcome.stopReason !== 'suspended') throw new Error(`The run did not suspend: ${outcome.stopReason}.`);
    return where === 'held' ? outcome : null;
  };
  for (let index = 0; index < 200; index++) await suspend();
  const held = new Array(runs).fill(null);
  const before = await heapBytes();
  for (let index = 0; index < runs; index++) held[index] = await suspend();
  const kib = ((await heapBytes()) - before) / runs / 1_024;
  const stored = (await store?.list({ status: ['suspended'], limit: runs + 200 }))?.length ?? held.length + 200;
  if (stored !== runs + 200) throw new Error(`${stored} runs are kept of ${runs + 200}.`);
  return { kib };
}

/** Bytes of heap for each run that has ended and left the store: what it leaves behind. */
async function finished(runs) {
  const replies = repliesOf(3);
  const agent = agentWith(instantModel((step) => replies[step - 1]));
  const once = async (index) => {
    const runId = `run-${index}`;
    const outcome = await agent.run(task, { runId });
    if (!outcome.ok) throw new Error(`The run did not end as it should: ${outcome.stopReason}.`);
    await store?.delete(runId);
  };
  for (let index = 0; index < Math.min(runs, 2_000); index++) await once(index);
  const before = await heapBytes();
  for (let index = 0; index < runs; index++) await once(index);
  return { bytes: ((await heapBytes()) - before) / runs };
}

async function heapBytes() {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}
