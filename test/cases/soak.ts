/** The same case many times with one agent, as a server runs it, and the heap after each collection. */
import { type AgentOptions, createAgent, type Model, type Outcome } from '../../src/index.ts';
import { type ScriptEntry, scriptedModel } from '../../src/testing.ts';
import { realTime } from './case-clock.ts';
import { endingOf, type Facts, noFacts } from './facts.ts';
import type { Case, Given } from './format.ts';
import { agentOptionsOf, missingParts } from './options.ts';
import { scriptOf } from './replies.ts';
import { createSeen, type Seen } from './seen.ts';
import { task } from './task.ts';
import { toolsOf } from './tools.ts';

export async function soak(one: Case, { runs, gcBetween = 100 }: NonNullable<Given['soak']>): Promise<Facts> {
  const seen = createSeen();
  const agent = createAgent(optionsOf(one, seen));
  const heap: { runs: number; bytes: number }[] = [];
  let last: Outcome | null = null;
  for (let run = 1; run <= runs; run++) {
    // What was noted of the runs before is the runner's own, and would count as growth.
    seen.calls.length = 0;
    seen.effects.length = 0;
    last = await agent.run(task);
    if (run % gcBetween === 0) heap.push({ runs: run, bytes: collected() });
  }
  if (last === null) throw new Error('a soak of no runs');
  const calls = seen.calls.map(({ isAborted, ...call }) => ({ ...call, signalAborted: isAborted() }));
  return { ...noFacts, missing: missingParts(one), ending: endingOf(last), calls, modelCalls: last.usage.steps, heap };
}

function optionsOf(one: Case, seen: Seen): AgentOptions {
  const life = { alive: true, clock: realTime(), onToolStart: () => {} };
  const options = agentOptionsOf(one);
  return { ...options, model: endless(scriptOf(one)), tools: toolsOf(one, seen, life, null)() };
}

/** Each run begins the script anew: the step says which reply is due. */
function endless(script: readonly ScriptEntry[]): Model {
  return {
    provider: 'scripted',
    name: 'script',
    generate: (request) => scriptedModel(script.slice(request.step - 1)).generate(request),
  };
}

/** Needs `--expose-gc`. Twice, because finalizers let go of more. */
function collected(): number {
  if (globalThis.gc === undefined) throw new Error('a soak needs a process with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
