/**
 * Dates for agents: today, now, the first of the next month, and the days between two dates. Models do not know the
 * date and count days badly. Days are those of the calendar, counted in UTC, where each has 24 hours; only "today" and
 * "now" depend on a time zone.
 */
import type { Clock } from '../src/core/clock.ts';
import { AgentError } from '../src/core/errors.ts';
import type { Tool } from '../src/core/tool.ts';

export interface ClockToolOptions {
  /** Default: the clock of the machine. */
  readonly clock?: Pick<Clock, 'wallMs'>;
  /** An IANA name such as `Europe/Berlin`. Default: the time zone of the machine. */
  readonly timeZone?: string;
}

export interface ClockInput {
  readonly operation: 'today' | 'now' | 'firstOfNextMonth' | 'daysBetween';
  /** A date such as `2026-02-28`, or `today`. */
  readonly from?: string;
  readonly to?: string;
}

export type ClockOutput =
  | { readonly date: string; readonly weekday: string }
  | { readonly date: string; readonly weekday: string; readonly time: string; readonly timeZone: string }
  | { readonly days: number; readonly from: string; readonly to: string };

/** Throws an AgentError (`invalid_option`) for a time zone that does not exist. The tool throws plain Errors. */
export function clockTool(options: ClockToolOptions = {}): Tool<ClockInput, ClockOutput> {
  const wallMs = options.clock === undefined ? Date.now : options.clock.wallMs.bind(options.clock);
  const format = formatFor(options.timeZone);
  return {
    description:
      'Tells the date and counts days. Operations: today; now (date and time); firstOfNextMonth (the first day of the ' +
      'month after `from`, by default after today); daysBetween (`from` and `to`; negative where `to` is earlier). ' +
      'Dates are written 2026-02-28, or "today".',
    inputSchema,
    readOnly: true,
    execute: (input) => answer(input, instantOf(format, wallMs())),
  };
}

const operations = ['today', 'now', 'firstOfNextMonth', 'daysBetween'];
const dateSchema = { type: 'string', description: 'A date such as 2026-02-28, or "today".' };
const inputSchema = {
  type: 'object',
  properties: { operation: { type: 'string', enum: operations }, from: dateSchema, to: dateSchema },
  required: ['operation'],
  additionalProperties: false,
};

function formatFor(timeZone: string | undefined): Intl.DateTimeFormat {
  const two = '2-digit';
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory', { ...fields, hourCycle: 'h23', timeZone });
  } catch (cause) {
    throw new AgentError('invalid_option', `clockTool: the time zone ${JSON.stringify(timeZone)} does not exist.`, {
      hint: 'timeZone is an IANA name such as UTC or Europe/Berlin. Leave it out for the time zone of the machine.',
      cause,
    });
  }
}

interface Instant {
  readonly date: string;
  readonly time: string;
  readonly timeZone: string;
}

function instantOf(format: Intl.DateTimeFormat, wallMs: number): Instant {
  const parts = new Map(format.formatToParts(wallMs).map(({ type, value }) => [type, value]));
  const [year, month, day, hour, minute, second] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map(
    (field) => parts.get(field),
  );
  const { timeZone } = format.resolvedOptions();
  return { date: `${year}-${month}-${day}`, time: `${hour}:${minute}:${second}`, timeZone };
}

function answer(input: ClockInput, now: Instant): ClockOutput {
  switch (input.operation) {
    case 'today':
      return dated(dayOf('today', now));
    case 'now':
      return { ...dated(dayOf('today', now)), time: now.time, timeZone: now.timeZone };
    case 'firstOfNextMonth':
      return dated(dayOf(isoOf(firstOfNextMonth(dayOf(input.from ?? 'today', now))), now));
    case 'daysBetween':
      return daysBetween(input, now);
    default:
      return unknownOperation(input.operation);
  }
}

const dayMs = 86_400_000;

function daysBetween({ from, to }: ClockInput, now: Instant): ClockOutput {
  if (from === undefined || to === undefined)
    throw new Error(
      `daysBetween was given no ${from === undefined ? 'from' : 'to'}. It needs both, such as {"operation":"daysBetween","from":"today","to":"2027-01-01"}.`,
    );
  const [start, end] = [dayOf(from, now), dayOf(to, now)];
  return { days: Math.round((end.getTime() - start.getTime()) / dayMs), from: isoOf(start), to: isoOf(end) };
}

function firstOfNextMonth(day: Date): Date {
  return new Date(new Date(day).setUTCMonth(day.getUTCMonth() + 1, 1));
}

/** Midnight in UTC of a date as written. A day that does not exist comes back from `Date` as another one. */
function dayOf(written: string, now: Instant): Date {
  const iso = written.trim().toLowerCase() === 'today' ? now.date : written.trim();
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso))
    throw new Error(
      `${JSON.stringify(written)} is not a date that can be read. Write year-month-day such as 2026-02-28, or "today".`,
    );
  const day = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || isoOf(day) !== iso)
    throw new Error(
      `The date ${iso} does not exist. Months are 01 to 12 and days 01 to the last of the month; correct it.`,
    );
  return day;
}

function dated(day: Date): { readonly date: string; readonly weekday: string } {
  return { date: isoOf(day), weekday: weekdays[day.getUTCDay()] ?? '' };
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function isoOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

function unknownOperation(operation: never): never {
  throw new Error(`${JSON.stringify(operation)} is not an operation. Use one of ${operations.join(', ')}.`);
}
