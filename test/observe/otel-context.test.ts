/** Where spans hang, that runs are kept apart, that a run goes on, and that nothing of this gets into a run. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, context, diag, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import type { Observer, TraceEvent } from '../../src/core/trace.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { openTelemetry } from '../../src/otel.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';
import { runOf, runs, slow } from './otel-runs.ts';
import { memorySpans, outline } from './otel-setup.ts';

function asyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.call(self, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

afterEach(() => {
  context.disable();
  trace.disable();
  diag.disable();
});

const oneCall = () => {
  const made = runs['a call, then an answer'];
  if (made === undefined) throw new Error('It is gone.');
  return made;
};

test('a run hangs below what is active where it begins, whatever is active later', async () => {
  context.setGlobalContextManager(asyncContexts());
  const { observer, tracerProvider, trees } = memorySpans();
  const request = tracerProvider.getTracer('server').startSpan('GET /');
  const running = context.with(trace.setSpan(context.active(), request), () => runOf(oneCall(), observer));
  await running;
  request.end();
  expect(trees().map(outline)).toEqual(['GET /[invoke_agent[chat m, execute_tool look, chat m]]']);
});

test('a provider that is registered later, and none at all', async () => {
  const observer = openTelemetry();
  expect((await runOf(oneCall(), observer)).outcome).toMatchObject({ ok: true });
  const { tracerProvider, trees } = memorySpans();
  trace.setGlobalTracerProvider(tracerProvider);
  await runOf(oneCall(), observer);
  expect(trees().map(outline)).toEqual([oneCall().outline]);
});

describe('many runs at once', () => {
  const many = Array.from({ length: 50 }, (_, at) => `r-${at}`);

  async function together(runIds: readonly string[]) {
    const { observer, trees } = memorySpans();
    const clock = virtualClock();
    const started = runIds.map((runId, at) => {
      const model = scriptedModel([{ text: act('look'), delayMs: 1 + (at % 7) }, answer(`${at}`)], { clock });
      const agent = createAgent({ model, clock, tools: { look: slow(clock, 1 + (at % 5)) }, onEvent: observer });
      return agent.run('the task', { runId });
    });
    await clock.until(Promise.all(started));
    return trees();
  }

  test.each([
    ['with ids of their own', many],
    ['with one id', many.map(() => 'same')],
  ])('%s', async (_, runIds) => {
    const trees = await together(runIds);
    expect(trees.map(outline)).toEqual(runIds.map(() => 'invoke_agent[chat script, execute_tool look, chat script]'));
    expect(trees.map(({ attributes }) => attributes['gen_ai.conversation.id']).toSorted()).toEqual(runIds.toSorted());
    for (const { time, below } of trees) expect(below.at(-1)?.time[1]).toBe(time[1]);
  });
});

describe('a run that goes on', () => {
  const sideEffect = { sideEffect: true };
  const made = (observer: Observer) =>
    setup({
      replies: [act('send'), answer('done')],
      tools: { send: returns('sent', sideEffect) },
      agent: { onEvent: observer },
    });

  async function leave({ start, clock }: ReturnType<typeof made>): Promise<Snapshot> {
    const run = start({ runId: 'r-1' });
    await clock.calm();
    run.suspend();
    const outcome = await clock.until(run.outcome);
    if (outcome.ok || outcome.snapshot === undefined) throw new Error('It was not left.');
    return JSON.parse(JSON.stringify(outcome.snapshot));
  }

  async function goOn({ agent, clock }: ReturnType<typeof made>, snapshot: Snapshot) {
    const run = agent.resume(snapshot);
    await clock.calm();
    run.approve('1.1', { by: 'grace' });
    expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
  }

  test('links to the span of its former life', async () => {
    const { observer, trees } = memorySpans();
    const agent = made(observer);
    await goOn(agent, await leave(agent));
    const [first, second] = trees();
    expect(first).toMatchObject({ name: 'invoke_agent', status: 'unset', links: [] });
    expect(first?.attributes).toMatchObject({ 'fuseloop.stop_reason': 'suspended' });
    expect(second?.links).toEqual([first?.id]);
    expect(second?.attributes).toMatchObject({
      'gen_ai.conversation.id': 'r-1',
      'gen_ai.request.model': 'script',
      'fuseloop.resumed': true,
      'fuseloop.stop_reason': 'final',
    });
    expect([first, second].map((tree) => tree && outline(tree))).toEqual([
      'invoke_agent[chat script]',
      'invoke_agent[execute_tool send, chat script]',
    ]);
    expect([first, second].map((tree) => tree?.events.map(({ name, attributes }) => [name, attributes]))).toEqual([
      [['fuseloop.approval.asked', { 'fuseloop.step': 1, 'gen_ai.tool.call.id': '1.1' }]],
      [
        ['fuseloop.approval.asked', { 'fuseloop.step': 1, 'gen_ai.tool.call.id': '1.1' }],
        [
          'fuseloop.approval.decided',
          {
            'fuseloop.step': 1,
            'gen_ai.tool.call.id': '1.1',
            'fuseloop.decision': 'granted',
            'fuseloop.edited': false,
          },
        ],
      ],
    ]);
  });

  test('in another process there is nothing to link to', async () => {
    const snapshot = await leave(made(memorySpans().observer));
    const { observer, trees } = memorySpans();
    const other = setup({
      replies: [answer('done')],
      tools: { send: returns('sent', sideEffect) },
      agent: { onEvent: observer },
    });
    await goOn({ ...other, start: other.start }, snapshot);
    expect(trees().map(({ links }) => links)).toEqual([[]]);
    expect(trees().map(outline)).toEqual(['invoke_agent[execute_tool send, chat]']);
  });
});

test('events that come from elsewhere are kept apart by the id', async () => {
  const events: TraceEvent[] = [];
  await runOf(oneCall(), (event) => events.push(event));
  const { observer, trees } = memorySpans();
  for (const event of events)
    for (const runId of ['a', 'b']) observer(event.type === 'run.started' ? { ...event, runId } : event, { runId });
  expect(trees().map(outline)).toEqual([oneCall().outline, oneCall().outline]);
});

test('a run whose end never comes is ended when there are too many', async () => {
  const events: TraceEvent[] = [];
  await runOf(oneCall(), (event) => events.push(event));
  const [begun, sent] = events;
  if (begun?.type !== 'run.started' || sent === undefined) throw new Error('It did not begin.');
  const { observer, trees } = memorySpans();
  const start = (runId: string) => observer({ ...begun, runId }, { runId });
  start('lost');
  observer(sent, { runId: 'lost' });
  for (let at = 1; at < 10_000; at++) start(`r-${at}`);
  expect(trees()).toEqual([]);
  start('one more');
  expect(trees().map(outline)).toEqual(['invoke_agent[chat m!]']);
  expect(trees()[0]?.attributes).toMatchObject({ 'fuseloop.abandoned': true, 'gen_ai.conversation.id': 'lost' });
});

const boom = () => {
  throw new Error('boom');
};
const throwing = (member: string) => {
  const { tracerProvider } = memorySpans();
  const tracer = tracerProvider.getTracer('t');
  const broken = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (it, name) => {
        if (name === member) return boom;
        const found: unknown = Reflect.get(it, name);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]) => {
          const made: unknown = Reflect.apply(found, it, args);
          return name === 'startSpan' && typeof made === 'object' && made !== null ? broken(made) : made;
        };
      },
    });
  return broken(tracer);
};

test.each(['startSpan', 'setAttributes', 'addEvent', 'setStatus', 'updateName', 'spanContext', 'end'])(
  'a %s that throws changes no run, and is told once',
  async (member) => {
    const told: string[] = [];
    const tell = (text: string) => void told.push(text);
    diag.setLogger({ warn: tell, error: tell, info: () => {}, debug: () => {}, verbose: () => {} });
    const observer = openTelemetry({ tracer: throwing(member) });
    for (const [name, made] of Object.entries(runs)) {
      const seen: TraceEvent[] = [];
      const thrown: unknown[] = [];
      const broken = await runOf(made, (event, run) => {
        seen.push(event);
        try {
          observer(event, run);
        } catch (problem) {
          thrown.push(problem);
        }
      });
      expect(thrown).toEqual([]);
      const plain: TraceEvent[] = [];
      const alone = await runOf(made, (event) => plain.push(event));
      expect([name, seen.length, broken.outcome.stopReason]).toEqual([name, plain.length, alone.outcome.stopReason]);
    }
    expect(told.filter((text) => text.startsWith('fuseloop:'))).toEqual([expect.stringContaining('boom')]);
  },
);

const misuse: readonly (readonly [string, object, string])[] = [
  ['a name that is not known', { tracers: [] }, 'tracers is not an option of openTelemetry.'],
  ['a tracer that is none', { tracer: {} }, 'tracer has no startSpan().'],
  ['a provider that is none', { tracerProvider: 7 }, 'tracerProvider has no getTracer().'],
  ['a meter provider that is none', { meterProvider: null }, 'meterProvider has no getMeter().'],
  ['an empty name', { agentName: '' }, 'agentName is .'],
  ['a word for yes', { captureContent: 'yes' }, 'captureContent is no boolean.'],
  ['a length that is too small', { maxContentLength: 10 }, 'maxContentLength is 10.'],
];

test.each(misuse)('%s is refused', (_, options, message) => {
  expect(() => openTelemetry(options)).toThrow(expect.objectContaining({ code: 'invalid_option', message }));
});
