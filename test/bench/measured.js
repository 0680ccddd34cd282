/**
 * The measured process. It is started fresh for each figure, does one thing, and prints one line of JSON.
 *
 *   node measured.js loop <library|plain> <steps> <warmSteps> <warmMs> <measureMs>
 *   node --expose-gc measured.js heap <suspended|live> <runs>
 */

import { median } from './statistics.js';
import { answer, budget, callReply, echo, echoSchema, instantModel, plainTools, repliesOf, task } from './workload.js';

const [what, which, ...figures] = process.argv.slice(2);
const measure = { loop, heap }[what];
console.log(JSON.stringify(await measure(which, ...figures.map(Number))));
process.exit(0); // Runs that wait for a person hold timers.

/**
 * Microseconds a step, as the median over slices of the time. CPU time is of the whole process, garbage collection and
 * compilation included: it hardly notices what else the machine does. Wall time shows that nothing is waited for.
 */
async function loop(side, steps, warmSteps, warmMs, measureMs) {
  const replies = repliesOf(steps);
  const model = instantModel((step) => replies[step - 1]);
  const run = side === 'library' ? await libraryRun(model) : await plainRun(model);
  check(await run(), steps);
  await warmUp(run, warmSteps / steps, warmMs);
  const slices = [];
  for (const untilMs = performance.now() + measureMs; performance.now() < untilMs; )
    slices.push(await slice(run, measureMs / 8));
  return {
    cpuUs: median(slices.map(({ cpuUs }) => cpuUs)) / steps,
    wallUs: median(slices.map(({ wallUs }) => wallUs)) / steps,
  };
}

/** The compiler needs some ten thousand steps before the figures stand still. */
async function warmUp(run, runs, longestMs) {
  const startMs = performance.now();
  for (let done = 0; done < runs && performance.now() - startMs < longestMs; done++) await run();
}

/** Microseconds a run, over as many runs as fit into the time, and at least one. */
async function slice(run, sliceMs) {
  const startMs = performance.now();
  const before = process.cpuUsage();
  let runs = 0;
  let passedMs = 0;
  while (passedMs < sliceMs) {
    await run();
    runs++;
    passedMs = performance.now() - startMs;
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuUs: (user + system) / runs, wallUs: (passedMs * 1_000) / runs };
}

/** A figure of something that did not do its work would be worth nothing. */
function check(outcome, steps) {
  if (outcome.ok && outcome.answer === answer && outcome.steps.length === steps) return;
  throw new Error(`The run did not end as it should: ${outcome.stopReason} after ${outcome.steps.length} steps.`);
}

async function plainRun(model) {
  const { runPlainLoop } = await import('./plain-loop.js');
  return () => runPlainLoop({ model, tools: plainTools, task, budget });
}

async function libraryRun(model, marks = {}) {
  const agent = await libraryAgent(model, marks);
  return () => agent.run(task);
}

async function libraryAgent(model, marks) {
  const { createAgent, tool } = await import('../../dist/index.js');
  return createAgent({ model, budget, tools: { echo: tool({ ...echo, ...marks, inputSchema: echoSchema }) } });
}

/** KiB of heap for a run that waits for a person: as its outcome, or as the run itself. */
async function heap(kind, runs) {
  const model = instantModel(() => callReply(Math.floor(Math.random() * 1e9)));
  const agent = await libraryAgent(model, { needsApproval: true });
  const hold = kind === 'suspended' ? () => suspendedRun(agent) : () => waitingRun(agent);
  for (let index = 0; index < 200; index++) await hold();
  const held = new Array(runs).fill(null);
  const before = heapBytes();
  for (let index = 0; index < runs; index++) held[index] = await hold();
  const bytes = heapBytes() - before;
  if (held.includes(null)) throw new Error('A run is missing.');
  return { kib: bytes / runs / 1_024, runs };
}

async function suspendedRun(agent) {
  const outcome = await agent.run(task);
  if (outcome.stopReason !== 'suspended') throw new Error(`The run did not suspend: ${outcome.stopReason}.`);
  return outcome;
}

async function waitingRun(agent) {
  const run = agent.start(task);
  for await (const event of run) if (event.type === 'approval.asked') return run;
  throw new Error('The run did not ask anybody.');
}

function heapBytes() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
