/** statelyInspect against @statelyai/inspect 0.7 as it is, over real sockets. */
import { createWebSocketReceiver } from '@statelyai/inspect';
import { createInspectorServer } from '@statelyai/inspect/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { assign, createActor, setup as setupMachine } from 'xstate';
import type { TraceEvent } from '../../src/core/trace.ts';
import { type StatelyInspect, type StatelyMessage, type StatelyOptions, statelyInspect } from '../../src/inspect.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';
import { eventually, freePort, program, type Relay, relay } from './sockets.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function opened(behave?: (socket: WebSocket) => void): Promise<Relay> {
  const one = await relay(behave);
  open.push(one.close);
  return one;
}

/** What a receiver of the package is given, as plain data. */
async function receiving(between: Relay): Promise<StatelyMessage[]> {
  const seen: StatelyMessage[] = [];
  createWebSocketReceiver({ server: between.url }).subscribe((message: unknown) => {
    seen.push(JSON.parse(JSON.stringify(message)));
  });
  await eventually(() => expect(between.sockets).toHaveLength(1));
  return seen;
}

const replies = [act('look'), answer('42')];
const valuesIn = (seen: readonly StatelyMessage[], id: string) =>
  seen.flatMap((one) => (one.type === '@xstate.snapshot' && one.sessionId === id ? [one.snapshot.value] : []));

function shown(options: StatelyOptions, more: Partial<Parameters<typeof setup>[0]> = {}) {
  const stately = statelyInspect(options);
  open.push(() => stately.close());
  const trace: TraceEvent[] = [];
  const all = setup({ replies, ...more, agent: { onEvent: [(event) => trace.push(event), stately.onEvent] } });
  return { ...all, stately, trace };
}

