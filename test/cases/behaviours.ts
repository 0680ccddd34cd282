/** What a tool of a case does when it is called, by name. */
import { setTimeout as realPause } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../../src/index.ts';
import { misbehave, misdeed } from './misbehaviours.ts';

/** One call, as a behaviour sees it. */
export interface Doing {
  readonly setTimer: Clock['setTimer'];
  /** Made when it is read. */
  readonly signal: () => AbortSignal;
  readonly honoursSignal: boolean;
  /** How often this tool was called before. */
  readonly before: number;
  /** The effect happens now. */
  readonly commit: () => void;
}

type Behaviour = (value: unknown, doing: Doing) => unknown;

type Fields = { readonly [key: string]: unknown };

/** Throws ZodError for a value that the behaviour cannot use, and Error for a behaviour that nobody knows. */
export function checkBehaviour(name: string, value: unknown): void {
  const known = behaviours.get(name);
  if (known === undefined) throw new Error(`the tool behaviour ${name} is unknown`);
  known.shape.parse(value);
}

export function behave(name: string, value: unknown, doing: Doing): unknown {
  return behaviours.get(name)?.run(value, doing);
}

/** It asks the loop to end the run, which no tool of ours can do. */
export const needsNewPart: ReadonlyMap<string, string> = new Map([
  ['throwsFatal', 'tools that end the run with an error'],
]);

interface Known {
  readonly shape: z.ZodType;
  readonly run: Behaviour;
}

function known<Value>(shape: z.ZodType<Value>, run: (value: Value, doing: Doing) => unknown): Known {
  return { shape, run: (value, doing) => run(shape.parse(value), doing) };
}

const nothing = z.unknown().optional();
const text = z.string();
const message = z.union([text.transform((words) => ({ message: words })), z.looseObject({ message: text })]);
const later = z.strictObject({ ms: z.number().nonnegative(), value: z.unknown().optional() });
const hugeText = z.strictObject({
  chars: z.number().int().nonnegative(),
  fill: text.min(1).default('x'),
  head: text.default(''),
  tail: text.default(''),
});

const behaviours: ReadonlyMap<string, Known> = new Map([
  ['returns', known(z.unknown(), (value, doing) => committed(doing, value))],
  ['empty', known(nothing, (_value, { commit }) => commit())],
  ['throws', known(message, fail)],
  ['throwsFatal', known(message, ({ message: words, ...fields }) => fail({ ...fields, message: words, fatal: true }))],
  ['hangs', known(nothing, (_value, doing) => untilAborted(doing, doing.honoursSignal))],
  ['delays', known(later, ({ ms, value }, doing) => after(ms, doing, () => committed(doing, value)))],
  ['rejectsOnAbort', known(nothing, (_value, doing) => untilAborted(doing, true))],
  ['commitsThenHangs', known(nothing, (_value, doing) => committed(doing, untilAborted(doing, false)))],
  ['commitsLate', known(later, ({ ms, value }, doing) => commitsLate(ms, value, doing))],
  ['returnsSequence', known(z.array(z.unknown()).min(1), (values, doing) => committed(doing, nth(values, doing)))],
  [
    'sequence',
    known(z.array(z.record(text, z.unknown())).min(1), (entries, doing) => oneOf(nth(entries, doing), doing)),
  ],
  ['huge', known(hugeText, (value, doing) => committed(doing, hugeOf(value)))],
  ['binary', known(z.strictObject({ mime: text, bytes: z.number().int().nonnegative() }), binaryOf)],
  ['misbehaves', known(misdeed, misbehave)],
  ['returnsExpr', known(z.looseObject({ type: text }), expressionOf)],
]);

/** The effect happens, and this comes of it. */
function committed<Value>({ commit }: Doing, value: Value): Value {
  commit();
  return value;
}

function fail({ message: words, ...fields }: Fields & { readonly message: string }): never {
  throw Object.assign(new Error(words), fields);
}

/** The last one stays. */
function nth<Value>(values: readonly Value[], { before }: Doing): Value | undefined {
  return values[Math.min(before, values.length - 1)];
}

/** `{ throws: 'bad' }` is the behaviour `throws` with the value `bad`; beside it may stand nothing. */
function oneOf(entry: { readonly [name: string]: unknown } | undefined, doing: Doing): unknown {
  const [name, value] = Object.entries(entry ?? {})[0] ?? ['', undefined];
  checkBehaviour(name, value);
  return behave(name, value, doing);
}

function untilAborted({ signal }: Doing, heeds: boolean): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (!heeds) return;
    const aborted = signal();
    const stop = () => reject(new Error('aborted by the signal'));
    if (aborted.aborted) stop();
    else aborted.addEventListener('abort', stop, { once: true });
  });
}

function after(ms: number, doing: Doing, then: () => unknown): Promise<unknown> {
  const result = new Promise((resolve) => doing.setTimer(ms, () => resolve(then())));
  return doing.honoursSignal ? Promise.race([result, untilAborted(doing, true)]) : result;
}

function commitsLate(ms: number, value: unknown, doing: Doing): Promise<unknown> {
  return after(ms, { ...doing, honoursSignal: false }, () => committed(doing, value));
}

function hugeOf({ chars, fill, head, tail }: z.infer<typeof hugeText>): string {
  const room = Math.max(0, chars - head.length - tail.length);
  return head + fill.repeat(Math.ceil(room / fill.length)).slice(0, room) + tail;
}

const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** As a tool of JavaScript hands out a picture: bytes, and what they are. */
function binaryOf({ mime, bytes }: { readonly mime: string; readonly bytes: number }): unknown {
  const data = new Uint8Array(bytes);
  data.set(pngHead.slice(0, bytes));
  return { mime, data };
}

const expressions: ReadonlyMap<string, (value: Fields) => unknown> = new Map<string, (value: Fields) => unknown>([
  ['bigint', ({ text: digits }) => BigInt(String(digits))],
  ['circular', () => circular()],
  ['nested', ({ depth }) => nested(Number(depth))],
  ['undefined', () => undefined],
  ['null', () => null],
  ['nan', () => Number.NaN],
  ['infinity', () => Number.POSITIVE_INFINITY],
  ['symbol', ({ text: name }) => Symbol(String(name))],
  ['function', () => () => 1],
  ['date', ({ text: at }) => new Date(String(at))],
  ['map', () => new Map([['key', 'value']])],
  ['set', () => new Set(['value'])],
  ['error', ({ text: words }) => new Error(String(words))],
  ['getterThrows', () => withThrowingGetter()],
  ['toJSONThrows', ({ text: words }) => ({ toJSON: () => fail({ message: String(words) }) })],
  ['promise', ({ text: words }) => realPause(0, String(words))],
]);

function expressionOf(value: Fields & { readonly type: string }): unknown {
  const make = expressions.get(value.type);
  if (make === undefined) throw new Error(`returnsExpr knows no type ${value.type}`);
  return make(value);
}

function circular(): object {
  const a: Record<string, unknown> = { name: 'a' };
  a.self = a;
  return a;
}

function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = { inner: value };
  return value;
}

function withThrowingGetter(): object {
  return Object.defineProperty({}, 'value', {
    enumerable: true,
    get: () => fail({ message: 'this getter throws' }),
  });
}
