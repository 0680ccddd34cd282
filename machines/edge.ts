/**
 * One call of the port as data, and the questions that laws ask of it: what was, what happened, what is, and what is to
 * be done. Pure.
 */
import type { ReactEvent } from '../src/core/events.ts';
import type { CallState, ReactContext, StatePath } from '../src/core/snapshot.ts';
import type { Spent } from '../src/core/usage.ts';
import type { Verdict } from '../src/core/verdict.ts';
import type { Command } from './commands.ts';

/** The machine at rest, as far as laws look at it. */
export interface Rest {
  readonly state: StatePath;
  readonly context: ReactContext;
}

/** What leads from one rest to the next: an event, the first state being entered, or a snapshot being taken up. */
export type Happening = ReactEvent | { readonly type: 'run.started' } | { readonly type: 'run.restored' };

export interface Edge {
  readonly before: Rest;
  readonly event: Happening;
  readonly after: Rest;
  readonly commands: readonly Command[];
}

export type Phase =
  | 'reasoning'
  | 'calling'
  | 'answering'
  | 'gating'
  | 'running'
  | 'awaitingApproval'
  | 'checkingAnswer'
  | 'passing';

const phases: ReadonlySet<string> = new Set<Phase>([
  'reasoning',
  'calling',
  'answering',
  'gating',
  'running',
  'awaitingApproval',
  'checkingAnswer',
]);

/** The inner state; `passing` where there is none. */
export function phaseOf(state: StatePath): Phase {
  if (typeof state === 'string') return 'passing';
  const inner = state.THOUGHT ?? state.ACTION ?? '';
  return isPhase(inner) ? inner : 'passing';
}

function isPhase(name: string): name is Phase {
  return phases.has(name);
}

export function isEnd(state: StatePath): boolean {
  return state === 'FINAL' || state === 'ERROR';
}

export function isReading({ state }: Rest): boolean {
  return typeof state !== 'string' && state.THOUGHT !== undefined;
}

export function isActing({ state }: Rest): boolean {
  return typeof state !== 'string' && state.ACTION !== undefined;
}

/** What the machine asks for on entering a phase, and the command that takes it back on leaving. */
export const opened = [
  { phases: isReading, taken: 'cancelReply' },
  { phases: (rest: Rest) => phaseOf(rest.state) === 'running', taken: 'cancelCalls' },
  { phases: (rest: Rest) => phaseOf(rest.state) === 'awaitingApproval', taken: 'closeApproval' },
];

/** Neither the next step's, nor another try of this one's. */
export function isSameReply(before: Rest, after: Rest): boolean {
  return before.context.step === after.context.step && before.context.attempt === after.context.attempt;
}

/** The reply of the try before this one failed, and the server, or the loop, said when to try again. */
export function isNextTry({ before, event, after }: Edge, attempt: number, atMs: number): boolean {
  const { limits, step } = after.context;
  const isNext = step === before.context.step && attempt === before.context.attempt + 1;
  const isAllowed = attempt <= limits.modelRetries + 1 && atMs < limits.wallClockMs;
  return isNext && isAllowed && event.type === 'reply.failed' && event.retryAtMs === atMs;
}

/** What an agent that ran as a tool spent, as an event tells that was obeyed. */
export function spentIn(edge: Edge): Spent | null {
  const { event } = edge;
  return 'spent' in event && event.spent !== undefined && !isUnchanged(edge) ? event.spent : null;
}

/** An event that was dropped changes neither state nor context, and is not an edge of the graph. */
export function isUnchanged({ before, after }: Edge): boolean {
  return before.context === after.context && nameOf(before.state) === nameOf(after.state);
}

/** `THOUGHT.reasoning`, `FINAL`. */
export function nameOf(state: StatePath): string {
  if (typeof state === 'string') return state;
  return Object.entries(state)
    .map(([outer, inner]) => `${outer}.${inner}`)
    .join('|');
}

/** The commands of one kind. */
export function commandsOf<Type extends Command['type']>(
  { commands }: Pick<Edge, 'commands'>,
  type: Type,
): readonly Extract<Command, { type: Type }>[] {
  return commands.filter((command): command is Extract<Command, { type: Type }> => command.type === type);
}

export function callNamed({ context }: Rest, callId: string): CallState | undefined {
  return context.calls.find((call) => call.callId === callId);
}

/** It was started before, or it was ready, or this very event let it through. */
export function wasLetThrough({ callId }: CallState, before: Rest, event: Happening): boolean {
  const earlier = callNamed(before, callId)?.status;
  if (earlier === 'started' || earlier === 'ready') return true;
  if (event.type === 'approval.granted') return event.callId === callId;
  return (
    event.type === 'calls.checked' &&
    event.verdicts.some((verdict) => verdict.callId === callId && verdict.pass === 'run')
  );
}

/** And of this try of its model call, where it is of a reply. */
export function isOfThisStep({ before, event }: Edge): boolean {
  const attempt = 'attempt' in event ? event.attempt : undefined;
  if (event.type.startsWith('reply.') && (attempt ?? 1) !== before.context.attempt) return false;
  return !('step' in event) || event.step === before.context.step;
}

export function isOfThisCall({ before, event }: Edge): boolean {
  if (event.type === 'calls.checked') return isOneForEach(before, event.verdicts);
  if (!('callId' in event)) return true;
  return callNamed(before, event.callId)?.status === (event.type === 'call.settled' ? 'started' : 'asking');
}

/** One verdict for each call, in their order. */
function isOneForEach({ context: { calls } }: Rest, verdicts: readonly Verdict[]): boolean {
  return verdicts.length === calls.length && verdicts.every(({ callId }, index) => callId === calls[index]?.callId);
}

/** A reply was left that led neither to calls nor to an answer, or an answer was sent back. */
export function isWithoutStep(edge: Edge): boolean {
  const { before, event, after } = edge;
  if (isUnchanged(edge)) return false;
  if (event.type === 'answer.rejected' || event.type === 'reply.truncated') return true;
  return event.type === 'reply.ended' && isReading(before) && !isActing(after) && after.context.answer === null;
}

/** What may be the answer where this very event is a success of a tool that ends the run; null where it is not. */
export function resultThatEnds({ event, after }: Edge): readonly string[] | null {
  if (event.type !== 'call.settled') return null;
  const call = callNamed(after, event.callId);
  if (call?.endsRun !== true || call.status !== 'succeeded') return null;
  const { output, observation } = event;
  return [observation, typeof output === 'string' ? output : JSON.stringify(output), `${call.tool} succeeded.`];
}

/** This event, or one before it in the same step, was a success. */
export function succeeds({ context }: Rest, event: Happening): boolean {
  const now = event.type === 'call.settled' && event.result === 'succeeded';
  return now || context.calls.some(({ status }) => status === 'succeeded');
}
