/**
 * The script of one simulated run, as plain data: what the model, the tools, the person, the observer and fate do to it.
 * Once a part of it is used up that part turns calm: the model answers, tools return, a person approves.
 */

import type { JsonValue } from '../core/json.ts';
import { type Budget, defaults } from '../core/limits.ts';
import type { ScriptedCall, ScriptedReply } from '../models/scripted.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { malformed } from './arbitrary-reply-faults.ts';
import { budgets } from './arbitrary-script.ts';
import { type ToolBehaviour, toolBehaviours } from './arbitrary-tool.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { chunkings } from './pieces.ts';
import { brokenCalls } from './replies-native.ts';
import { mostCallsIn, simulatedDialect, simulatedDialects } from './simulation-dialects.ts';

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
  /** The lengths of its pieces. */
  readonly pieces: readonly number[];
  readonly breach: Breach;
}

/** What a person does when asked about a call. */
export type Decision = 'approve' | 'deny' | 'edit' | 'edit_badly' | 'twice' | 'never';

/** The process dies behind that many events of the trace, and a new one goes on from the snapshot. */
export interface Crash {
  readonly afterEvents: number;
  /** `at_once`: the event is recorded, and nothing that follows from it was begun. `later`: it was. */
  readonly when: 'at_once' | 'later';
  readonly downMs: number;
  /** The store gives a torn document first, which must be refused whole; then the one that was put into it. */
  readonly torn: boolean;
}

export interface SimulationScript {
  /** The name of one that ships, or `several`. */
  readonly dialect: string;
  readonly budget: Budget;
  readonly loopGuard: boolean;
  readonly maxParallel: number;
  readonly maxEmptyResults: number | undefined;
  readonly checks: 'none' | 'accepts' | 'rejects' | 'throws' | 'hangs';
  readonly replies: readonly SimulatedReply[];
  /** How often the model says each of them before it comes to the next. */
  readonly repeats: number;
  readonly tools: readonly ToolBehaviour[];
  /** With nobody there a run that has to ask suspends, and is taken up later. */
  readonly attended: boolean;
  readonly decisions: readonly Decision[];
  readonly crashes: readonly Crash[];
  readonly abortAtMs: number | null;
  readonly wallJumpMs: number;
  readonly observer: 'watches' | 'throws' | 'rejects' | 'hangs';
}

/** The tools of every simulation, and how they are marked. */
export const simulatedTools = {
  look: { readOnly: true, retries: 1, rateLimit: { calls: 2, perMs: 1500 } },
  send: { sideEffect: true, retries: 2, rateLimit: { calls: 1, perMs: 5000 } },
  poke: { retries: 1, rateLimit: { calls: 1, perMs: 3000 } },
  put: { idempotent: true, retries: 2 },
  close: { readOnly: true, endsRun: true },
} as const;

/** So that most runs go far; small budgets are drawn as well. */
const ample: Budget = Object.freeze({ ...defaults.budget, maxSteps: 8, maxToolCalls: 8 });

export function simulationScripts(fc: FastCheck): Arbitrary<SimulationScript> {
  const often = <Value>(usual: Value, ...others: readonly Value[]) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) });
  const shared = {
    budget: fc.oneof({ weight: 2, arbitrary: fc.constant(ample) }, { weight: 1, arbitrary: budgets(fc) }),
    loopGuard: fc.boolean(),
    maxParallel: fc.integer({ min: 1, max: 3 }),
    maxEmptyResults: often<number | undefined>(undefined, 1, 2),
    checks: often<SimulationScript['checks']>('none', 'accepts', 'rejects', 'throws', 'hangs'),
    repeats: often(1, 5),
    tools: fc.array(toolBehaviours(fc), { maxLength: 6 }),
    attended: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    decisions: fc.array(
      fc.constantFrom<Decision>('approve', 'approve', 'deny', 'edit', 'edit_badly', 'twice', 'never'),
      { maxLength: 4 },
    ),
    crashes: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: crashLists(fc) }),
    abortAtMs: often<number | null>(null, 0, 5, 30_000),
    wallJumpMs: often(0, -3_600_000, 3_600_000),
    observer: often<SimulationScript['observer']>('watches', 'throws', 'rejects', 'hangs'),
  };
  const inDialect = (dialect: string) =>
    fc.record<SimulationScript>({
      dialect: fc.constant(dialect),
      replies: fc.array(simulatedReplies(fc, simulatedDialect(dialect)), { maxLength: 8 }),
      ...shared,
    });
  // Several calls a reply is where most can go wrong.
  return fc.oneof(
    ...simulatedDialects.map((name) => ({
      weight: mostCallsIn(simulatedDialect(name)) > 1 ? 2 : 1,
      arbitrary: inDialect(name),
    })),
  );
}

function crashLists(fc: FastCheck): Arbitrary<readonly Crash[]> {
  const crash = fc.record<Crash>({
    afterEvents: fc.integer({ min: 1, max: 16 }),
    when: fc.constantFrom('at_once', 'later'),
    downMs: fc.constantFrom(0, 1_000, 86_400_000),
    torn: fc.boolean(),
  });
  return fc.array(crash, { minLength: 1, maxLength: 3 });
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
  const fault = fc.oneof(
    fc.constantFrom<Stream>(
      {},
      { finish: 'length' },
      { finish: 'content_filter' },
      { hang: true },
      { failure: noRoute },
    ),
    fc.record({ usage: fc.record({ inputTokens: count, outputTokens: count }) }),
  );
  const stream = fc.tuple(pauses, fault).map(([slow, wrong]): Stream => ({ ...slow, ...wrong }));
  return fc.record<SimulatedReply>({
    said: saidBy(fc, dialect, call),
    stream: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: stream }),
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
  return fc.record({ tool, input: fc.record({ n: fc.nat(2) }) });
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
