import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'fuseloop-'));
process.chdir(folder);

// #region record-replay
import { createAgent, type TraceEvent } from 'fuseloop';
import { record, replay, replayTrace } from 'fuseloop/record';
import { scriptedModel } from 'fuseloop/testing';
import { calculator } from 'fuseloop/tools';

const real = scriptedModel([
  'Thought: I calculate it.\nAction: calculator\nAction Input: {"expression": "17 * 3"}',
  'Thought: I have it.\nFinal Answer: 51',
]); // or openai({ model: 'gpt-4o-mini' })

const model = record(real, 'sum.jsonl', { redact: [{ env: 'OPENAI_API_KEY' }] });
const trace: TraceEvent[] = []; // or a file: fuseloop run --trace FILE
await createAgent({ model, tools: { calculator }, onEvent: (event) => trace.push(event) }).run('17 times 3?');
await model.close();

const again = await createAgent({ model: replay('sum.jsonl'), tools: { calculator } }).run('17 times 3?');
console.log('again:', again.ok && again.answer);

const other = await createAgent({ model: replay('sum.jsonl'), tools: { calculator } }).run('17 times 4?');
console.log('other:', other.ok ? other.answer : other.error?.message);

// In a test: expect((await replayTrace(trace, { tools })).differences).toEqual([]);
const { agreed, compared } = await replayTrace(trace, { tools: { calculator } });
console.log('trace:', agreed, 'of', compared, 'events agree');

const changed = await replayTrace(trace, { tools: { calculator }, budget: { maxSteps: 1 } });
for (const { step, message } of changed.differences) console.log('changed: step', step, message);
// #endregion
process.chdir(home);
rmSync(folder, { recursive: true });
