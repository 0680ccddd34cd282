/** Another process that goes on with a run when it is told, says whether it got it, and ends it when it is told. */
import { once } from 'node:events';
import { AgentError, type Run } from '../../src/index.ts';
import { fileStore, sqliteStore } from '../../src/store.ts';
import { isAllowed, runId, scriptedRun } from './scripted-run.ts';

const [kind, path = '', effects = ''] = process.argv.slice(2);
const store = kind === 'sqlite' ? sqliteStore(path) : fileStore(path);
const { agent } = scriptedRun({ store, effects, life: { started() {}, done() {} }, onEvent: ask });
let run: Run | null = null;

process.send?.('ready');
await once(process, 'message');
try {
  run = await agent.resume(runId);
  process.send?.('held');
  await once(process, 'message');
  decide();
  const { stopReason } = await run.outcome;
  process.send?.(stopReason);
} catch (error) {
  process.send?.(error instanceof AgentError ? error.code : String(error));
}
await store.close();
process.disconnect();

/** The first call is decided when it is told. */
function ask({ type }: { readonly type: string }): void {
  if (type === 'approval.asked') setImmediate(decide);
}

function decide(): void {
  for (const { callId, input, status } of run?.snapshot().context.calls ?? [])
    if (status === 'asking') isAllowed(input) ? run?.approve(callId) : run?.deny(callId);
}
