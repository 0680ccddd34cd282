/** Holds what came of a run against its story. Pure. */
import type { JournalLine } from '../../../src/core/store.ts';
import type { Outcome } from '../../../src/index.ts';
import type { World } from './agent.ts';
import { type CallEnd, type Deed, type ImpliedEnd, impliedEnd, type Story } from './story.ts';

export interface Ended {
  /** Null where the process died before it could tell; then there is what it stored. */
  readonly outcome: Outcome | null;
  readonly lines: readonly JournalLine[];
  /** Processes that died under it. */
  readonly deaths: number;
}

/** What a death or a limit left half-done is tried so often again; where each ends in a death the run gives it up. */
const tries = 3;

/** What differs, in words; nothing where all is as it should be. */
export function differences(story: Story, ended: Ended, world: World): readonly string[] {
  const wrong = differencesTo(impliedEnd(story), story, ended, world);
  if (wrong.length === 0 || ended.deaths < tries) return wrong;
  return differencesTo(impliedEnd(story, true), story, ended, world).length === 0 ? [] : wrong;
}

function differencesTo(
  due: ImpliedEnd,
  story: Story,
  { outcome, lines, deaths }: Ended,
  world: World,
): readonly string[] {
  const last = lines.at(-1);
  const stored = last?.type === 'run.ended' ? last.stopReason : `no end, but ${last?.type}`;
  const wrong = [...unequal('the stored end', due.stopReason, stored), ...doneTwice(story, due, world)];
  if (outcome === null) return wrong;
  const { stopReason, usage, steps } = outcome;
  return [
    ...wrong,
    ...unequal('the end', due.stopReason, stopReason),
    ...unequal('the answer', due.answer, outcome.ok ? outcome.answer : null),
    ...unequal('the steps', due.steps, steps.length),
    // A prompt whose reply was lost with its process has been paid for.
    ...(usage.steps >= due.steps && usage.steps <= due.steps + deaths ? [] : [`${usage.steps} steps are charged`]),
    ...due.calls.flatMap((end, at) => callDifferences(story, { end, at }, outcome, world)),
    ...(outcome.unknown.length <= deaths ? [] : [`${outcome.unknown.length} effects are unknown, ${deaths} deaths`]),
    ...unequal('a store that failed', null, outcome.storeError?.message ?? null),
  ];
}

const statuses: { readonly [end in CallEnd]: readonly string[] } = {
  happened: ['succeeded', 'unknown'],
  failed: ['failed'],
  refused: ['refused'],
  cancelled: ['cancelled'],
};

/** What a crash may leave in doubt: an effect that nobody can be asked about. */
const doubtful: ReadonlySet<Deed> = new Set<Deed>(['effect', 'ask']);

function callDifferences(
  { deeds, runId }: Story,
  { end, at }: { readonly end: CallEnd | null; readonly at: number },
  { steps, unknown }: Outcome,
  world: World,
): readonly string[] {
  const calls = steps[at]?.calls ?? [];
  const [call] = calls;
  const deed = deeds[at];
  if (end === null || deed === undefined || call === undefined)
    return unequal(`the calls of step ${at + 1}`, end === null ? 0 : 1, calls.length);
  const { status, toolCallId } = call;
  const where = `${deed} in step ${at + 1}`;
  const isUnknown = unknown.some((each) => each.toolCallId === toolCallId);
  const times = world.get(`${runId}:${toolCallId}`) ?? 0;
  const effect = end === 'happened' && deed !== 'read' && deed !== 'long';
  return [
    ...(statuses[end].includes(status) ? [] : [`${where} is ${status}`]),
    ...(status === 'unknown' && !doubtful.has(deed) ? [`${where} is unknown`] : []),
    ...unequal(`${where} is told as unknown`, status === 'unknown', isUnknown),
    ...(effect && status === 'succeeded' && times === 0 ? [`${where} succeeded, and was not done`] : []),
    ...(!effect && times > 0 ? [`${where} is ${status}, and was done`] : []),
  ];
}

/** Whatever else came: no effect is done twice but one that may be, and none that the story does not have. */
function doneTwice({ runId, deeds }: Story, { calls }: ImpliedEnd, world: World): readonly string[] {
  return deeds.flatMap((deed, at) => {
    const times = world.get(keyOf(runId, at)) ?? 0;
    const isDue = calls[at] === 'happened';
    return [
      ...(times > 1 && deed !== 'keyed' ? [`${deed} in step ${at + 1} was done ${times} times`] : []),
      ...(times > 0 && !isDue ? [`${deed} in step ${at + 1} was done`] : []),
    ];
  });
}

/** Each step has at most one call. */
export function keyOf(runId: string, step: number): string {
  return `${runId}:${step + 1}.1`;
}

function unequal(what: string, due: unknown, came: unknown): readonly string[] {
  if (due === came) return [];
  return [`${what}: ${JSON.stringify(due)} is implied, and ${JSON.stringify(came)} came`];
}
