// #region trace-files
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { calculator } from 'fuseloop/tools';
import { readTrace, traceFile } from 'fuseloop/trace';

const path = join(mkdtempSync(join(tmpdir(), 'traces-')), 'run.jsonl');
const trace = traceFile(path, { onProblem: ({ message }) => console.error(message) });
await trace.ready(); // rejects where it cannot be written, before a run begins

const agent = createAgent({
  model: scriptedModel([
    'Thought: I calculate.\nAction: calculator\nAction Input: {"expression": "6 × 7"}',
    'Thought: I have it.\nFinal Answer: 42',
  ]),
  tools: { calculator },
  onEvent: trace.onEvent,
});
await agent.run('What is 6 × 7?');
const { events, dropped, problem } = await trace.close();
console.log(`${events} events written, ${dropped} dropped, problem: ${problem}`);

const reading = readTrace(path);
for await (const event of reading) if ('observation' in event) console.log(event.type, event.observation);
console.log(reading.notes);
// #endregion
