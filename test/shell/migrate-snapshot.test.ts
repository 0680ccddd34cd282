/** Snapshots that earlier versions took, as they were written then, are gone on with today. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createReactMachine } from '../../machines/react.machine.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import type { Run } from '../../src/run.ts';
import { shippedHash } from '../../src/shell/migrate-snapshot.ts';
import { createPort } from '../../src/step.ts';
import { memoryStore } from '../../src/store.ts';
import { tool } from '../../src/tool.ts';
import { answer, setup } from './setup.ts';

function fixture(name: string): Snapshot {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
}

function agentOf(agent: Partial<AgentOptions> = {}) {
  const sent: string[] = [];
  const tools = {
    look: tool({ inputSchema: z.object({ n: z.number() }), readOnly: true, execute: ({ n }) => n }),
    send: tool({
      inputSchema: z.object({ to: z.string() }),
      sideEffect: true,
      execute: ({ to }) => {
        sent.push(to);
        return 'sent';
      },
    }),
  };
  return { ...setup({ replies: [answer('ok')], tools, agent }), sent };
}

describe('a snapshot of an earlier version', () => {
  it.each<[string, (run: Run) => void, { readonly sent: readonly string[]; readonly unknown: number }]>([
    ['before-retries-waiting', (run) => run.approve('2.1'), { sent: ['a'], unknown: 0 }],
    ['before-retries-waiting', (run) => run.deny('2.1'), { sent: [], unknown: 0 }],
    ['before-retries-reading', () => {}, { sent: [], unknown: 0 }],
    ['before-retries-in-flight', () => {}, { sent: [], unknown: 1 }],
    ['before-stores-waiting', (run) => run.approve('2.1'), { sent: ['a'], unknown: 0 }],
  ])('%s', async (name, decide, expected) => {
    const { agent, clock, sent, model } = agentOf();
    const run = agent.resume(fixture(name));
    decide(run);
    const outcome = await clock.until(run.outcome);
    expect(outcome).toMatchObject({ ok: true, answer: 'ok', runId: `from-${name}` });
    expect(outcome.steps.map(({ number }) => number)).toEqual(name.endsWith('reading') ? [1, 2] : [1, 2, 3]);
    expect({ sent, unknown: outcome.unknown.length }).toEqual(expected);
    expect(model.requests[0]?.messages.some(({ content }) => content.includes('"天气":"晴"'))).toBe(true);
  });

  it.each(['before-retries-waiting', 'before-stores-waiting'])('is taken from a store: %s', async (name) => {
    const snapshot = fixture(name);
    const { runId, sequence, state } = snapshot;
    const store = memoryStore();
    const { agent, clock, sent } = agentOf({ store });
    const held = await store.open(runId);
    await held.replace([
      { type: 'checkpoint', format: 'fuseloop.journal/1', wallMs: 1, snapshot },
      { type: 'run.ended', stopReason: 'suspended', sequence, state, wallMs: 1 },
    ]);
    await held.release();
    const run = await agent.resume(runId);
    run.approve('2.1');
    expect(await clock.until(run.outcome)).toMatchObject({ ok: true, answer: 'ok' });
    expect(sent).toEqual(['a']);
    expect(await store.list()).toMatchObject([{ runId, status: 'ended', stopReason: 'final' }]);
  });

  it('is damaged like any other', () => {
    const snapshot = fixture('before-retries-waiting');
    const broken: JsonValue = JSON.parse(JSON.stringify({ ...snapshot, context: { ...snapshot.context, step: -1 } }));
    expect(() => Reflect.apply(agentOf().agent.resume, undefined, [broken])).toThrow('context.step is -1');
  });

  it('is not for a machine of the user', () => {
    const config = { ...createReactMachine().config, description: 'mine' };
    const machine = Object.assign(Object.create(createReactMachine()), { config });
    const { agent } = setup({ replies: [], agent: { machine } });
    expect(() => agent.resume(fixture('before-retries-waiting'))).toThrow(/taken from another version of the machine/);
  });
});

it('of a version that is not known it is refused, with both hashes', () => {
  const snapshot = { ...fixture('before-retries-waiting'), machineHash: 'someOther' };
  expect(() => agentOf().agent.resume(snapshot)).toThrow(`"someOther"; this is ${shippedHash}`);
});

it('the newest version that is known is the machine that ships: who changes it adds a step and a fixture', () => {
  expect(createPort().machineHash).toBe(shippedHash);
});
