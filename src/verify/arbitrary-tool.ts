/** Tools that misbehave, as data, and the tools made of it. */
import type { Clock } from '../core/clock.ts';
import type { JsonValue } from '../core/json.ts';
import type { AnyTool, ToolCallOptions, ToolMarks } from '../core/tool.ts';
import { jsonValues } from './arbitrary-input.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

/**
 * What a tool does when it is called, `afterMs` after that (0: at once, without a promise).
 *
 * `returns` a JSON value; `floods` with so many characters; `odd` returns something that is not JSON; `throws` an error
 * with a message; `throws_odd` throws something that is no error; `changes_input` writes into the object it was given;
 * `yields` values piece by piece, each `afterMs` after the one before, and then ends well, throws, or never ends; `hangs`
 * and never settles; `stops_on_abort` settles only when its signal is aborted.
 */
export type ToolBehaviour =
  | { readonly does: 'returns'; readonly afterMs: number; readonly value: JsonValue }
  | { readonly does: 'floods'; readonly afterMs: number; readonly characters: number }
  | { readonly does: 'odd'; readonly afterMs: number; readonly value: OddValue }
  | { readonly does: 'throws'; readonly afterMs: number; readonly message: string }
  | { readonly does: 'throws_odd'; readonly afterMs: number; readonly value: OddValue }
  | { readonly does: 'changes_input'; readonly afterMs: number }
  | {
      readonly does: 'yields';
      readonly afterMs: number;
      readonly values: readonly JsonValue[];
      readonly ends: 'well' | 'throws' | 'never';
    }
  | { readonly does: 'hangs' }
  | { readonly does: 'stops_on_abort'; readonly rejects: boolean };

/** Values that JSON does not have, or that resist being looked at. */
const oddValues = {
  undefined: () => undefined,
  nothing: () => null,
  bigint: () => 2n ** 70n,
  symbol: () => Symbol('odd'),
  function: () => () => 1,
  not_a_number: () => Number.NaN,
  circular: () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    return loop;
  },
  deep: () => {
    let inside: unknown = null;
    for (let level = 0; level < 3_000; level++) inside = [inside];
    return inside;
  },
  getter_throws: () => ({
    get value(): never {
      throw new Error('a getter threw');
    },
  }),
  to_json_throws: () => ({
    toJSON(): never {
      throw new Error('toJSON threw');
    },
  }),
  message_throws: () => ({
    get message(): never {
      throw new Error('a message threw');
    },
  }),
  thenable_throws: () => ({
    // biome-ignore lint/suspicious/noThenProperty: a broken promise is the point.
    get then(): never {
      throw new Error('then threw');
    },
  }),
  thenable_twice: () => ({
    // biome-ignore lint/suspicious/noThenProperty: a promise that settles twice is the point.
    then(resolve: (value: unknown) => void, reject: (thrown: unknown) => void) {
      resolve('once');
      reject(new Error('twice'));
      resolve('thrice');
    },
  }),
  error_message_throws: () =>
    Object.defineProperty(new Error('x'), 'message', {
      get(): never {
        throw new Error('a message threw');
      },
    }),
  error_message_odd: () => Object.assign(new Error('x'), { message: { not: 'a text' } }),
  error_name_odd: () => Object.assign(new Error(''), { name: Symbol('odd') }),
  shared: () => {
    let inside: unknown = 'leaf';
    for (let level = 0; level < 60; level++) inside = [inside, inside];
    return inside;
  },
  sparse: () => {
    const list: unknown[] = [];
    list.length = 2 ** 31;
    return list;
  },
  wide: () => Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`key${index}`, index])),
  hostile_proxy: () =>
    new Proxy(
      {},
      {
        getPrototypeOf(): never {
          throw new Error('a proxy threw');
        },
        ownKeys(): never {
          throw new Error('a proxy threw');
        },
      },
    ),
  revoked: () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  bytes: () => new Uint8Array(10_000),
  stream: (): unknown => new ReadableStream(),
  response: (): unknown => new Response('content', { status: 503 }),
  map: () => new Map<unknown, unknown>([[{}, new Set([1, new Date(Number.NaN)])]]),
} as const satisfies { readonly [name: string]: () => unknown };

