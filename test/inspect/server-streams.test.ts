/** What a page is told of runs: all of it, in order, once, from wherever it goes on; at its pace and not at the run's. */
import { expect, it } from 'vitest';
import type { LiveEvent, TraceEvent } from '../../src/core/trace.ts';
import { isTraceEvent } from '../../src/core/trace.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';
import { ask, eventsIn, isEnd, listIn, openInspector, type Stream, stream } from './opened.ts';

const twoSteps = [act('look'), answer('42')];

it('shows the events of an agent as its trace has them, and the end', async () => {
  const inspector = await openInspector();
  const trace: TraceEvent[] = [];
  const onEvent = [inspector.onEvent, (event: TraceEvent) => trace.push(event)];
  await setup({ replies: twoSteps, agent: { onEvent } }).run();
  const messages = await (await stream(inspector, '/runs/r1/events')).until(isEnd);
  expect(eventsIn(messages)).toEqual(trace);
  expect(messages.at(-1)).toMatchObject({ event: 'end', id: String(trace.length) });
});

it('goes on behind each event', async () => {
  const inspector = await openInspector();
  const trace: TraceEvent[] = [];
  const onEvent = [inspector.onEvent, (event: TraceEvent) => trace.push(event)];
  await setup({ replies: twoSteps, agent: { onEvent } }).run();
  for (let from = 0; from <= trace.length; from++) {
    const header = await stream(inspector, '/runs/r1/events', { headers: { 'last-event-id': String(from) } });
    const address = await stream(inspector, `/runs/r1/events?from=${from}`);
    for (const one of [header, address]) expect(eventsIn(await one.until(isEnd))).toEqual(trace.slice(from));
  }
});

it('shows a run as it goes, its reply in pieces', async () => {
  const inspector = await openInspector();
  const chunks = ['Thought: I need ', 'some data, and\n', 'more of it.\nAction: look\n', 'Action Input: {"a":\n', '1}'];
  const { clock, start } = setup({ replies: [{ chunks, betweenMs: 5 }, answer('42')] });
  const run = start();
  inspector.watch(run);
  const told: LiveEvent[] = [];
  void collect(run, told);
  await clock.calm();
  const reading = await stream(inspector, '/runs/r1/events');
  for (const _ of chunks.slice(2)) {
    await clock.pass(5);
    await reading.until((messages) => replyIn(messages) === textIn(told));
  }
  expect(chunks.join('')).toContain(textIn(told));
  expect(textIn(told).length).toBeGreaterThan(20);

  const late = await stream(inspector, '/runs/r1/events');
  const isReply = ({ event }: { readonly event?: string | undefined }) => event === 'reply';
  const soFar = (await late.until((messages) => messages.some(isReply))).find(isReply);
  expect(JSON.parse(soFar?.data ?? '')).toEqual({ step: 1, text: textIn(told) });

  await clock.until(run.outcome);
  const whole = eventsIn(await reading.until(isEnd)).filter(isTraceEvent);
  expect(whole).toEqual(told.filter(isTraceEvent));
  expect(whole).toEqual(eventsIn(await late.until(isEnd)).filter(isTraceEvent));
});

async function collect(run: AsyncIterable<LiveEvent>, told: LiveEvent[]): Promise<void> {
  for await (const event of run) told.push(event);
}

/** As the page would have it: of one step. */
function replyIn(messages: Stream['messages']): string {
  let text = '';
  for (const { event, data } of messages) {
    if (event === 'reply') text = JSON.parse(data).text;
    if (event === 'events') text += textIn(JSON.parse(data));
  }
  return text;
}

function textIn(events: readonly LiveEvent[]): string {
  return events.map((event) => (event.type === 'reply.delta' ? event.text : '')).join('');
}

it('tells that a reply which broke off is asked for again', async () => {
  const inspector = await openInspector();
  const broken = {
    chunks: ['Thought: I need data.\n', 'Act'],
    betweenMs: 5,
    failure: { failure: 'broke_off', message: 'reset', retry: { afterMs: 0 } } as const,
  };
  const again = { chunks: ['Thought: I need no data.\n', 'Final Answer: 42'], betweenMs: 5 };
  const { clock, start } = setup({ replies: [broken, again] });
  const run = start();
  inspector.watch(run);
  await clock.calm();
  const reading = await stream(inspector, '/runs/r1/events');
  await clock.pass(4);
  await reading.until((messages) => replyIn(messages) !== '');
  await clock.pass(7);
  await reading.until((messages) => eventsIn(messages).some(({ type }) => type === 'reply.restarted'));
  await clock.until(run.outcome);
  await reading.until(isEnd);
});

