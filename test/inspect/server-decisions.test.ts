/** What a person decides in the page: once, in time, about what waits, and only where that was asked for. */
import { expect, it } from 'vitest';
import { isTraceEvent } from '../../src/core/trace.ts';
import { runViews } from '../../src/observe/fold-run.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, returns, setup } from '../shell/setup.ts';
import { decide, eventsIn, listIn, openInspector, stream } from './opened.ts';

/** A run that waits for a decision about its first call. */
async function waiting({ decidable = true } = {}) {
  const inspector = await openInspector({ by: 'ada' });
  const inputs: unknown[] = [];
  const save = tool({ inputSchema: anyInput, needsApproval: true, execute: (input) => inputs.push(input) });
  const world = setup({ replies: [act('save', { to: 'bob' }), answer('done')], tools: { save } });
  const run = world.start();
  inspector.watch(run, { decidable });
  await world.clock.calm();
  const list = await stream(inspector, '/runs');
  await list.until((messages) => listIn(messages).get('r1')?.phase === 'waiting');
  const told = async (decision: unknown) => {
    const { status, text } = await decide(inspector, 'r1', decision);
    return { status, ...(text === '' ? {} : JSON.parse(text)) };
  };
  return { ...world, inspector, inputs, run, told };
}

const approve = { kind: 'approve', callId: '1.1' };
const late = { status: 409, message: expect.stringMatching(/over|does not wait/), hint: expect.stringMatching(/./) };

it('lets the call run, once; what comes later is told so', async () => {
  const { told, clock, run, inputs, events } = await waiting();
  expect(await told(approve)).toEqual({ status: 204 });
  expect(await told(approve)).toMatchObject(late);
  expect(await told({ kind: 'deny', callId: '1.1', why: '' })).toMatchObject(late);
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true, answer: 'done' });
  expect(inputs).toEqual([{ to: 'bob' }]);
  expect(events.find(({ type }) => type === 'approval.granted')).toMatchObject({ by: 'ada', edited: false });
  expect(await told(approve)).toMatchObject(late);
});

it('lets it run with another input', async () => {
  const { told, clock, run, inputs } = await waiting();
  expect(await told({ ...approve, input: { to: 'eve' } })).toEqual({ status: 204 });
  await clock.until(run.outcome);
  expect(inputs).toEqual([{ to: 'eve' }]);
});

it('refuses it with a reason', async () => {
  const { told, clock, run, inputs, events } = await waiting();
  expect(await told({ kind: 'deny', callId: '1.1', why: 'not today' })).toEqual({ status: 204 });
  expect(await clock.until(run.outcome)).toMatchObject({ ok: true });
  expect(inputs).toEqual([]);
  expect(events.find(({ type }) => type === 'approval.denied')).toMatchObject({ by: 'ada', why: 'not today' });
});

it('aborts the run', async () => {
  const { told, clock, run } = await waiting();
  expect(await told({ kind: 'abort' })).toEqual({ status: 204 });
  expect(await clock.until(run.outcome)).toMatchObject({ ok: false, stopReason: 'aborted' });
});

it('tells what cannot be decided, and the call waits on', async () => {
  const { told, clock, run, inputs, inspector } = await waiting();
  expect(await told({ kind: 'approve', callId: '9.9' })).toMatchObject({
    ...late,
    hint: expect.stringContaining('1.1'),
  });
  expect(await told({ kind: 'deny', callId: '1.1' })).toMatchObject({ status: 400 });
  expect(await told({ ...approve, input: { key: '[redacted]' } })).toMatchObject({
    status: 400,
    message: expect.stringContaining('[redacted]'),
  });
  const escaped = {
    body: JSON.stringify({ ...approve, input: '[redacted]' }).replace('[redacted]', '\\u005bredacted]'),
  };
  expect(escaped.body).not.toContain('[redacted]');
  expect(await decide(inspector, 'r1', null, escaped)).toMatchObject({
    status: 400,
    text: expect.stringContaining('stands for a secret'),
  });
  expect(await told(approve)).toEqual({ status: 204 });
  await clock.until(run.outcome);
  expect(inputs).toEqual([{ to: 'bob' }]);
});

it('takes none where the program decides first', async () => {
  const { told, clock, run, inputs } = await waiting();
  run.deny('1.1');
  expect(await told(approve)).toMatchObject(late);
  await clock.until(run.outcome);
  expect(inputs).toEqual([]);
});

it('takes none about a run that is shown for looking only', async () => {
  const { told, run } = await waiting({ decidable: false });
  for (const decision of [approve, { kind: 'abort' }])
    expect(await told(decision)).toMatchObject({ status: 409, message: expect.stringContaining('looking only') });
  run.abort();
});

/** A run of some steps with large results, whose next call waits: its text and its list are longer than what is kept of a cut one. */
async function waitingInLarge(mostBytesPerRun: number, steps: number) {
  const inspector = await openInspector({ mostBytesPerRun });
  const input = { cmd: `${'A'.repeat(500)} and the end`, list: Array.from({ length: 250 }, (_, index) => index) };
  const save = tool({ inputSchema: anyInput, needsApproval: true, execute: () => 'saved' });
  const looks = Array.from({ length: steps }, (_, index) => act('look', { index }));
  const replies = [...looks, act('save', input), answer('done')];
  const budget = { maxTokens: 1_000_000_000, maxSteps: 100, maxToolCalls: 100 };
  const world = setup({ replies, tools: { save, look: returns('x'.repeat(4_000)) }, agent: { budget } });
  const run = world.start();
  inspector.watch(run, { decidable: true });
  await world.clock.calm();
  const list = await stream(inspector, '/runs');
  await list.until((messages) => listIn(messages).get('r1')?.phase === 'waiting');
  return { ...world, inspector, run, input, callId: `${steps + 1}.1` };
}

it.each([
  { what: 'a run whose texts are cut', mostBytesPerRun: 20_000, steps: 2, isLess: false },
  { what: 'a run of which no more is kept', mostBytesPerRun: 20_000, steps: 20, isLess: true },
])('shows all of a call that waits: $what', async ({ mostBytesPerRun, steps, isLess }) => {
  const large = await waitingInLarge(mostBytesPerRun, steps);
  const reading = await stream(large.inspector, '/runs/r1/events');
  const messages = await reading.until((all) => eventsIn(all).some(({ type }) => type === 'approval.asked'));
  const events = eventsIn(messages).filter(isTraceEvent);
  expect(events.length < large.events.length).toBe(isLess);
  const call = runViews(events)[0]?.steps.at(-1)?.calls.at(-1);
  expect(call).toMatchObject({ callId: large.callId, tool: 'save', status: 'waiting', input: large.input });
  expect(await decide(large.inspector, 'r1', { kind: 'approve', callId: large.callId })).toMatchObject({ status: 204 });
  await large.clock.until(large.run.outcome);
});

it('lets nobody approve what the page cannot show; it may be denied', async () => {
  const { inspector, callId, clock, run, events } = await waitingInLarge(700, 1);
  for (const input of [{}, { input: { cmd: 'other' } }])
    expect(await decide(inspector, 'r1', { kind: 'approve', callId, ...input })).toMatchObject({
      status: 409,
      text: expect.stringMatching(/cannot see.*mostBytesPerRun/),
    });
  expect(await decide(inspector, 'r1', { kind: 'deny', callId, why: 'unseen' })).toMatchObject({ status: 204 });
  await clock.until(run.outcome);
  expect(events.filter(({ type }) => type.startsWith('approval.')).map(({ type }) => type)).toEqual([
    'approval.asked',
    'approval.denied',
  ]);
});
