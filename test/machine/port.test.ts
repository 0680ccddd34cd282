/** The contract of the port with XState's semi-internal door, on the oldest and the newest version that is supported. */
import { describe, expect, it, vi } from 'vitest';
import * as newest from 'xstate';
import { createReactMachine } from '../../machines/react.machine.ts';
import type { ReactEvent } from '../../src/core/events.ts';
import { createPort, stateOf } from '../../src/step.ts';
import * as e from './driver.ts';

/** Typed as the newest: comparing the types of two versions is more than the compiler can take. */
const oldest = await vi.importActual<typeof newest>('xstate-5.28');

describe.each([
  ['5.28', oldest],
  ['5.33', newest],
] as const)('xstate %s', (version, xstate) => {
  /** A machine in small: entry, exit, transition and transient actions, an assign, a command with a throw in a guard. */
  const machine = xstate
    .setup({
      types: { context: {} as { count: number }, events: {} as { type: 'go' | 'throw' | 'nothing' } },
      actions: {
        left: () => {},
        entered: () => {},
        moved: () => {},
        count: xstate.assign(({ context }) => ({ count: context.count + 1 })),
      },
      guards: {
        throws: () => {
          throw new Error('a guard');
        },
      },
    })
    .createMachine({
      id: 'small',
      context: { count: 0 },
      initial: 'a',
      states: {
        a: {
          entry: 'entered',
          exit: 'left',
          on: { go: { target: 'b', actions: ['count', 'moved'] }, throw: { guard: 'throws', target: 'b' } },
        },
        b: { entry: ['count', 'entered'], always: 'c' },
        c: { type: 'final' },
      },
    });
  const collected: [string, number][] = [];
  const inert = xstate.createActor(xstate.createMachine({}));
  const scope = {
    self: inert,
    id: 'small',
    sessionId: 'small',
    system: inert.system,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: ({ type, info }: { type: string; info: { context: { count: number } } }) =>
      void collected.push([type, info.context.count]),
  };
  // The scope is the one thing that the port takes from XState without a public type for it.
  const door = machine as unknown as {
    getInitialSnapshot(scope: unknown): ReturnType<typeof machine.resolveState>;
    transition(snapshot: unknown, event: { type: string }, scope: unknown): ReturnType<typeof machine.resolveState>;
  };

  it(`is the version it says (${version})`, async () => {
    const { version: installed } = await import(
      version === '5.28' ? 'xstate-5.28/package.json' : 'xstate/package.json',
      { with: { type: 'json' } }
    ).then((module) => module.default);
    expect(installed.startsWith(version)).toBe(true);
  });

  it('emits custom actions in order, each with the context of its moment, and reduces by itself', () => {
    collected.length = 0;
    const first = door.getInitialSnapshot(scope);
    const next = door.transition(first, { type: 'go' }, scope);
    expect(collected).toEqual([
      ['entered', 0],
      ['left', 0],
      ['moved', 1],
      ['entered', 2],
    ]);
    expect(next).toMatchObject({ value: 'c', status: 'done', context: { count: 2 } });
    expect(first).toMatchObject({ value: 'a', context: { count: 0 } });
  });

  it('gives back the same snapshot where no transition takes the event', () => {
    const first = door.getInitialSnapshot(scope);
    expect(door.transition(first, { type: 'nothing' }, scope)).toBe(first);
  });

  it('throws what a guard throws, and the snapshot before is untouched', () => {
    const first = door.getInitialSnapshot(scope);
    expect(() => door.transition(first, { type: 'throw' }, scope)).toThrow(/a guard/);
    expect(door.transition(first, { type: 'go' }, scope).value).toBe('c');
  });

  it('takes an assign that resolves itself, and goes on from the context it gives', () => {
    const resolve = (_scope: unknown, snapshot: object, asked: { context: { count: number } }) => [
      { ...snapshot, context: { count: asked.context.count + 10 } },
    ];
    const ten = Object.assign(
      xstate.assign(({ context }: { context: { count: number } }) => ({ count: context.count + 10 })),
      { resolve },
    );
    const own = xstate.createMachine({
      context: { count: 0 },
      initial: 'a',
      states: { a: { on: { go: { target: 'b', actions: [ten, 'seen'] } } }, b: { entry: ten } },
    }) as unknown as typeof door;
    collected.length = 0;
    const next = own.transition(own.getInitialSnapshot(scope), { type: 'go' }, scope);
    expect(next).toMatchObject({ value: 'b', context: { count: 20 } });
    expect(collected).toEqual([['seen', 10]]);
    expect(next.matches('b')).toBe(true);
  });

  it('restores from plain data without running anything', () => {
    collected.length = 0;
    const restored = machine.resolveState({ value: 'a', context: { count: 7 } });
    expect(collected).toEqual([]);
    expect(door.transition(restored, { type: 'go' }, scope).context.count).toBe(9);
  });
});

