/**
 * The script of one simulated run, as plain data: what the model, the tools, the person, the observer and fate do to it.
 * Once a part of it is used up that part turns calm: the model answers, tools return, a person approves.
 */
import { type Budget, defaults } from '../core/limits.ts';
import { budgets } from './arbitrary-script.ts';
import { type ToolBehaviour, toolBehaviours } from './arbitrary-tool.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { mostCallsIn, simulatedDialect, simulatedDialects } from './simulation-dialects.ts';
import { type NestedScript, nestedScripts } from './simulation-nested.ts';
import { type SimulatedReply, simulatedReplies } from './simulation-replies.ts';

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
  readonly modelRetries: number;
  readonly checks: 'none' | 'accepts' | 'rejects' | 'throws' | 'hangs';
  readonly replies: readonly SimulatedReply[];
  /** How often the model says each of them before it comes to the next. */
  readonly repeats: number;
  readonly tools: readonly ToolBehaviour[];
  readonly nested: NestedScript;
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
    modelRetries: often(2, 0, 1, 4),
    checks: often<SimulationScript['checks']>('none', 'accepts', 'rejects', 'throws', 'hangs'),
    repeats: often(1, 5),
    tools: fc.array(toolBehaviours(fc), { maxLength: 6 }),
    nested: nestedScripts(fc),
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