it('shows a run once that is both observed and watched, whichever comes first', async () => {
  for (const watchesLate of [false, true]) {
    const inspector = await openInspector();
    const { clock, start, events } = setup({ replies: twoSteps });
    const observed = setup({ replies: twoSteps, agent: { onEvent: inspector.onEvent } });
    const run = observed.start();
    if (watchesLate) await observed.clock.until(run.outcome);
    inspector.watch(run);
    await observed.clock.until(run.outcome);
    await clock.until(start().outcome);
    const shown = eventsIn(await (await stream(inspector, '/runs/r1/events')).until(isEnd)).filter(isTraceEvent);
    expect(shown.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
    const list = await (await stream(inspector, '/runs')).until((messages) => messages.length > 0);
    expect([...listIn(list).keys()]).toEqual(['r1']);
  }
});

it('lists runs as they begin, change and end', async () => {
  const inspector = await openInspector();
  const list = await stream(inspector, '/runs');
  expect(listIn(await list.until((messages) => messages.length > 0)).size).toBe(0);
  const tools = { look: returns('seen', { needsApproval: true }) };
  const { clock, start } = setup({ replies: twoSteps, tools });
  const run = start();
  inspector.watch(run, { decidable: true });
  await clock.calm();
  const waiting = listIn(await list.until((messages) => listIn(messages).get('r1')?.phase === 'waiting'));
  expect(waiting.get('r1')).toMatchObject({
    ...{ runId: run.runId, task: 'the task', model: 'script', file: null, lost: 0 },
    ...{ isLive: true, isDecidable: true, stopReason: null, steps: 1 },
  });
  run.approve('1.1');
  await clock.until(run.outcome);
  const over = listIn(await list.until((messages) => listIn(messages).get('r1')?.isLive === false));
  expect(over.get('r1')).toMatchObject({ phase: 'ended', stopReason: 'final', steps: 2, isDecidable: false });
});

it('shows recorded runs under the name of their file, whole or broken off', async () => {
  const inspector = await openInspector();
  const { run, events } = setup({ replies: [...twoSteps, ...twoSteps] });
  await run();
  await run();
  const cut = events.slice(0, -2);
  await inspector.show(cut, { file: 'two runs.jsonl' });
  const list = [...listIn(await (await stream(inspector, '/runs')).until(({ length }) => length > 0)).values()];
  expect(list).toMatchObject([
    { file: 'two runs.jsonl', phase: 'ended', isLive: false },
    { file: 'two runs.jsonl', phase: 'running', isLive: false },
  ]);
  const shown = await Promise.all(
    list.map(async ({ key }) => eventsIn(await (await stream(inspector, `/runs/${key}/events`)).until(isEnd))),
  );
  expect(shown.flat()).toEqual(cut);
});

it('shows what was read when reading goes wrong, and says so', async () => {
  const inspector = await openInspector();
  const { run, events } = setup({ replies: twoSteps });
  await run();
  async function* broken() {
    yield* events.slice(0, 3);
    throw new Error('torn');
  }
  await expect(inspector.show(broken(), { file: 'a' })).rejects.toThrow('torn');
  expect(eventsIn(await (await stream(inspector, '/runs/r1/events')).until(isEnd))).toEqual(events.slice(0, 3));
});

it('sends long traces whole, in pieces', async () => {
  const inspector = await openInspector();
  const tools = { look: returns('x'.repeat(9_000)) };
  const { run, events } = setup({
    replies: [...Array.from({ length: 90 }, (_, index) => act('look', { index })), answer('42')],
    tools,
    agent: { budget: { maxSteps: 100, maxTokens: 100_000_000, maxToolCalls: 100 } },
  });
  await run();
  await inspector.show(events);
  const messages = await (await stream(inspector, '/runs/r1/events')).until(isEnd);
  expect(eventsIn(messages)).toEqual(events);
  expect(messages.length).toBeGreaterThan(10);
});

it('is told nothing of a run that is not wanted any more by a page that left', async () => {
  const pages: number[] = [];
  const inspector = await openInspector({ onPages: (open) => pages.push(open) });
  const list = await stream(inspector, '/runs');
  list.leave();
  await expect(list.until(() => false)).rejects.toThrow('ended');
  const other = await stream(inspector, '/runs');
  await other.until(({ length }) => length > 0);
  expect(pages.slice(0, 1)).toEqual([1]);
});

it('answers so many streams and no more', async () => {
  const inspector = await openInspector();
  const streams = await Promise.all(Array.from({ length: 100 }, () => stream(inspector, '/runs')));
  const refused = await ask(inspector, '/runs');
  expect(refused.statusCode).toBe(503);
  refused.destroy();
  for (const one of streams) one.leave();
});

it('takes anything for an event without a word', async () => {
  const inspector = await openInspector();
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const { onEvent } = inspector;
  const closed = new Proxy(
    {},
    {
      has() {
        throw new Error('closed');
      },
    },
  );
  const odd: readonly unknown[] = [closed, null, 1, {}, { type: 'run.started', big: 1n }, { type: 'x', circular }];
  for (const event of odd) Reflect.apply(onEvent, null, [event, { runId: 'odd' }]);
  const { run, events } = setup({ replies: twoSteps });
  await run();
  for (const event of events) onEvent(event, { runId: 'even' });
  const list = listIn(await (await stream(inspector, '/runs')).until((messages) => listIn(messages).size > 0));
  const key = [...list.values()].find(({ runId }) => runId === 'even')?.key;
  expect(eventsIn(await (await stream(inspector, `/runs/${key}/events`)).until(isEnd))).toEqual(events);
});

it('ends all streams when it is closed, and takes nothing any more', async () => {
  const inspector = await openInspector();
  const list = await stream(inspector, '/runs');
  await inspector.close();
  await inspector.close();
  await expect(list.until(() => false)).rejects.toThrow('ended');
  const { run } = setup({ replies: twoSteps, agent: { onEvent: inspector.onEvent } });
  expect(await run()).toMatchObject({ ok: true });
  await expect(ask(inspector, '/')).rejects.toThrow();
});
