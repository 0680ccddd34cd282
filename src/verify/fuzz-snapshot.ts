/**
 * The target `snapshot`: documents of real runs, damaged, to `agent.resume`. It refuses them, or goes on with every
 * promise kept.
 */
import { AgentError } from '../core/errors.ts';
import type { JsonValue } from '../core/json.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { type Damage, damagedCopy, damages } from './damage.ts';
import {
  ownResume,
  type Played,
  type PlayOptions,
  playRun,
  type Resume,
  type RunScript,
  runScripts,
} from './fuzz-runs.ts';
import { broken, type FuzzTarget, feed, short } from './fuzz-target.ts';

interface Example {
  readonly script: RunScript;
  readonly damage: readonly Damage[];
}

/** `resume`: the agent's own, or another that keeps the same promise. */
export function snapshotTarget(resume: Resume = ownResume): FuzzTarget {
  return {
    name: 'snapshot',
    takes: ['machine'],
    tells: 'damaged snapshots of real runs: refused with what is wrong, or the run goes on and keeps every promise',
    runs: 1_000,
    feed: (fc, { machine }) => {
      /** What was done to each document, for people. */
      const done = new WeakMap<Example, readonly string[]>();
      return feed<Example>({
        fc,
        draws: fc.record({ script: runScripts(fc), damage: damages(fc) }),
        holds: async (example) => {
          const { snapshot } = await playRun(example.script, null, { machine });
          if (snapshot === null) return;
          const damaged = damagedCopy(plain(snapshot), example.damage);
          done.set(example, damaged.done);
          await mustHold(example, damaged.copy, { resume, machine });
        },
        shows: (example) => ({ ...example, damage: done.get(example) ?? example.damage }),
      });
    },
  };
}

/** A snapshot is JSON. */
function plain(snapshot: Snapshot): JsonValue {
  const copy: JsonValue = JSON.parse(JSON.stringify(snapshot));
  return copy;
}

async function mustHold({ script, damage }: Example, document: JsonValue, options: PlayOptions): Promise<void> {
  let played: Played;
  try {
    played = await playRun(script, document, options);
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
    // What a damaged document says was spent may be more than any budget.
    if (damage.length > 0 && (thrown.code === 'invalid_snapshot' || thrown.code === 'invalid_option')) return;
    if (thrown.code !== 'invalid_snapshot') throw thrown;
    throw broken(`A snapshot that is whole is refused: ${thrown.message}`);
  }
  mustKeepPromises(played);
}

function mustKeepPromises({ outcome, events, armed }: Played): void {
  const { ok, stopReason } = outcome;
  if (ok !== (stopReason === 'final')) throw broken(`The outcome is ok: ${ok}, and its reason ${stopReason}`);
  if (ok && outcome.answer.trim() === '') throw broken('The answer is empty');
  if (!ok && stopReason === 'internal_error')
    throw broken(`The loop broke on it: ${outcome.error?.message ?? 'without a message'}`);
  if (armed > 0) throw broken(`${armed} timers are still armed behind the end`);
  if (events.at(-1)?.type !== 'run.ended') throw broken(`The last event is ${events.at(-1)?.type}`);
  if (events.filter(({ type }) => type === 'run.ended').length !== 1) throw broken('The run ended more than once');
  const copy: unknown = JSON.parse(JSON.stringify(outcome));
  if (JSON.stringify(copy) !== JSON.stringify(outcome)) throw broken(`The outcome is not JSON: ${short(String(copy))}`);
}
