/**
 * What a store of a program's own hands over may be damaged anywhere: each value of each line in turn. The run is refused with
 * what is wrong, or goes on to an end; nothing hangs, and nothing is thrown where nobody hears of it.
 */
import { expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import { AgentError } from '../../src/core/errors.ts';
import type { JournalLine, Store } from '../../src/core/store.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { memoryStore } from '../../src/store.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, returns } from './setup.ts';

const runId = 'run';
const tools = {
  look: returns('seen', { readOnly: true }),
  send: returns('sent', { sideEffect: true, needsApproval: false }),
};
const replies = [act('look'), 'Just talk.', act('send', { to: 'a' }), answer('done')];

function agentOn(store: Store, clock: ReturnType<typeof virtualClock>) {
  const script = replies.map((text) => ({ text }));
  const model = scriptedModel([...script, ...script], { clock });
  return createAgent({ model, tools, store, clock });
}

async function storedLines(maxSteps: number): Promise<readonly JournalLine[]> {
  const clock = virtualClock();
  const store = memoryStore();
  await clock.until(agentOn(store, clock).run('the task', { runId, budget: { maxSteps } }));
  return (await store.read(runId)) ?? [];
}

type Path = readonly string[];

function pathsIn(value: unknown, above: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...above, key], ...pathsIn(inner, [...above, key])]);
}

function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === key ? changed(item, rest, to) : item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === key ? changed(inner, rest, to) : inner]),
  );
}

/** Null where it went on to its end. */
async function refusalOf(lines: unknown): Promise<string | null> {
  const clock = virtualClock();
  const memory = memoryStore();
  const open = async () => Object.assign(await memory.open(runId), { lines });
  try {
    const run = await clock.until(agentOn({ ...memory, open }, clock).resume(runId));
    await clock.until(run.outcome);
    return null;
  } catch (thrown) {
    if (thrown instanceof AgentError) return thrown.code;
    throw thrown;
  }
}

const refusals: readonly (string | null)[] = [null, 'invalid_journal', 'invalid_snapshot', 'invalid_option'];

it.each<[string, number, number]>([
  ['with its answer', 9, 0],
  ['with its answer, and without the line of its end', 9, 1],
  ['behind its last prompt', 9, 2],
  ['at its limit', 2, 0],
])('a run that is left %s', async (_how, maxSteps, without) => {
  const stored = await storedLines(maxSteps);
  const lines = stored.slice(0, stored.length - without);
  expect(await refusalOf(lines)).toBe(maxSteps === 2 ? 'invalid_option' : null);
  const met = new Set<string | null>();
  for (const path of pathsIn(JSON.parse(JSON.stringify(lines))))
    for (const to of [null, 2, {}]) {
      const code = await refusalOf(changed(lines, path, to));
      expect(refusals, `${path.join('.')} = ${JSON.stringify(to)}`).toContain(code);
      met.add(code);
    }
  expect(met.size).toBeGreaterThan(1);
});
