import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'fuseloop-spilled-'));
process.chdir(folder);

// #region spilled
import { readdirSync, readFileSync } from 'node:fs';
import { createAgent } from 'fuseloop';
import { blobFiles, fileStore, spilled } from 'fuseloop/store';
import { scriptedModel } from 'fuseloop/testing';

const store = spilled(fileStore('runs'), blobFiles('contents'), { overBytes: 0 }); // 0: all contents
const model = scriptedModel(['Thought: I know it.\nFinal Answer: The code is 4711.']);
await createAgent({ model, store }).run('What is the code?', { runId: 'question-1' });
await store.close();

console.log(readFileSync('runs/question-1.jsonl', 'utf8').includes('4711'));
console.log(readdirSync('contents'));
console.log(
  (await store.read('question-1'))?.some((line) => line.type === 'reply.ended' && line.answer?.includes('4711')),
);
// #endregion

process.chdir(tmpdir());
rmSync(folder, { recursive: true });
