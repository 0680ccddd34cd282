/** The journal of a run, as a store kept it, folded to where the run can go on from. What does not fit is refused whole. */
import type { Command } from '../../machines/commands.ts';
import type { Rest } from '../../machines/edge.ts';
import { AgentError } from '../core/errors.ts';
import type { PromptSent, RunStarted } from '../core/journal.ts';
import { messageOf } from '../core/message-of.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { CheckpointLine, JournalEventLine, JournalLine } from '../core/store.ts';
import type { Spent } from '../core/usage.ts';
import { restOf } from '../step.ts';
import { checkSnapshot } from './check-options.ts';
import { isOfMachine } from './event-kinds.ts';
import { foldEvents, type PlacedEvent } from './fold.ts';
import { createHistory, type History, type HistoryPlan } from './history.ts';
import { addSpent } from './lending.ts';
import type { RunPlan } from './plan.ts';
import { snapshotProblem } from './snapshot-shape.ts';
import { isInThought, retakenAfter } from './take-up.ts';

/** What the run's agent must be to read its journal: the same that wrote it. */
export type FoldPlan = HistoryPlan & Pick<RunPlan, 'port'>;

interface Stored {
  readonly runId: string;
  /** The store, for messages. */
  readonly where: string;
}

/**
 * What the run goes on from. Throws AgentError: `invalid_journal` where a line does not follow from those before it,
 * `invalid_option` where nothing is stored, or the agent is another one.
 */
export function storedSnapshot(plan: FoldPlan, lines: readonly JournalLine[], stored: Stored): Snapshot {
  return fromLines(stored, () => {
    const snapshot = snapshotOf(plan, lines, stored);
    const problem = snapshotProblem(snapshot);
    if (problem !== null) throw refused(stored, `it leads to what is no run: ${problem}`);
    return snapshot;
  });
}

/**
 * What is made of stored lines. The stores of `fuseloop/store` check what they read; one of the user's own may hand over
 * anything, and whatever that breaks is `invalid_journal`.
 */
export function fromLines<Result>(stored: Stored, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    throw refused(stored, `what the store gives is no journal (${messageOf(thrown)})`, thrown);
  }
}

function snapshotOf(plan: FoldPlan, lines: readonly JournalLine[], stored: Stored): Snapshot {
  const [first] = lines;
  if (first === undefined) throw nothingStored(stored);
  if (lines.some((line) => Object.hasOwn(line, 'apart')))
    throw refused(stored, 'its contents are kept apart, and only a store that is `spilled` as before brings them back');
  const place = lines.findLastIndex(({ type }) => type === 'checkpoint');
  const [base, events] = [lines[place], lines.slice(place + 1).filter(isEvent)];
  if (base !== undefined && isCheckpoint(base))
    return goOn(plan, checkSnapshot(base.snapshot, plan.port), events, stored);
  const [started] = events;
  if (started?.type !== 'run.started' || started.runId === undefined)
    throw refused(stored, 'its first line is not run.started');
  if (started.dialect !== plan.dialect.name)
    throw new AgentError(
      'invalid_option',
      `The run ${stored.runId} was in the dialect ${started.dialect}, and the agent's is ${plan.dialect.name}.`,
      { hint: `Go on with it by an agent of the dialect ${JSON.stringify(started.dialect)}.` },
    );
  return goOn(plan, started, events, stored);
}

type Base = Snapshot | (RunStarted & { readonly wallMs: number });

function goOn(plan: FoldPlan, base: Base, events: readonly JournalEventLine[], stored: Stored): Snapshot {
  if (base.runId !== stored.runId) throw refused(stored, `it is that of the run ${JSON.stringify(base.runId)}`);
  const from = 'history' in base ? base : null;
  const history = createHistory(plan, from?.history ?? { messages: messagesOf(base), steps: [], open: null });
  const account = createAccount(from, events);
  let retaken = from?.retaken ?? 0;
  const folded = fold(stored, () =>
    foldEvents(events, {
      port: plan.port,
      from,
      follow: (event, commands) => {
        account.follow(event);
        retaken = retakenBehind(retaken, event);
        tell(history, event, commands, account.atMs());
      },
    }),
  );
  const { state, context } = restOf(folded.snapshot);
  const spent = account.spent({ state, context });
  return {
    format: 'fuseloop.snapshot/1',
    machineHash: from?.machineHash ?? plan.port.machineHash,
    runId: base.runId,
    task: base.task,
    tools: account.tools(),
    state,
    context,
    ...(spent === null ? {} : { uncharged: spent }),
    ...lifeIn(account.life()),
    ...(retaken > 0 && { retaken }),
    history: history.keep(),
    atMs: Math.max(account.atMs(), context.atMs),
    startedAtMs: from?.startedAtMs ?? events[0]?.wallMs ?? 0,
    sequence: (from?.sequence ?? 0) + events.length,
    modelCalls: account.modelCalls(),
  };
}

