/** An inspector is bounded and harmless: in memory, in messages, in what it keeps alive, and in what a run notices of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';
import { eventsIn, isEnd, listIn, openInspector, smallPage, stream } from './opened.ts';

/** The trace of a run of so many steps, each with a result of so many characters. */
async function traceOf(steps: number, characters: number): Promise<readonly TraceEvent[]> {
  const replies = Array.from({ length: steps }, (_, index) => act('look', { index }));
  const tools = { look: returns('x'.repeat(characters)) };
  const budget = { maxSteps: steps + 1, maxToolCalls: steps, maxTokens: 1_000_000_000 };
  const { run, events } = setup({ replies: [...replies, answer('42')], tools, agent: { budget } });
  await run();
  return events;
}

const withId = (events: readonly TraceEvent[], runId: string) =>
  events.map((event) => (event.type === 'run.started' ? { ...event, runId } : event));

it('forgets the runs that ended longest ago, and says which', async () => {
  const inspector = await openInspector({ mostBytes: 200_000 });
  const list = await stream(inspector, '/runs');
  const events = await traceOf(5, 2_000);
  for (let index = 0; index < 20; index++) await inspector.show(withId(events, `run ${index}`));
  const left = listIn(await list.until((messages) => listIn(messages).has('r20') && !listIn(messages).has('r1')));
  expect(left.size).toBeLessThan(10);
  expect([...left.keys()].at(-1)).toBe('r20');
  await expect(stream(inspector, '/runs/r1/events')).rejects.toThrow('404');
  expect(eventsIn(await (await stream(inspector, '/runs/r20/events')).until(isEnd))).toHaveLength(events.length);
});

it('keeps of a run that is too large its beginning, its end, and how much it lacks', async () => {
  const inspector = await openInspector({ mostBytesPerRun: 40_000 });
  const events = await traceOf(40, 5_000);
  await inspector.show(events);
  const messages = await (await stream(inspector, '/runs/r1/events')).until(isEnd);
  const bytes = messages.reduce((sum, { data }) => sum + data.length, 0);
  expect(bytes).toBeLessThan(80_000);
  const shown = eventsIn(messages);
  expect(shown[0]).toEqual(events[0]);
  expect(shown.at(-1)).toEqual(events.at(-1));
  const run = listIn(await (await stream(inspector, '/runs')).until(({ length }) => length > 0)).get('r1');
  expect(run?.lost).toBeGreaterThan(10);
  expect(run).toMatchObject({ stopReason: 'final', steps: 41 });
});

it('holds nothing for a reader who takes nothing, and cuts it off', async () => {
  const inspector = await openInspector({ stallMs: 200 });
  const long = 'x'.repeat(1_000_000);
  const events = (await traceOf(40, 10)).map((event) =>
    event.type === 'call.settled' ? { ...event, observation: long } : event,
  );
  await inspector.show(events);
  const { port, search } = new URL(inspector.url);
  const socket = connect(Number(port), '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(`GET /runs/r1/events${search} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  const list = await stream(inspector, '/runs');
  await list.until(({ length }) => length > 0);
  // The time until a reader is cut off is what is tried here.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  let taken = 0;
  socket.on('data', (piece) => {
    taken += piece.length;
  });
  socket.resume();
  await once(socket, 'close');
  // What was on its way in the buffers of the system, and not the rest of 40 MB.
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(30_000_000);
  const from = events.length - 3;
  expect(eventsIn(await (await stream(inspector, `/runs/r1/events?from=${from}`)).until(isEnd))).toHaveLength(3);
});

it('tells of 200 live runs in a few messages', async () => {
  const inspector = await openInspector();
  const list = await stream(inspector, '/runs');
  await list.until(({ length }) => length > 0);
  const before = list.messages.length;
  const startedAt = performance.now();
  const replies = [act('look', { a: 1 }), act('look', { a: 2 }), answer('42')];
  await Promise.all(Array.from({ length: 200 }, () => setup({ replies, agent: { onEvent: inspector.onEvent } }).run()));
  await list.until((messages) => {
    const runs = [...listIn(messages).values()];
    return runs.length === 200 && runs.every(({ isLive }) => !isLive);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  // Five a second; all of them at once is one message, or two where they are very many.
  expect(list.messages.length - before).toBeLessThanOrEqual(2 * (5 * seconds + 2));
});

const world = fc.record({
  steps: fc.integer({ min: 0, max: 6 }),
  characters: fc.integer({ min: 0, max: 3_000 }),
  between: fc.integer({ min: 0, max: 50 }),
  watched: fc.boolean(),
  hangs: fc.boolean(),
});

test.prop([world], { numRuns: 15 })(
  'a run does not notice it',
  async ({ steps, characters, between, watched, hangs }) => {
    const play = async (isInspected: boolean) => {
      const inspector = isInspected ? await openInspector({ mostBytes: 30_000 }) : null;
      const replies = Array.from({ length: steps }, (_, index) => ({
        text: act('look', { index }),
        betweenMs: between,
      }));
      const tools = { look: returns('y'.repeat(characters)) };
      const { clock, agent } = setup({
        replies: [...replies, answer('42')],
        tools,
        agent: { onEvent: inspector?.onEvent ?? [] },
      });
      const run = agent.start('the task', { runId: 'one' });
      if (watched) inspector?.watch(run);
      const reader = inspector !== null && hangs ? await stream(inspector, '/runs') : null;
      const outcome = await clock.until(run.outcome);
      reader?.leave();
      return { outcome, atMs: clock.monotonicMs() };
    };
    expect(await play(true)).toEqual(await play(false));
  },
);

const childProgram = (more: string) => `
  import { createInspector } from '${new URL('../../src/inspect.ts', import.meta.url)}';
  const inspector = await createInspector({ page: ${JSON.stringify(smallPage)} });
  console.log(inspector.url);
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
  ${more}
`;

it.each([
  ['open, with a page', ''],
  ['closed', 'await inspector.close();'],
])('keeps no process alive: %s', async (_, more) => {
  const words = ['--import', 'tsx', '--input-type=module', '--eval', childProgram(more)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url]: unknown[] = await once(child.stdout.setEncoding('utf8'), 'data');
  const { port, search } = new URL(String(url).trim());
  const page = request({ host: '127.0.0.1', port, path: `/runs${search}`, agent: false }).on('error', () => {});
  const [response]: IncomingMessage[] = await once(page.end(), 'response');
  response?.on('error', () => {}).resume();
  expect(response?.statusCode).toBe(200);
  child.stdin.end('go\n');
  expect(await once(child, 'close')).toEqual([0, null]);
});
