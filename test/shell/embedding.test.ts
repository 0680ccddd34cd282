/** The agent as actor logic inside somebody else's machine. */
import { describe, expect, it } from 'vitest';
import { createActor, type InspectionEvent, setup as setupMachine } from 'xstate';
import { createActor as createActor528 } from 'xstate-5.28';
import type { Agent } from '../../src/agent.ts';
import { act, answer, hangs, returns, setup } from './setup.ts';

function hostOf({ logic }: Agent) {
  return setupMachine({ actors: { agent: logic } }).createMachine({
    id: 'host',
    initial: 'working',
    states: {
      working: {
        on: { leave: 'left' },
        invoke: {
          id: 'agent',
          src: 'agent',
          input: { task: 'the task' },
          onDone: [
            { guard: ({ event }) => event.output.ok, target: 'answered' },
            { guard: ({ event }) => event.output.stopReason === 'suspended', target: 'waiting' },
            { target: 'failed' },
          ],
        },
      },
      answered: {},
      waiting: {},
      failed: {},
      left: {},
    },
  });
}

describe('a host machine that invokes the agent', () => {
  it.each([
    ['answered', [act('look'), answer('42')], {}],
    ['failed', ['Talk.', 'Talk.', 'Talk.'], {}],
    ['waiting', [act('send')], { tools: { send: returns('sent', { sideEffect: true }) } }],
  ])('goes on to %s by the outcome', async (state, replies, more) => {
    const { clock, agent } = setup({ replies, ...more });
    const host = createActor(hostOf(agent)).start();
    await clock.calm();
    expect(host.getSnapshot().value).toBe(state);
    expect(clock.armed).toBe(0);
  });

  it('aborts the run by leaving the state', async () => {
    const { clock, agent, events, model } = setup({ replies: [act('slow'), answer('late')], tools: { slow: hangs() } });
    const host = createActor(hostOf(agent)).start();
    await clock.calm();
    expect(clock.armed).toBeGreaterThan(0);
    host.send({ type: 'leave' });
    expect(host.getSnapshot().value).toBe('left');
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', stopReason: 'aborted' });
    await clock.pass(1_000_000);
    expect(model.requests).toHaveLength(1);
    expect(clock.armed).toBe(0);
  });

  it('is seen by an inspector: the actor, where it is, and its outcome', async () => {
    const { clock, agent } = setup({ replies: [act('look'), answer('42')] });
    const seen: InspectionEvent[] = [];
    createActor(hostOf(agent), { inspect: (event) => seen.push(event) }).start();
    await clock.calm();
    const states = seen.flatMap((event) =>
      event.type === '@xstate.snapshot' && 'kept' in event.snapshot && 'state' in event.snapshot
        ? [event.snapshot.state]
        : [],
    );
    expect(states).toContainEqual({ THOUGHT: 'reasoning' });
    expect(states).toContainEqual({ ACTION: 'running' });
    expect(states).toContainEqual('FINAL');
    const sent = seen.flatMap((event) => (event.type === '@xstate.event' ? [event.event.type] : []));
    expect(sent).toContain('xstate.done.actor.agent');
  });

  it('is not disturbed by an inspector that throws at each of its moves', async () => {
    const { clock, agent, events } = setup({ replies: [act('look'), answer('42')] });
    const inspect = (event: InspectionEvent) => {
      if (event.type === '@xstate.event' && event.event.type === 'run.moved') throw new Error('an inspector');
    };
    const host = createActor(hostOf(agent), { inspect }).start();
    await clock.calm();
    expect(host.getSnapshot().value).toBe('answered');
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', stopReason: 'final' });
  });

  const ofAgent = ({ actorRef, ...event }: InspectionEvent) =>
    Reflect.get(actorRef, 'id') === 'agent' ||
    ('sourceRef' in event && Reflect.get(Object(event.sourceRef), 'id') === 'agent');
  it.each([
    ['XState 5.33', createActor],
    ['XState 5.28', createActor528],
  ])('ends, and its actor with it, where an inspector throws at all that comes of it: %s', async (_version, create) => {
    const { clock, agent, events } = setup({ replies: [act('look'), answer('42'), act('look'), answer('42')] });
    const throwing = () => {
      let begun = false;
      return (event: InspectionEvent) => {
        if (begun && ofAgent(event)) throw new Error('an inspector');
        begun ||= event.type === '@xstate.event' && ofAgent(event); // what is thrown before it begins, the host has
      };
    };
    const host = Reflect.apply(create, null, [hostOf(agent), { inspect: throwing() }]).start();
    const alone = Reflect.apply(create, null, [
      agent.logic,
      { id: 'agent', input: { task: 'the task' }, inspect: throwing() },
    ]).start();
    await clock.calm();
    expect(host.getSnapshot().value).toBe('answered');
    expect(alone.getSnapshot()).toMatchObject({ status: 'done', output: { ok: true } });
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', stopReason: 'final' });
  });

  it('is drawn by an inspector: its logic has the definition of the machine', () => {
    const { agent } = setup({ replies: [] });
    expect(agent.logic.config).toMatchObject({ id: 'react', states: { THOUGHT: { initial: 'reasoning' } } });
  });

  it('goes on with the run, and starts nothing twice, where the host was stored and restored', async () => {
    const { clock, agent, model } = setup({
      replies: [act('look'), { text: answer('lost'), delayMs: 1_000 }, answer('42')],
    });
    const machine = hostOf(agent);
    const first = createActor(machine).start();
    await clock.calm();
    const stored = JSON.parse(JSON.stringify(first.getPersistedSnapshot()));
    first.stop();
    const second = createActor(machine, { snapshot: stored }).start();
    await clock.pass(0);
    expect(second.getSnapshot().value).toBe('answered');
    expect(model.requests.map(({ step }) => step)).toEqual([1, 2, 2]);
  });
});
