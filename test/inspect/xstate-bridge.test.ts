/** xstateInspectBridge against @xstate/inspect 0.8 and xstate 4 as they are, in a process of their own. */
import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { assign, createActor, createMachine } from 'xstate';
import type { TraceEvent } from '../../src/core/trace.ts';
import { type BridgeOptions, xstateInspectBridge } from '../../src/inspect.ts';
import { createReactMachine } from '../../src/machine.ts';
import { act, answer, hangs, returns, setup } from '../shell/setup.ts';
import { eventually, type Program } from './sockets.ts';
import { installReceiver, receiverOf } from './v4.ts';

beforeAll(installReceiver, 120_000);
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const replies = [act('look'), answer('42')];

async function bridged(options: BridgeOptions = { port: 0 }, more: Partial<Parameters<typeof setup>[0]> = {}) {
  const bridge = xstateInspectBridge(options);
  open.push(() => bridge.close());
  const { server } = await bridge.ready;
  const trace: TraceEvent[] = [];
  const agent = { onEvent: [(event: TraceEvent) => trace.push(event), bridge.onEvent] };
  return { bridge, server, trace, ...setup({ replies, ...more, agent }) };
}

async function receiving(server: string | null, bridge: { readonly receivers: number }): Promise<Program> {
  const before = bridge.receivers;
  const receiver = receiverOf(server);
  open.push(() => receiver.stop());
  await eventually(() =>
    expect({ receivers: bridge.receivers, stderr: receiver.stderr() }).toEqual({ receivers: before + 1, stderr: '' }),
  );
  return receiver;
}

