/** A stored run that is named on the command line, and what its lines tell of the agent that it needs. */
import type { Message } from '../core/model.ts';
import type { Policy } from '../core/policy.ts';
import type { JournalLine, Store, StoredRun } from '../core/store.ts';
import { type WaitingCall, waitingIn } from './going-on.ts';
import { misuse } from './misuse.ts';
import { oneLine } from './plain-text.ts';

/** The run of this id, or the only one whose id begins so. Throws misuse. */
export async function findStoredRun(store: Store, named: string): Promise<StoredRun> {
  const runs = await store.list();
  const found = runs.filter(({ runId }) => runId.startsWith(named));
  const run = found.find(({ runId }) => runId === named) ?? found[0];
  if (run !== undefined && (found.length === 1 || run.runId === named)) return run;
  if (run === undefined)
    throw misuse(
      `There is no run ${JSON.stringify(named)} in ${store.name}.`,
      runs.length === 0 ? 'No runs are stored there.' : 'fuseloop runs lists them all.',
    );
  const some = found.slice(0, mostNamed).map(({ runId }) => oneLine(runId));
  throw misuse(
    `The ids of ${found.length} runs begin with ${JSON.stringify(named)}.`,
    `Name one of them: ${some.join(', ')}${found.length > mostNamed ? ', …' : ''}.`,
  );
}

const mostNamed = 5;

export interface StoredFacts {
  readonly task: string;
  /** The names of all that were ever its tools. */
  readonly tools: readonly string[];
  /** The first message, where it is the system's; null where there is none. */
  readonly system: string | null;
  /** Undefined: not stored any more. */
  readonly dialect: string | undefined;
  readonly policy: Policy | null | undefined;
  /** Where the run was left waiting. */
  readonly waiting: readonly WaitingCall[];
}

export function factsOf(lines: readonly JournalLine[]): StoredFacts {
  const last = lines.at(-1);
  const isLeft = last?.type === 'run.ended' && last.stopReason === 'suspended';
  const base = lines.findLast(({ type }) => type === 'checkpoint' || type === 'run.started');
  const resumed = lines.findLast((line) => line.type === 'run.resumed');
  const policy = resumed?.type === 'run.resumed' ? resumed.policy : undefined;
  if (base?.type === 'checkpoint') {
    const { snapshot } = base;
    const { task, tools, history } = snapshot;
    return {
      task,
      tools,
      system: systemIn(history.messages),
      dialect: undefined,
      policy,
      waiting: isLeft ? waitingIn(snapshot) : [],
    };
  }
  if (base?.type !== 'run.started') throw new Error('the lines of a run begin with no beginning');
  const { task, tools, messages, dialect } = base;
  return { task, tools, system: systemIn(messages), dialect, policy: policy ?? base.policy, waiting: [] };
}

function systemIn([first]: readonly Message[]): string | null {
  return first?.role === 'system' ? first.content : null;
}