describe('a run without an actor', () => {
  it('is the machine in the receiver, in the states of its trace', async () => {
    const between = await opened();
    const seen = await receiving(between);
    const { run, trace, stately } = shown({ url: between.url });
    expect(await run({ runId: 'run-1' })).toMatchObject({ ok: true });
    await stately.close();
    await eventually(() => expect(valuesIn(seen, 'run-1')).toHaveLength(trace.length + 2));

    expect(seen[0]).toMatchObject({ type: '@xstate.actor', sessionId: 'run-1', name: 'react', _version: '0.7.2' });
    const definition = JSON.parse(seen[0]?.type === '@xstate.actor' ? seen[0].definition : '');
    expect(Object.keys(definition.states)).toEqual(['OBSERVATION', 'THOUGHT', 'ACTION', 'FINAL', 'ERROR']);
    expect(definition.states.ACTION.states.running.on['call.settled'][0]).toMatchObject({ guard: 'readMayJoin' });
    const values = valuesIn(seen, 'run-1');
    expect(values.filter((value) => value !== 'OBSERVATION')).toEqual(trace.map(({ state }) => state));
    const moves = values.filter((value, index) => JSON.stringify(value) !== JSON.stringify(values[index - 1]));
    expect(moves).toEqual([
      { THOUGHT: 'reasoning' },
      { THOUGHT: 'calling' },
      { ACTION: 'gating' },
      { ACTION: 'running' },
      'OBSERVATION',
      { THOUGHT: 'reasoning' },
      { THOUGHT: 'answering' },
      'OBSERVATION',
      'FINAL',
    ]);
    expect(seen.at(-1)).toMatchObject({
      snapshot: { status: 'done', context: { runId: 'run-1', step: 2, answer: '42' } },
    });
    expect(stately.dropped).toBe(0);
  });

  it('passes the server of the package, and an agent that is a tool is inside', async () => {
    const port = await freePort();
    const server = createInspectorServer({ port, autoOpen: false });
    open.push(() => server.stop());
    const inner = setup({ replies: [answer('blue')] });
    const seen: StatelyMessage[] = [];
    const tools = { ask: inner.agent.asTool({ description: 'Knows colours.' }) };
    const { run, stately, clock } = shown(
      { url: `ws://127.0.0.1:${port}` },
      { replies: [act('ask', { task: 'Which?' }), answer('42')], tools },
    );
    expect(clock.armed).toBe(0);
    await run({ runId: 'outer' });
    await stately.close();
    createWebSocketReceiver({ server: `ws://127.0.0.1:${port}` }).subscribe((one) => {
      seen.push(JSON.parse(JSON.stringify(one)));
    });
    await eventually(() => expect(seen.at(-1)).toMatchObject({ sessionId: 'outer', snapshot: { status: 'done' } }));
    const actors = seen.filter(({ type }) => type === '@xstate.actor');
    expect(actors.map(({ sessionId }) => sessionId)).toEqual(['outer', expect.stringMatching(/^outer\//)]);
    expect(actors[1]).toMatchObject({ parentId: 'outer', rootId: 'outer' });
    expect(valuesIn(seen, actors[1]?.sessionId ?? '').at(-1)).toBe('FINAL');
  });
});

describe('an actor system', () => {
  it('is shown as of the moment, without what nobody meant to show', async () => {
    const seen: StatelyMessage[] = [];
    const stately = statelyInspect({ send: (message) => seen.push(message) });
    const { agent, clock } = setup({ replies });
    const odd: { [name: string]: unknown } = { count: 0, big: 10n, call: () => {}, text: 'x'.repeat(1_000_000) };
    odd.self = odd;
    odd.header = 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345';
    const machine = setupMachine({
      types: { context: {} as { odd: typeof odd; outcome: unknown } },
      actors: { agent: agent.logic },
    }).createMachine({
      id: 'host',
      context: { odd, outcome: null },
      initial: 'working',
      states: {
        working: {
          invoke: {
            id: 'agent',
            src: 'agent',
            input: { task: 'the task', context: { note: 'of the host' } },
            onDone: { target: 'done', actions: assign({ outcome: ({ event }) => event.output.ok }) },
          },
        },
        done: {},
      },
    });
    const host = createActor(machine, { inspect: stately.inspect }).start();
    odd.count = 1;
    await clock.calm();
    expect(host.getSnapshot().value).toBe('done');

    const [outer, inner] = seen.filter(({ type }) => type === '@xstate.actor');
    expect(outer).toMatchObject({ name: 'host', definition: expect.stringContaining('"working"') });
    expect(inner).toMatchObject({ name: 'agent', parentId: outer?.sessionId, rootId: outer?.sessionId });
    expect(inner).toMatchObject({ definition: expect.stringContaining('"checkingAnswer"') });
    const values = valuesIn(seen, inner?.sessionId ?? '');
    expect(values).toEqual(expect.arrayContaining([{ ACTION: 'running' }, 'OBSERVATION', 'FINAL']));
    const [first, ...later] = seen.filter(
      (one) => one.type === '@xstate.snapshot' && one.sessionId === outer?.sessionId,
    );
    expect(first).toMatchObject({ snapshot: { value: 'working', context: { odd: { count: 0, big: '10' } } } });
    expect(later.at(-1)).toMatchObject({ snapshot: { value: 'done', context: { odd: { count: 1 }, outcome: true } } });
    const text = JSON.stringify(seen);
    expect(text.includes('of the host')).toBe(false);
    expect(text.includes('abcdefghijklmnopqrstuvwxyz')).toBe(false);
    expect(Math.max(...seen.map((one) => JSON.stringify(one).length))).toBeLessThan(100_000);
    expect(stately.dropped).toBe(0);
  });
});

describe('a receiver', () => {
  const faults: { readonly [fault: string]: () => Promise<StatelyOptions> } = {
    'is not there': async () => ({ url: `ws://127.0.0.1:${await freePort()}` }),
    'closes at once': async () => ({ url: (await opened((socket) => socket.terminate())).url }),
    'sends garbage without end': async () => ({
      url: (
        await opened((socket) => {
          for (let n = 0; n < 2_000; n++) socket.send(n % 2 === 0 ? '{"type":' : Buffer.from([0xff, n % 256]));
        })
      ).url,
    }),
    'never reads': async () => ({ url: (await opened((socket) => socket.pause())).url }),
    'is a function that throws': async () => ({
      send: () => {
        throw new Error('a receiver');
      },
    }),
    'is a function that refuses': async () => ({ send: () => Promise.reject(new Error('a receiver')) }),
    'is a function that hangs': async () => ({ send: () => new Promise(() => {}) }),
    'is a socket that cannot be made': async () => ({
      WebSocket: class {
        readonly bufferedAmount = 0;
        onopen = null;
        onclose = null;
        onerror = null;
        constructor() {
          throw new Error('no socket');
        }
        send() {}
        close() {}
      },
    }),
  };

  it.each(Object.entries(faults))('that %s changes neither outcome nor time', async (_fault, make) => {
    const tools = { look: returns('seen') };
    const slow = [
      { text: act('look'), delayMs: 1_500 },
      { text: answer('42'), delayMs: 700 },
    ];
    const alone = setup({ replies: slow, tools });
    const expected = await alone.run({ runId: 'run-1' });
    const { run, clock, stately } = shown(await make(), { replies: slow, tools });
    expect(await run({ runId: 'run-1' })).toEqual(expected);
    expect(clock.monotonicMs()).toBe(alone.clock.monotonicMs());
    expect(clock.armed).toBe(0);
    await stately.close();
  });

  it('that never reads costs a bounded queue: what is too much is dropped and counted', async () => {
    const between = await opened((socket) => socket.pause());
    const stately = statelyInspect({ url: between.url, maxMessages: 50 });
    open.push(() => stately.close());
    const event = asked('y'.repeat(20_000));
    stately.onEvent(event, { runId: 'run-1' });
    await eventually(() => expect(between.sockets).toHaveLength(1));
    for (let round = 0; round < 60; round++) {
      for (let n = 0; n < 50; n++) stately.onEvent(event, { runId: 'run-1' });
      await new Promise(setImmediate);
    }
    expect(stately.dropped).toBeGreaterThan(100);
  });

  it('that went away is told what is there when it is back', async () => {
    const first = await relay();
    const port = Number(new URL(first.url).port);
    const stately = statelyInspect({ url: first.url });
    open.push(() => stately.close());
    stately.onEvent(asked('one'), { runId: 'run-1' });
    await eventually(() => expect(first.sockets).toHaveLength(1));
    await first.close();
    const heard: { type: string; sessionId: string; snapshot?: unknown }[] = [];
    const second = await relay(
      (socket) => socket.on('message', (data) => heard.push(JSON.parse(data.toString()))),
      port,
    );
    open.push(second.close);
    await eventually(() => {
      stately.onEvent(asked('two'), { runId: 'run-1' });
      expect(heard.length).toBeGreaterThan(1);
    });
    expect(heard[0]).toMatchObject({ type: '@xstate.actor', sessionId: 'run-1', snapshot: { status: 'active' } });
  });
});

function asked(text: string): TraceEvent {
  const added = [{ role: 'user' as const, content: text }];
  return {
    ...{ type: 'prompt.sent', step: 1, promptTokens: 1, messages: 1, added, atMs: 0 },
    ...{ sequence: 1, state: { THOUGHT: 'reasoning' }, wallMs: 0 },
  };
}

describe('the process', () => {
  it.each([
    ['nobody listens', async () => `ws://127.0.0.1:${await freePort()}`],
    ['somebody does', async () => (await opened()).url],
  ])('ends by itself where %s', async (_who, make) => {
    const url = await make();
    const code = `
      import { statelyInspect, xstateInspectBridge } from './src/inspect.ts';
      const stately = statelyInspect({ url: '${url}' });
      const bridge = xstateInspectBridge({ port: 0 });
      const event = ${JSON.stringify(asked('one'))};
      for (const { onEvent } of [stately, bridge]) onEvent(event, { runId: 'run-1' });
      void bridge.ready.then(() => setTimeout(() => console.log('true'), 100));`;
    const { ended, lines, stderr } = program(['--import', 'tsx', '--input-type=module', '--eval', code]);
    expect({ code: await ended, lines, stderr: stderr() }).toEqual({ code: 0, lines: [true], stderr: '' });
  });
});

describe('options', () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [{ url: 'http://localhost:8080' }, 'ws://'],
    [{ url: 7 }, 'ws://'],
    [{ maxMessages: 0 }, 'whole number'],
    [{ send: 'no' }, 'one message'],
    [{ machine: {} }, 'createReactMachine'],
    [{ adress: 'ws://localhost' }, 'Known: url'],
    [null, 'takes an object'],
  ];
  it.each(wrong)('%j is refused', (options, hint) => {
    const make: (options: never) => StatelyInspect = statelyInspect;
    expect(() => Reflect.apply(make, null, [options])).toThrow(
      expect.objectContaining({ code: 'invalid_option', hint: expect.stringContaining(hint) }),
    );
  });
});