/** The history follows what the machine obeyed, as it did in the process that wrote it. */
function tell(history: History, event: PlacedEvent, commands: readonly Command[], atMs: number): void {
  if (isOfMachine(event)) history.follow(event, commands, atMs);
  else if (event.type === 'run.started') history.follow({ type: 'run.started' }, commands, atMs);
  else if (event.type === 'run.resumed') history.follow({ type: 'run.restored' }, commands, atMs);
}

/** As the process that wrote it counted. Who pauses or ends was not ended. */
function retakenBehind(retaken: number, event: PlacedEvent): number {
  if (event.type === 'run.resumed') return retaken + 1;
  if (event.type === 'run.ended') return 0;
  return isOfMachine(event) ? retakenAfter(retaken, event.type, event.state) : retaken;
}

/** What the events tell beside the machine's state. */
function createAccount(from: Snapshot | null, events: readonly JournalEventLine[]) {
  const [started] = events;
  let tools = from?.tools ?? (started?.type === 'run.started' ? started.tools : []);
  let life = from?.life;
  let modelCalls = from?.modelCalls ?? 0;
  let atMs = from?.atMs ?? 0;
  /** Of agents that run as tools, by call; what was left uncharged before has no call. */
  let lent = new Map<string, Spent>(from?.uncharged === undefined ? [] : [['', from.uncharged]]);
  /** The last prompt that was sent. */
  let prompt: PromptSent | null = null;

  const follow = (event: PlacedEvent) => {
    if ('atMs' in event) atMs = Math.max(atMs, event.atMs);
    switch (event.type) {
      case 'prompt.sent':
        if (event.attempt === undefined) modelCalls++;
        prompt = event;
        return;
      case 'call.nested':
        if (event.spent !== undefined) lent.set(event.callId, event.spent);
        return;
      case 'call.settled':
        lent.delete(event.callId);
        return;
      case 'run.started':
        life = event.life;
        return;
      case 'run.resumed':
        life = event.life;
        tools = event.tools ?? tools;
        lent = new Map();
        prompt = null;
        return;
      default:
        if ('spent' in event) lent = new Map();
    }
  };
  return {
    follow,
    life: () => life,
    tools: () => tools,
    modelCalls: () => modelCalls,
    atMs: () => atMs,
    /** What was spent and has not been charged; null where nothing was. A prompt whose reply is lost was paid for. */
    spent({ state, context }: Rest): Spent | null {
      const isLost = isInThought(state) && prompt?.step === context.step && (prompt.attempt ?? 1) === context.attempt;
      const open = [...lent.values(), ...(isLost && prompt !== null ? [promptSpent(prompt)] : [])];
      return open.length === 0 ? null : open.reduce(addSpent);
    },
  };
}

function promptSpent({ promptTokens }: PromptSent): Spent {
  return { steps: 0, toolCalls: 0, tokens: { inputTokens: promptTokens, outputTokens: 0, estimated: true } };
}

function lifeIn(life: string | undefined): Pick<Snapshot, 'life'> {
  return life === undefined ? {} : { life };
}

function isCheckpoint(line: JournalLine): line is CheckpointLine {
  return line.type === 'checkpoint';
}

function isEvent(line: JournalLine): line is JournalEventLine {
  return line.type !== 'checkpoint';
}

function messagesOf(base: Base) {
  return 'messages' in base ? base.messages : [];
}

function fold<Result>(stored: Stored, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'invalid_option') throw refused(stored, thrown.message, thrown);
    throw thrown;
  }
}

function nothingStored({ runId, where }: Stored): AgentError {
  return new AgentError('invalid_option', `No run ${JSON.stringify(runId)} is stored: ${where}.`, {
    hint: 'store.list() tells which there are.',
  });
}

function refused({ runId, where }: Stored, why: string, cause?: unknown): AgentError {
  return new AgentError('invalid_journal', `The journal of the run ${runId} cannot be used: ${why}.`, {
    hint: `It was changed, is of another run, or was written by another version. Nothing was changed in ${where}.`,
    cause,
  });
}
