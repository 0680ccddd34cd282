/** What a person decides in the page: once, in time, about what waits, and only where that was asked for. */
import { expect, it } from 'vitest';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, setup } from '../shell/setup.ts';
import { decide, listIn, openInspector, stream } from './opened.ts';

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
  const { told, clock, run, inputs } = await waiting();
  expect(await told({ kind: 'approve', callId: '9.9' })).toMatchObject({
    ...late,
    hint: expect.stringContaining('1.1'),
  });
  expect(await told({ kind: 'deny', callId: '1.1' })).toMatchObject({ status: 400 });
  expect(await told({ ...approve, input: { key: '[redacted]' } })).toMatchObject({
    status: 400,
    message: expect.stringContaining('[redacted]'),
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
