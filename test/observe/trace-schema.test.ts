/** What an event must have is asked for by its name; what a later version adds is kept, and what an older one lacked is not missed. */
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { checkedLine } from '../../src/shapes/journal-line.ts';
import { readTrace } from '../../src/trace.ts';
import { samples } from './trace-samples.ts';

const begin = samples['run.started'].least;
const all = Object.entries(samples).map(([type, { least, more }]) => ({ type, least, full: { ...least, ...more } }));

async function read(...values: readonly unknown[]): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  for await (const event of readTrace(
    values.map((value) => JSON.stringify(value)),
    { name: 'x' },
  ))
    events.push(event);
  return events;
}
const second = async (value: unknown) => (await read(begin, value))[1];
const refusal = (value: unknown) =>
  second(value).then(
    () => 'read',
    (thrown: Error) => thrown.message,
  );
const inJournal = (event: object) =>
  checkedLine('format' in event ? { ...event, format: 'fuseloop.journal/1' } : event);

describe.each(all)('$type', ({ least, full }) => {
  it('is read with all that it can have, and with no more than it must', async () => {
    for (const event of [least, full]) {
      expect(await second(event)).toEqual(event);
      expect(inJournal(event)).toHaveProperty('line');
    }
  });

  it('keeps what is not known', async () => {
    const later = { ...full, laterMember: { deep: [1] } };
    expect(await second(later)).toEqual(later);
  });

  it.each(Object.keys(least))('must have %s', async (name) => {
    const without = Object.fromEntries(Object.entries(least).filter(([member]) => member !== name));
    expect(await refusal(without)).toMatch(new RegExp(`^x, line 2, is no event of a trace \\(${name}: `));
    expect(inJournal(without)).toHaveProperty('problem', expect.stringMatching(`^${name}: `));
  });

  const typed = Object.keys(full).filter(
    (name) => !['input', 'output', 'providerData', 'type', 'format'].includes(name),
  );
  it.each(typed)('is refused where %s is of another type', async (name) => {
    const value = typeof Reflect.get(full, name) === 'number' ? 'x' : 7;
    expect(await refusal({ ...full, [name]: value })).toContain(`, line 2, is no event of a trace (${name}`);
  });
});

const settled = samples['call.settled'].least;
const reply = samples['reply.ended'].least;
const checked = samples['calls.checked'].least;
const resumed = samples['run.resumed'].least;
const started = { ...begin, runId: 's' };

describe('words of a later version are kept in a trace, and refused in a journal', () => {
  it.each([
    ['a stop reason', { ...samples['run.ended'].least, stopReason: 'bored' }],
    ['a gate', { ...checked, verdicts: checked.verdicts.map((one) => ({ ...one, gate: 'later' })) }],
    ['a rule', { ...checked, verdicts: checked.verdicts.map((one) => ({ ...one, rule: 'later' })) }],
    ['a mark', { ...checked, verdicts: checked.verdicts.map((one) => ({ ...one, effect: 'later' })) }],
    ['a violation', { ...reply, violation: 'later' }],
    ['a failure', { ...samples['reply.failed'].least, failure: 'later' }],
    ['a policy', { ...started, policy: 'later' }],
    ['a stop', { ...samples['reply.stopped'].least, stop: 'later' }],
    ['a cause', { ...samples['approval.denied'].least, cause: 'later' }],
  ])('%s', async (_name, event) => {
    expect(await second(event)).toEqual(event);
    expect(inJournal(event)).toHaveProperty('problem');
  });
});

it.each(['wallMs', 'atMs'])('what is no time is refused: %s', async (name) => {
  for (const value of [1e308, -1e308, 1.1e16])
    expect(await refusal({ ...settled, [name]: value })).toContain(`is no event of a trace (${name}: `);
  const furthest = { ...settled, [name]: Number.MAX_SAFE_INTEGER };
  expect(await second(furthest)).toEqual(furthest);
});

describe('those that say what became of a call are not', () => {
  it.each([
    ['result', { ...settled, result: 'later' }],
    ['verdicts.0.pass', { ...checked, verdicts: checked.verdicts.map((one) => ({ ...one, pass: 'later' })) }],
    ['calls.0.status', { ...resumed, calls: resumed.calls.map((one) => ({ ...one, status: 'later' })) }],
  ])('%s', async (path, event) => {
    expect(await refusal(event)).toContain(`(${path}: `);
  });
});

it('an event that is not known is kept with its place, and is refused without', async () => {
  const later = { type: 'plan.made', sequence: 1, wallMs: 0, state: 'PLAN', steps: [1] };
  expect(await second(later)).toEqual(later);
  expect(await refusal({ ...later, sequence: undefined })).toContain('(sequence: ');
});

it('of a nested event the path is told, however deep it is', async () => {
  const nested = samples['call.nested'].least;
  const deep = { ...nested, event: { ...nested, event: { ...settled, observation: 7 } } };
  expect(await refusal(deep)).toContain('observation: ');
});

it('what is nested without end is refused, and not the end of the program', async () => {
  const { event: _, ...outer } = samples['call.nested'].least;
  const open = `${JSON.stringify(outer).slice(0, -1)},"event":`;
  const text = `${open.repeat(20_000)}{}${'}'.repeat(20_000)}`;
  const reading = readTrace([JSON.stringify(begin), text])[Symbol.asyncIterator]();
  await reading.next();
  await expect(reading.next()).rejects.toMatchObject({ code: 'invalid_option' });
});

it('the next version is refused, with what to do', async () => {
  await expect(read({ ...begin, format: 'fuseloop.trace/2' })).rejects.toMatchObject({
    code: 'invalid_option',
    message: 'x, line 1, is of the format "fuseloop.trace/2"; this version of fuseloop reads fuseloop.trace/1.',
    hint: expect.stringContaining('version of fuseloop that wrote it'),
  });
});
