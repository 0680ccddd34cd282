/** The measured process of `observing.js`: node observing-process.js <none|empty|file|inspector> <steps> <warmMs> <measureMs> */
import { spawn } from 'node:child_process';
import { once as happens } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAgent, tool } from '../../dist/index.js';
import { createInspector } from '../../dist/inspect.js';
import { traceFile } from '../../dist/trace.js';
import { answer, budget, echo, echoSchema, instantModel, repliesOf, task } from './workload.js';

const [watcher, ...figures] = process.argv.slice(2);
const [steps, warmMs, measureMs] = figures.map(Number);
const folder = mkdtempSync(join(tmpdir(), 'fuseloop-bench-'));
const replies = repliesOf(steps);
const model = instantModel((step) => replies[step - 1]);
const tools = { echo: tool({ ...echo, inputSchema: echoSchema }) };
const unseen = { agent: createAgent({ model, budget, tools }), close: async () => ({ bytes: 0, dropped: 0 }) };
let written = { runs: 0, bytes: 0, dropped: 0 };

const inspected = watcher === 'inspector' ? await openInspected() : null;

/** Its reader is a process of its own, which reads the list and each run as it begins. */
async function openInspected() {
  const page = join(folder, 'page.html');
  writeFileSync(page, '<!doctype html>');
  const inspector = await createInspector({ page });
  const reader = spawn(
    process.execPath,
    [fileURLToPath(new URL('./observing-reader.js', import.meta.url)), inspector.url],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await happens(reader.stdout, 'data');
  // A turn of the event loop behind each run, in which its events go to the reader.
  const close = () => new Promise((resolve) => setImmediate(() => resolve({ bytes: 0, dropped: 0 })));
  return {
    watched: () => ({ agent: createAgent({ model, budget, tools, onEvent: inspector.onEvent }), close }),
    async end() {
      await inspector.close();
      reader.kill();
    },
  };
}

/** A file for each run, as a service has it; closing it is part of what it costs. */
function watched() {
  if (watcher === 'none') return unseen;
  if (inspected !== null) return inspected.watched();
  const file = watcher === 'file' ? traceFile(join(folder, 'run.jsonl'), { existing: 'replace' }) : null;
  const onEvent = file?.onEvent ?? (() => {});
  return { agent: createAgent({ model, budget, tools, onEvent }), close: file?.close ?? unseen.close };
}

async function once() {
  const { agent, close } = watched();
  const outcome = await agent.run(task);
  if (outcome.answer !== answer) throw new Error(`The run did not end as it should: ${outcome.stopReason}.`);
  const { bytes, dropped } = await close();
  written = { runs: written.runs + 1, bytes: written.bytes + bytes, dropped: written.dropped + dropped };
}

async function forMs(ms) {
  let runs = 0;
  for (const until = performance.now() + ms; performance.now() < until; runs++) await once();
  return runs;
}

try {
  await forMs(warmMs);
  const before = process.cpuUsage();
  const runs = await forMs(measureMs);
  const { user, system } = process.cpuUsage(before);
  const bytes = written.bytes / written.runs / steps;
  console.log(JSON.stringify({ cpuUs: (user + system) / runs / steps, bytes, dropped: written.dropped }));
} finally {
  await inspected?.end();
  rmSync(folder, { recursive: true, force: true });
}
