/** What the model of a simulation says, and how it goes wrong, as plain data. */
import type { JsonValue } from '../core/json.ts';
import type { ScriptedCall, ScriptedReply } from '../models/scripted.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { malformed } from './arbitrary-reply-faults.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { chunkings } from './pieces.ts';
import { brokenCalls } from './replies-native.ts';
import { mostCallsIn } from './simulation-dialects.ts';
import { nestedInputs, nestedTool } from './simulation-nested.ts';

/** What the model means to say in one reply. */
export type Said =
  | { readonly says: 'calls'; readonly calls: readonly { readonly tool: string; readonly input: JsonValue }[] }
  /** A call, and behind it what it makes up: an observation and an answer. */
  | { readonly says: 'fiction'; readonly tool: string }
  | { readonly says: 'answer' }
  /** `calls`: in the provider's own form, and broken. */
  | { readonly says: 'text'; readonly text: string; readonly calls: readonly ScriptedCall[] };

/** How the model's adapter breaks its contract; `null`: not at all. */
export type Breach =
  | null
  | 'throws'
  | 'endless'
  | 'endless_empty'
  | 'goes_on'
  | 'no_event'
  | 'return_hangs'
  | 'silent_end';

export interface SimulatedReply {
  readonly said: Said;
  /** How it streams: delays, cuts, failures, silence, what it claims to have cost. */
  readonly stream: Omit<ScriptedReply, 'text' | 'chunks' | 'reasoning'>;
  /** Of what it says, the share that comes before it fails. */
  readonly kept: number;
  /** How many models it is passed on to before one of them replies. */
  readonly passedOn: number;
  /** The lengths of its pieces. */
  readonly pieces: readonly number[];
  readonly breach: Breach;
}

type Stream = SimulatedReply['stream'];

const noRoute = { failure: 'connection', message: 'no route to the model' } as const;

/** `call` is what the model may want to call; by default the tools of the simulation, and some that do not exist. */
export function simulatedReplies(
  fc: FastCheck,
  dialect: Dialect,
  call = simulatedCalls(fc),
): Arbitrary<SimulatedReply> {
  const count = fc.constantFrom(0, 10, 1_000_000);
  const pauses = fc.constantFrom<Stream>(
    {},
    {},
    { delayMs: 10, betweenMs: 5 },
    { delayMs: 70_000 },
    { betweenMs: 40_000 },
  );
  const passing = fc.record({
    failure: fc.constantFrom<'rate_limited' | 'broke_off'>('rate_limited', 'broke_off'),
    message: fc.constant('not now'),
    retry: fc.record({ afterMs: fc.constantFrom(null, null, 0, 1_000, 30_000, 200_000) }),
  });
  const fault = fc.oneof(
    fc.constantFrom<Stream>(
      {},
      { finish: 'length' },
      { finish: 'content_filter' },
      { hang: true },
      { failure: noRoute },
    ),
    fc.record({ failure: passing }),
    fc.record({ usage: fc.record({ inputTokens: count, outputTokens: count }) }),
  );
  const stream = fc.tuple(pauses, fault).map(([slow, wrong]): Stream => ({ ...slow, ...wrong }));
  return fc.record<SimulatedReply>({
    said: saidBy(fc, dialect, call),
    stream: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: stream }),
    kept: fc.constantFrom(0, 0.5, 0.8, 1),
    passedOn: fc.constantFrom(0, 0, 0, 1, 2),
    pieces: chunkings(fc),
    breach: fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Breach>(
          ...(['throws', 'endless', 'endless_empty', 'goes_on', 'no_event', 'return_hangs', 'silent_end'] as const),
        ),
      },
    ),
  });
}

export type SimulatedCall = Extract<Said, { says: 'calls' }>['calls'][number];

function simulatedCalls(fc: FastCheck): Arbitrary<SimulatedCall> {
  const tool = fc.constantFrom('look', 'look', 'send', 'send', 'poke', 'put', 'close', 'constructor', 'unheard_of');
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ tool, input: fc.record({ n: fc.nat(2) }) }) },
    { weight: 1, arbitrary: fc.record({ tool: fc.constant(nestedTool), input: nestedInputs(fc) }) },
  );
}

function saidBy(fc: FastCheck, dialect: Dialect, call: Arbitrary<SimulatedCall>): Arbitrary<Said> {
  const most = mostCallsIn(dialect);
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ says: fc.constant('calls'), calls: fc.array(call, { minLength: 1, maxLength: most }) }),
    },
    { weight: 2, arbitrary: fc.record({ says: fc.constant('answer') }) },
    { weight: 1, arbitrary: call.map(({ tool }): Said => ({ says: 'fiction', tool })) },
    {
      weight: 1,
      arbitrary: fc.record({
        says: fc.constant('text'),
        text: malformed(fc, dialect),
        calls: dialect.wire === undefined ? fc.constant([]) : brokenCalls(fc),
      }),
    },
  );
}