/** A client that is no inspector. */
async function client(server: string | null, origin?: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${server}`, origin === undefined ? {} : { origin });
  open.push(() => socket.terminate());
  await Promise.race([once(socket, 'open'), once(socket, 'error').then(([thrown]) => Promise.reject(thrown))]);
  return socket;
}

const ofType = (receiver: Program, type: string) =>
  receiver.lines.filter((line) => typeof line === 'object' && line !== null && Reflect.get(line, 'type') === type);
const valuesOf = (receiver: Program) =>
  ofType(receiver, 'service.state').map((line) => Reflect.get(Object(line), 'value'));

describe('a run in the inspector of xstate 4', () => {
  it('is a machine that version 4 takes, in the states of its trace', async () => {
    const { bridge, server, trace, run } = await bridged();
    const receiver = await receiving(server, bridge);
    expect(await run({ runId: 'run-1' })).toMatchObject({ ok: true });
    await eventually(() => expect(receiver.lines.at(-1)).toMatchObject({ type: 'service.stop', sessionId: 'run-1' }));
    expect(receiver.stderr()).toBe('');

    const [registered] = ofType(receiver, 'service.register');
    expect(registered).toMatchObject({
      ...{ sessionId: 'run-1', id: 'react', version: '4.38.3', initial: 'OBSERVATION', value: 'OBSERVATION' },
    });
    const ways = Reflect.get(Object(registered), 'transitions');
    expect(ways['react.OBSERVATION'].flatMap(({ target }: { target: unknown }) => target)).toEqual([
      'react.FINAL',
      ...Array.from({ length: 8 }, () => 'react.ERROR'),
      'react.THOUGHT',
    ]);
    expect(ways['react.THOUGHT.calling']).toContainEqual({
      ...{ event: 'reply.ended', guard: 'callsComplete', target: ['react.ACTION'], actions: ['keepCalls'] },
    });
    expect(ways['react.THOUGHT.reasoning'][0]).toMatchObject({ guard: 'stopIs: action' });

    const values = valuesOf(receiver);
    expect(values.filter((value) => value !== 'OBSERVATION')).toEqual(trace.map(({ state }) => state));
    expect(values.filter((value) => value === 'OBSERVATION')).toHaveLength(2);
    const events = ofType(receiver, 'service.event').map((line) => Reflect.get(Object(line), 'name'));
    expect(events).toEqual(trace.map(({ type }) => type));
    expect(ofType(receiver, 'service.state').at(-1)).toMatchObject({ value: 'FINAL', done: true, matches: true });
    expect(bridge.dropped).toBe(0);
  });

  it('is there for who comes later, and shows agents that are tools inside', async () => {
    const inner = setup({ replies: [act('wait'), answer('late')], tools: { wait: hangs() } });
    const tools = { ask: inner.agent.asTool({ description: 'Knows.' }) };
    const { bridge, server, clock, start } = await bridged(
      { port: 0 },
      { replies: [act('ask', { task: 'What?' })], tools },
    );
    const run = start({ runId: 'outer' });
    await clock.calm();
    const receiver = await receiving(server, bridge);
    await eventually(() => expect(ofType(receiver, 'service.register')).toHaveLength(2));
    expect(ofType(receiver, 'service.register')).toMatchObject([
      { sessionId: 'outer', value: { ACTION: 'running' } },
      { parent: 'outer', value: { ACTION: 'running' } },
    ]);
    run.abort('enough');
    await clock.until(run.outcome);
    await eventually(() => expect(ofType(receiver, 'service.stop')).toHaveLength(2));
    expect(valuesOf(receiver).at(-1)).toBe('ERROR');
  });

  it('may be an actor, and a machine of the user may be drawn', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    open.push(() => server.close());
    await once(server, 'listening');
    const own = createMachine({
      ...{ id: 'own', initial: 'OBSERVATION', entry: assign({}) },
      states: {
        OBSERVATION: { always: { guard: () => true, target: 'THOUGHT' } },
        THOUGHT: { initial: 'reasoning', states: { reasoning: {}, calling: {}, answering: {} } },
        ACTION: {
          initial: 'gating',
          states: { gating: {}, running: {} },
          on: { again: { target: '.gating', reenter: true } },
        },
        FINAL: { type: 'final' },
      },
    });
    const bridge = xstateInspectBridge({ server, machine: own });
    open.push(() => bridge.close());
    const address = Object(server.address());
    const receiver = await receiving(`127.0.0.1:${address.port}`, bridge);
    const { agent, clock } = setup({ replies });
    const actor = createActor(agent.logic, { input: { task: 'the task' }, inspect: bridge.inspect }).start();
    await clock.calm();
    expect(actor.getSnapshot().output).toMatchObject({ ok: true });
    await eventually(() => expect(ofType(receiver, 'service.stop')).toHaveLength(1));
    expect(receiver.stderr()).toBe('');
    expect(ofType(receiver, 'service.register')).toMatchObject([
      { id: 'own', sessionId: actor.sessionId, transitions: { 'own.ACTION': [{ target: ['own.ACTION.gating'] }] } },
    ]);
    expect(valuesOf(receiver).at(-1)).toBe('FINAL');
    expect(await bridge.ready).toEqual({ server: null });
  });

  it('is driven by nobody: what an inspector sends is handed over where that was asked for', async () => {
    const received: unknown[] = [];
    const onReceived: BridgeOptions['onReceived'] = (event, { sessionId }) => {
      received.push([sessionId, Reflect.get(Object(event), 'name')]);
      throw new Error('a listener');
    };
    for (const options of [{ port: 0 }, { port: 0, onReceived }]) {
      const { bridge, server, clock, start } = await bridged(options, { tools: { look: hangs() } });
      const receiver = await receiving(server, bridge);
      const run = start({ runId: 'run-1' });
      await clock.calm();
      receiver.write('run-1 run.aborted');
      receiver.write('run-1 approve');
      if ('onReceived' in options) await eventually(() => expect(received).toHaveLength(2));
      const other = await receiving(server, bridge);
      await eventually(() =>
        expect(ofType(other, 'service.register')).toMatchObject([{ value: { ACTION: 'running' } }]),
      );
      run.abort('enough');
      expect(await clock.until(run.outcome)).toMatchObject({ stopReason: 'aborted' });
    }
    expect(received).toEqual([
      ['run-1', 'run.aborted'],
      ['run-1', 'approve'],
    ]);
  });
});

describe('a receiver', () => {
  const faults: { readonly [fault: string]: (socket: WebSocket) => void } = {
    'says nothing': () => {},
    'closes in the middle': (socket) => {
      socket.send('{"type":"xstate.inspecting"}');
      socket.terminate();
    },
    'sends what is no message': (socket) => {
      for (const text of [
        '{',
        'null',
        '7',
        '[]',
        '{"type":7}',
        '{"type":"xstate.event"}',
        '{"type":"xstate.event","event":"{"}',
      ])
        socket.send(text);
      socket.send(Buffer.from([0xff, 0x00]));
    },
    'asks without end and never reads': (socket) => {
      socket.pause();
      for (let n = 0; n < 2_000; n++) socket.send('{"type":"xstate.inspecting"}');
    },
    'sends more than is taken': (socket) => socket.send('x'.repeat(3_000_000)),
  };

  it.each(Object.entries(faults))('that %s changes neither outcome nor time', async (_fault, behave) => {
    const slow = [
      { text: act('look'), delayMs: 1_500 },
      { text: answer('42'), delayMs: 700 },
    ];
    const alone = setup({ replies: slow });
    const expected = await alone.run({ runId: 'run-1' });
    const { server, run, clock, bridge } = await bridged({ port: 0, onReceived: () => {} }, { replies: slow });
    const socket = await client(server);
    socket.on('error', () => {});
    const receiver = await receiving(server, bridge);
    behave(socket);
    expect(await run({ runId: 'run-1' })).toEqual(expected);
    expect(clock.monotonicMs()).toBe(alone.clock.monotonicMs());
    expect(clock.armed).toBe(0);
    await eventually(() => expect(valuesOf(receiver).at(-1)).toBe('FINAL'));
  });

  it('that never reads misses what is too much, and that is counted', async () => {
    const { bridge, server } = await bridged();
    const socket = await client(server);
    socket.send('{"type":"xstate.inspecting"}');
    await eventually(() => expect(bridge.receivers).toBe(1));
    socket.pause();
    const added = [{ role: 'user' as const, content: 'y'.repeat(20_000) }];
    const event: TraceEvent = {
      ...{ type: 'prompt.sent', step: 1, promptTokens: 1, messages: 1, added, atMs: 0 },
      ...{ sequence: 1, state: { THOUGHT: 'reasoning' }, wallMs: 0 },
    };
    for (let round = 0; round < 30; round++) {
      for (let n = 0; n < 50; n++) bridge.onEvent(event, { runId: 'run-1' });
      await new Promise(setImmediate);
    }
    expect(bridge.dropped).toBeGreaterThan(100);
    socket.resume();
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(Reflect.get(JSON.parse(data.toString()), 'type')));
    await eventually(() => {
      bridge.onEvent(event, { runId: 'run-1' });
      expect(heard).toContain('service.register');
    });
  });

  it.each([
    ['http://localhost:5173', true],
    ['http://127.0.0.1:8080', true],
    ['https://stately.ai', true],
    ['https://example.org', false],
    ['http://localhost.example.org', false],
    ['null', false],
  ])('in a page of %s: connects %s', async (origin, isLetIn) => {
    const { server } = await bridged({ port: 0, origins: ['https://stately.ai'] });
    const connected = client(server, origin).then(
      () => true,
      () => false,
    );
    expect(await connected).toBe(isLetIn);
  });
});

describe('options', () => {
  it('a port that somebody has is told by `ready`, and changes no run', async () => {
    const first = await bridged();
    const port = Number(first.server?.split(':').at(-1));
    const bridge = xstateInspectBridge({ port });
    open.push(() => bridge.close());
    await expect(bridge.ready).rejects.toMatchObject({
      code: 'invalid_option',
      hint: expect.stringContaining('port: 0'),
    });
    const { run } = setup({ replies, tools: { look: returns('seen') }, agent: { onEvent: bridge.onEvent } });
    expect(await run()).toMatchObject({ ok: true });
  });

  const wrong: readonly (readonly [unknown, string])[] = [
    [{ port: 70_000 }, '65535'],
    [{ host: '' }, '127.0.0.1'],
    [{ server: {} }, 'WebSocketServer'],
    [{ origins: 'https://stately.ai' }, 'https://stately.ai'],
    [{ machine: createReactMachine }, 'createReactMachine'],
    [{ onReceived: 1 }, 'session'],
    [{ prot: 1 }, 'Known: port'],
  ];
  it.each(wrong)('%j is refused', (options, hint) => {
    expect(() => Reflect.apply(xstateInspectBridge, null, [options])).toThrow(
      expect.objectContaining({ code: 'invalid_option', hint: expect.stringContaining(hint) }),
    );
  });
});