describe('an event that does not belong to the present', () => {
  const running = [e.stopped('action'), e.ended({ calls: 2 }), e.checked('rr')];
  it.each<[string, ReactEvent, ReactEvent[]?]>([
    ['of another step', e.settled(1, 'succeeded', { step: 2 })],
    ['of a call that does not exist', e.settled(9)],
    ['of a call that was not started', e.settled(2)],
    ['a decision about a call that does not ask', e.granted(1)],
    ['verdicts that were given before', e.checked('rr')],
    [
      'of a person who was asked before',
      e.asked(),
      [e.stopped('action'), e.ended({ calls: 1 }), e.checked('a'), e.asked()],
    ],
    ['at no time', e.settled(1, 'succeeded', { atMs: Number.NaN })],
    ['a deadline that has not come', e.expired(10)],
  ])('%s is dropped', (_what, event, before = running) => {
    const { snapshot } = e.drive(before);
    const stepped = e.port.step(snapshot, event);
    expect(stepped).toMatchObject({ ignored: true, commands: [] });
    expect(stepped.snapshot).toBe(snapshot);
  });

  it('ends the run first where it comes at the deadline, and is not obeyed', () => {
    const before = e.drive(running);
    const stepped = e.port.step(before.snapshot, e.settled(1, 'succeeded', { atMs: 180_000 }));
    expect(stateOf(stepped.snapshot)).toBe('ERROR');
    expect(stepped.snapshot.context).toMatchObject({
      stopReason: 'timeout',
      effects: [{ callId: '1.1', status: 'unknown' }],
    });
    expect(stepped).toMatchObject({ ignored: true, expired: { type: 'clock.expired', atMs: 180_000 } });
    expect(stepped.commands.map(({ type }) => type)).toEqual(['cancelCalls']);
  });
});

describe('a machine whose own parts throw', () => {
  const broken = (parts: Parameters<ReturnType<typeof createReactMachine>['provide']>[0]) =>
    createPort(createReactMachine().provide(parts));
  const boom = () => {
    throw new Error('boom');
  };

  it('a guard: ERROR with internal_error, never an exception', () => {
    const port = broken({ guards: { callsComplete: boom } });
    const before = e.drive([e.stopped('action')], {}, port);
    const stepped = port.step(before.snapshot, e.ended({ calls: 1 }));
    expect(stateOf(stepped.snapshot)).toBe('ERROR');
    expect(stepped.snapshot.context).toMatchObject({
      stopReason: 'internal_error',
      failure: { message: expect.stringContaining('boom') },
    });
    expect(stepped.commands.map(({ type }) => type)).toEqual(['cancelReply']);
  });

  it('a guard of the first door', () => {
    const { snapshot } = broken({ guards: { answered: boom } }).start(e.limits());
    expect(stateOf(snapshot)).toBe('ERROR');
    expect(snapshot.context.stopReason).toBe('internal_error');
  });

  it('a guard that everything passes, the way into ERROR included', () => {
    const port = broken({ guards: { callsComplete: boom }, actions: { chargeReply: boom } });
    const before = e.drive([e.stopped('action')], {}, port);
    const stepped = port.step(before.snapshot, e.ended({ calls: 1 }));
    expect(stateOf(stepped.snapshot)).toBe('ERROR');
    expect(stepped.snapshot.context.stopReason).toBe('internal_error');
  });
});

describe('taking up a run in a state', () => {
  const due = (events: Parameters<typeof e.drive>[0], changed = {}) => {
    const { snapshot } = e.drive(events, changed);
    const plain = JSON.parse(JSON.stringify({ state: stateOf(snapshot), context: snapshot.context }));
    const restored = e.port.restore(plain.state, plain.context);
    const { commands, ...timers } = e.port.outstanding(restored);
    return { state: e.stateName(stateOf(restored)), commands: commands.map(({ type }) => type), ...timers };
  };
  const gating = [e.stopped('action'), e.ended({ calls: 1 })];
  it.each([
    ['THOUGHT.reasoning', [], ['askModel'], 180_000, null],
    ['THOUGHT.reasoning', [e.stopped('action')], ['askModel'], 180_000, null],
    ['ACTION.gating', gating, ['checkCalls'], 180_000, null],
    ['ACTION.running', [...gating, e.checked('r')], ['recoverCalls'], 180_000, null],
    ['ACTION.awaitingApproval', [...gating, e.checked('a')], ['askApproval'], null, null],
    ['ACTION.awaitingApproval', [...gating, e.checked('a'), e.asked()], ['askApproval'], null, 1e12],
    ['ERROR', [e.aborted()], [], null, null],
  ])('%s', (state, events, commands, deadlineMs, approvalUntilMs) => {
    expect(due(events)).toEqual({ state, commands, deadlineMs, approvalUntilMs });
  });
});
