/**
 * The target `journal`: traces of real runs, also of such that went on from a snapshot, whole and damaged, to the fold. A
 * whole one is folded to its end; a damaged one is refused, or comes to the very same end.
 */
import { AgentError } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import type { Folded } from '../shell/fold.ts';
import { type Damage, damagedCopy, damages } from './damage.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { foldTrace } from './fold.ts';
import { type PlayOptions, playRun, type RunScript, runScripts } from './fuzz-runs.ts';
import { broken, type FuzzTarget, feed, mustEqual } from './fuzz-target.ts';

interface Example {
  readonly script: RunScript;
  /** Whether the run goes on from its snapshot, in the same trace. */
  readonly resumes: boolean;
  /** To the list of events, or to one of them. */
  readonly lines: { readonly how: 'drop' | 'double' | 'swap' | 'drop and renumber'; readonly at: number } | null;
  readonly edits: readonly Damage[];
}

/** `fold`: ours, or another that keeps the same promise. */
export function journalTarget(fold: typeof foldTrace = foldTrace): FuzzTarget {
  return {
    name: 'journal',
    takes: ['machine'],
    tells: 'damaged traces of real runs: the fold refuses them by number, or comes to the very same end',
    runs: 1_000,
    feed: (fc, { machine }) => {
      // A damaged trace may be anything.
      const folded = (events: unknown): Folded => {
        const result: Folded = Reflect.apply(fold, undefined, [events, machine === null ? {} : { machine }]);
        return result;
      };
      return feed({ fc, draws: examples(fc), holds: (example) => holds(example, folded, { machine }) });
    },
  };
}

function examples(fc: FastCheck): Arbitrary<Example> {
  const lines = fc.record({
    how: fc.constantFrom<NonNullable<Example['lines']>['how'][]>('drop', 'double', 'swap', 'drop and renumber'),
    at: fc.nat(60),
  });
  const shared = { script: runScripts(fc), resumes: fc.boolean() };
  return fc.oneof(
    fc.record<Example>({ ...shared, lines, edits: fc.constant([]) }),
    fc.record<Example>({ ...shared, lines: fc.constant(null), edits: damages(fc) }),
  );
}

async function holds(
  { script, resumes, lines, edits }: Example,
  fold: (events: unknown) => Folded,
  options: PlayOptions,
): Promise<void> {
  const trace = await traceOf(script, resumes, options);
  const whole = foldOf(() => fold(trace));
  if (whole instanceof AgentError) throw broken(`A trace that is whole is refused: ${whole.message}`);
  const damaged = lines === null ? damagedCopy(trace, edits).copy : withLines(trace, lines);
  const folded = foldOf(() => fold(damaged));
  if (folded instanceof AgentError) return;
  // A trace that breaks off is known by it, and a run that was never asked to end has none.
  if (!folded.ended) return;
  mustEqual('It comes to another end', endOf(folded), endOf(whole));
  if (lines !== null && lines.how !== 'drop and renumber')
    mustEqual('It comes to another context', folded.snapshot.context, whole.snapshot.context);
}

/** Two runs in one trace: the second goes on from the snapshot of the first. */
async function traceOf(script: RunScript, resumes: boolean, options: PlayOptions): Promise<readonly JsonValue[]> {
  const { events, snapshot } = await playRun(script, null, options);
  const more = resumes && snapshot !== null ? (await playRun(script, snapshot, options)).events : [];
  const copy: JsonValue[] = JSON.parse(JSON.stringify([...events, ...more]));
  return copy;
}

/** What the fold throws for what it refuses; all else is thrown on. */
function foldOf(fold: () => Folded): Folded | AgentError {
  try {
    return fold();
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'invalid_option') return thrown;
    throw thrown;
  }
}

function endOf({ snapshot }: Folded): unknown {
  return { state: snapshot.value, stopReason: snapshot.context.stopReason };
}

function withLines(trace: readonly JsonValue[], { how, at }: NonNullable<Example['lines']>): readonly JsonValue[] {
  const place = at % Math.max(1, trace.length);
  const [before, line, behind] = [trace.slice(0, place), trace.slice(place, place + 1), trace.slice(place + 1)];
  if (how === 'drop') return [...before, ...behind];
  if (how === 'double') return [...before, ...line, ...line, ...behind];
  if (how === 'swap') return [...before, ...behind.slice(0, 1), ...line, ...behind.slice(1)];
  return [...before, ...behind].map((event, sequence) => (isEvent(event) ? { ...event, sequence } : event));
}

function isEvent(event: JsonValue): event is { readonly [key: string]: JsonValue } {
  return typeof event === 'object' && event !== null;
}