export type OddValue = keyof typeof oddValues;

const oddNames = Object.keys(oddValues).filter((name): name is OddValue => Object.hasOwn(oddValues, name));

export function toolBehaviours(fc: FastCheck): Arbitrary<ToolBehaviour> {
  const afterMs = fc.constantFrom(0, 0, 0, 1, 50, 20_000, 1_000_000);
  const odd = fc.constantFrom(...oddNames);
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ does: fc.constant('returns'), afterMs, value: jsonValues(fc) }) },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constant('floods'), afterMs, characters: fc.constantFrom(5_000, 200_000) }),
    },
    { weight: 3, arbitrary: fc.record({ does: fc.constant('odd'), afterMs, value: odd }) },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('throws'), afterMs, message: fc.string({ maxLength: 40 }) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('throws_odd'), afterMs, value: odd }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('changes_input'), afterMs }) },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('yields'),
        afterMs,
        values: fc.array(jsonValues(fc), { maxLength: 3 }),
        ends: fc.constantFrom('well', 'well', 'throws', 'never'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('hangs') }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('stops_on_abort'), rejects: fc.boolean() }) },
  );
}

/** Any object will do as its input. `clock` is what `afterMs` passes on; give the agent the same one. */
export function toolOf(behaviour: ToolBehaviour, clock: Pick<Clock, 'setTimer'>, marks: ToolMarks = {}): AnyTool {
  return {
    description: `A tool that ${behaviour.does}.`,
    inputSchema: { type: 'object' },
    execute: (input: unknown, options: ToolCallOptions) => perform(behaviour, { input, clock, options }),
    ...marks,
  };
}

interface Called {
  readonly input: unknown;
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly options: ToolCallOptions;
}

function perform(behaviour: ToolBehaviour, { input, clock, options }: Called): unknown {
  if (behaviour.does === 'hangs') return new Promise(() => {});
  if (behaviour.does === 'stops_on_abort') return untilAbort(options.abortSignal, behaviour.rejects);
  if (behaviour.does === 'yields') return pieces(behaviour, clock);
  if (behaviour.afterMs === 0) return settle(behaviour, input);
  return new Promise((resolve, reject) => {
    clock.setTimer(behaviour.afterMs, () => {
      try {
        resolve(settle(behaviour, input));
      } catch (thrown) {
        reject(thrown);
      }
    });
  });
}

async function* pieces(
  { afterMs, values, ends }: Extract<ToolBehaviour, { does: 'yields' }>,
  clock: Called['clock'],
): AsyncGenerator<JsonValue> {
  for (const value of values) {
    if (afterMs > 0) await new Promise<void>((resolve) => clock.setTimer(afterMs, resolve));
    yield value;
  }
  if (ends === 'throws') throw new Error('the line broke');
  if (ends === 'never') await new Promise(() => {});
}

function untilAbort(signal: AbortSignal, rejects: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const leave = () => (rejects ? reject(signal.reason) : resolve('left when aborted'));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

function settle(
  behaviour: Exclude<ToolBehaviour, { does: 'hangs' | 'stops_on_abort' | 'yields' }>,
  input: unknown,
): unknown {
  switch (behaviour.does) {
    case 'returns':
      return behaviour.value;
    case 'floods':
      return 'x'.repeat(behaviour.characters);
    case 'odd':
      return oddValues[behaviour.value]();
    case 'changes_input':
      return spoil(input);
    case 'throws':
      throw new Error(behaviour.message);
    case 'throws_odd':
      throw oddValues[behaviour.value]();
  }
}

/** Writes wherever it can. */
function spoil(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'nothing to change';
  for (const key of Object.keys(value)) {
    const inside: unknown = Reflect.get(value, key);
    if (typeof inside === 'object' && inside !== null) spoil(inside);
    else Reflect.set(value, key, 'changed');
  }
  Reflect.set(value, 'added', true);
  return 'changed';
}
