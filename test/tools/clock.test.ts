import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentError } from '../../src/core/errors.ts';
import type { ToolCallOptions } from '../../src/core/tool.ts';
import { type ClockInput, type ClockOutput, clockTool } from '../../tools/clock.ts';

const options: ToolCallOptions = {
  toolCallId: 'c1',
  idempotencyKey: 'run:c1',
  attempt: 1,
  abortSignal: new AbortController().signal,
  messages: [],
  context: undefined,
};
const at = (iso: string, timeZone = 'UTC') => clockTool({ clock: { wallMs: () => Date.parse(iso) }, timeZone });
const ask = async (iso: string, input: ClockInput, timeZone?: string): Promise<ClockOutput> =>
  at(iso, timeZone).execute(input, options);

describe('answers', () => {
  it.each<[string, string, ClockInput, ClockOutput]>([
    ['2026-11-30T23:30:00Z', 'UTC', { operation: 'today' }, { date: '2026-11-30', weekday: 'Monday' }],
    ['2026-11-30T23:30:00Z', 'Asia/Shanghai', { operation: 'today' }, { date: '2026-12-01', weekday: 'Tuesday' }],
    ['2026-11-30T03:30:00Z', 'America/New_York', { operation: 'today' }, { date: '2026-11-29', weekday: 'Sunday' }],
    [
      '2026-11-30T00:05:09Z',
      'UTC',
      { operation: 'now' },
      { date: '2026-11-30', weekday: 'Monday', time: '00:05:09', timeZone: 'UTC' },
    ],
    ['2026-11-30T12:00:00Z', 'UTC', { operation: 'firstOfNextMonth' }, { date: '2026-12-01', weekday: 'Tuesday' }],
    ['2026-12-31T12:00:00Z', 'UTC', { operation: 'firstOfNextMonth' }, { date: '2027-01-01', weekday: 'Friday' }],
    [
      '2026-11-30T12:00:00Z',
      'UTC',
      { operation: 'firstOfNextMonth', from: '2027-01-31' },
      { date: '2027-02-01', weekday: 'Monday' },
    ],
    [
      '2026-11-30T12:00:00Z',
      'UTC',
      { operation: 'daysBetween', from: 'today', to: '2026-12-01' },
      { days: 1, from: '2026-11-30', to: '2026-12-01' },
    ],
    [
      '2026-03-28T12:00:00Z',
      'Europe/Berlin',
      { operation: 'daysBetween', from: ' Today', to: '2026-03-30' },
      { days: 2, from: '2026-03-28', to: '2026-03-30' },
    ],
    [
      '2026-11-30T12:00:00Z',
      'UTC',
      { operation: 'daysBetween', from: '2028-03-01', to: '2028-02-28' },
      { days: -2, from: '2028-03-01', to: '2028-02-28' },
    ],
    [
      '2026-11-30T12:00:00Z',
      'UTC',
      { operation: 'daysBetween', from: '0001-01-01', to: '2000-01-01' },
      { days: 730_119, from: '0001-01-01', to: '2000-01-01' },
    ],
  ])('%s in %s: %o', async (now, timeZone, input, output) => expect(await ask(now, input, timeZone)).toEqual(output));
});

describe('errors', () => {
  it.each<[ClockInput, RegExp]>([
    [{ operation: 'daysBetween', from: '2026-02-30', to: 'today' }, /2026-02-30 does not exist/],
    [{ operation: 'daysBetween', from: 'today', to: '2026-13-01' }, /2026-13-01 does not exist/],
    [{ operation: 'daysBetween', from: 'today', to: '2027-02-29' }, /2027-02-29 does not exist/],
    [{ operation: 'daysBetween', from: '30.11.2026', to: 'today' }, /"30.11.2026" is not a date.*2026-02-28/],
    [{ operation: 'daysBetween', from: '2026-2-3', to: 'today' }, /not a date/],
    [{ operation: 'daysBetween', from: 'tomorrow', to: 'today' }, /not a date/],
    [{ operation: 'daysBetween', to: 'today' }, /no from.*needs both/],
    [{ operation: 'daysBetween', from: 'today' }, /no to.*needs both/],
    [{ operation: 'firstOfNextMonth', from: '9999-12-01' }, /not a date/],
  ])('%o', async (input, message) => {
    await expect(ask('2026-11-30T12:00:00Z', input)).rejects.toThrow(message);
  });

  it('an operation that does not exist', async () => {
    const input: ClockInput = JSON.parse('{"operation":"constructor"}');
    await expect(ask('2026-11-30T12:00:00Z', input)).rejects.toThrow(/"constructor".*today, now, firstOfNextMonth/);
  });

  it('a time zone that does not exist is refused at creation', () => {
    expect(() => clockTool({ timeZone: 'Mars/Olympus' })).toThrow(AgentError);
  });
});

it('reads the clock of the machine by default', async () => {
  const before = new Intl.DateTimeFormat('en-CA').format(Date.now());
  const output = await clockTool().execute({ operation: 'today' }, options);
  const after = new Intl.DateTimeFormat('en-CA').format(Date.now());
  expect([before, after]).toContain('date' in output ? output.date : null);
});

it('the days to a later date and back cancel out, and the first of the next month is 1 to 31 days away', async () => {
  const iso = fc
    .integer({ min: Date.UTC(1600, 0), max: Date.UTC(2400, 0) })
    .map((ms) => new Date(ms).toISOString().slice(0, 10));
  await fc.assert(
    fc.asyncProperty(iso, iso, async (from, to) => {
      const there = await ask(`${from}T10:00:00Z`, { operation: 'daysBetween', from: 'today', to });
      const back = await ask(`${to}T10:00:00Z`, { operation: 'daysBetween', from: 'today', to: from });
      expect('days' in there && 'days' in back ? there.days + back.days : null).toBe(0);
      const first = await ask(`${from}T10:00:00Z`, { operation: 'firstOfNextMonth' });
      const next = 'date' in first ? first.date : '';
      const away = await ask(`${from}T10:00:00Z`, { operation: 'daysBetween', from: 'today', to: next });
      expect(next).toMatch(/-01$/);
      expect('days' in away && away.days >= 1 && away.days <= 31).toBe(true);
    }),
  );
});
