/**
 * What must hold on every edge of the machine, written once as named predicates. Explorer and simulator check them, and
 * so does the shell in development and tests; a counterexample names its law. Pure.
 */
import type { ReactContext } from '../src/core/snapshot.ts';
import { noTokens, totalTokens } from '../src/core/usage.ts';
import { stepsLeft } from './budget.ts';
import { isKept, isSame, leavesEffect, order, wasGiven } from './call-facts.ts';
import { type Command, commandDue } from './commands.ts';
import {
  callNamed,
  commandsOf,
  type Edge,
  isEnd,
  isNextTry,
  isOfThisCall,
  isOfThisStep,
  isReading,
  isSameReply,
  isUnchanged,
  isWithoutStep,
  opened,
  resultThatEnds,
  spentIn,
  succeeds,
  wasLetThrough,
} from './edge.ts';
import { endsBefore, isSpent, reasons } from './end-reasons.ts';
import { isLess, rank } from './rank.ts';
import { mayGoOn } from './reopen.ts';

type Law = (edge: Edge) => boolean;

export const laws = {
  // It ends.

  'the rank falls': (edge) =>
    isUnchanged(edge) || edge.event.type === 'run.restored' || isLess(rank(edge.after), rank(edge.before)),

  'something is due until the end': ({ after }) => isEnd(after.state) || isDue(commandDue(after.state, after.context)),

  'nothing goes on past the deadline': (edge) =>
    !('atMs' in edge.event) || !isSpent(edge.event.atMs, edge) || isUnchanged(edge) || isEnd(edge.after.state),

  // Budgets and fuses.

  'asking the model costs one step, and asking again none': (edge) =>
    edge.event.type === 'run.restored' ||
    edge.after.context.step - edge.before.context.step ===
      commandsOf(edge, 'askModel').filter(({ attempt }) => attempt === 1).length,

  'a reply is asked for again only where it failed, within its tries and its time': (edge) =>
    edge.event.type === 'run.restored' ||
    commandsOf(edge, 'askModel').every(({ attempt, atMs }) => attempt === 1 || isNextTry(edge, attempt, atMs)),

  'the model is not asked when a budget is spent': (edge) =>
    commandsOf(edge, 'askModel').length === 0 ||
    (stepsLeft(edge.after.context) >= 0 &&
      totalTokens(edge.after.context.tokens) < edge.after.context.limits.maxTokens),

  'no tool starts when a budget is spent': (edge) =>
    commandsOf(edge, 'runCalls').length === 0 ||
    (edge.after.context.toolCalls <= edge.after.context.limits.maxToolCalls &&
      totalTokens(edge.after.context.tokens) <= edge.after.context.limits.maxTokens &&
      (mayAskAgain(edge.after.context) || edge.after.context.calls.some((call) => call.endsRun))),

  'no tool starts when the run has its answer': (edge) =>
    commandsOf(edge, 'runCalls').length === 0 || edge.after.context.answer === null,

  'a tool that starts is counted': (edge) =>
    edge.after.context.toolCalls - edge.before.context.toolCalls ===
    commandsOf(edge, 'runCalls').reduce((sum, { calls }) => sum + calls.length, spentIn(edge)?.toolCalls ?? 0),

  'a reply is charged once, when it is left': (edge) => {
    const { before, event, after } = edge;
    const charged = totalTokens(after.context.tokens) - totalTokens(before.context.tokens);
    const left = isReading(before) && !(isReading(after) && isSameReply(before, after));
    const nested = totalTokens(spentIn(edge)?.tokens ?? noTokens);
    return charged === (left && 'tokens' in event ? totalTokens(event.tokens) : 0) + nested;
  },

  'what an agent that ran as a tool spent is spent here too': (edge) =>
    edge.after.context.nestedSteps - edge.before.context.nestedSteps === (spentIn(edge)?.steps ?? 0),

  'what holds no step is a violation, and nothing else is': (edge) =>
    edge.after.context.violations - edge.before.context.violations === (isWithoutStep(edge) ? 1 : 0),

  'a violation raises its fuse by one, and only a success resets it': ({ before, event, after }) => {
    const raised = after.context.violations - before.context.violations;
    const inRow = before.context.violationsInRow + raised;
    if (raised !== 0 && raised !== 1) return false;
    return (
      after.context.violationsInRow === (after.context.violationsInRow === 0 && succeeds(before, event) ? 0 : inRow)
    );
  },

  'a failed tool step raises its fuse by one, and only a success resets it': (edge) => {
    const [step] = commandsOf(edge, 'recordStep');
    const settled = (step?.calls ?? []).filter(({ status }) => status !== 'ready' && status !== 'asking');
    const { toolErrorsInRow } = edge.before.context;
    if (settled.length === 0) return edge.after.context.toolErrorsInRow === toolErrorsInRow;
    const succeeded = settled.some(({ status }) => status === 'succeeded');
    return edge.after.context.toolErrorsInRow === (succeeded ? 0 : toolErrorsInRow + 1);
  },

  'a result that holds nothing raises its count by one, and one that holds something resets it': (edge) => {
    const [step] = commandsOf(edge, 'recordStep');
    const found = (step?.calls ?? []).filter(({ status }) => status === 'succeeded');
    const last = found.findLastIndex(({ empty }) => !empty);
    const before = last === -1 ? edge.before.context.emptyInRow : 0;
    return edge.after.context.emptyInRow === before + found.length - (last + 1);
  },

  'a fuse that is blown ends the run': ({ after: { state, context } }) =>
    isEnd(state) ||
    (context.violationsInRow < context.limits.maxViolations &&
      context.toolErrorsInRow < context.limits.maxToolErrors &&
      context.emptyInRow < (context.limits.maxEmptyResults ?? Number.POSITIVE_INFINITY)),

  'a loop that is seen ends the run': (edge) =>
    commandsOf(edge, 'recordStep').every(({ loop }) => loop !== 'end' || endsBefore.has(edge.after.context.stopReason)),

  // Calls.

  'no tool starts that was not let through': ({ before, event, after }) =>
    after.context.calls.every((call) => call.status !== 'started' || wasLetThrough(call, before, event)),

  'what is in flight with others is a read, and there are not too many': ({ after: { context } }) => {
    const inFlight = context.calls.filter(({ status }) => status === 'started');
    return (
      inFlight.length <= 1 ||
      (inFlight.length <= context.limits.maxParallel && inFlight.every(({ effect }) => effect === 'readOnly'))
    );
  },

  'a call starts at most once': (edge) =>
    commandsOf(edge, 'runCalls').every(({ calls }) =>
      calls.every(({ callId }) => !wasGiven.has(callNamed(edge.before, callId)?.status ?? 'read')),
    ),

  'a call only goes forward': ({ before, after }) =>
    after.context.step !== before.context.step ||
    before.context.calls.every(({ callId, status }) => {
      const later = after.context.calls.find((call) => call.callId === callId)?.status;
      // Behind an end, the door does not look again at calls that it has judged.
      if (later === undefined) return isEnd(before.state);
      return later === status || order[later] > order[status];
    }),

  'what is left open is taken back': (edge) =>
    opened.every(
      ({ phases, taken }) =>
        !phases(edge.before) ||
        (phases(edge.after) && isSameReply(edge.before, edge.after)) ||
        edge.commands.some(({ type }) => type === taken),
    ),

  'a step is over when its calls are': (edge) =>
    commandsOf(edge, 'recordStep').every(({ calls }) =>
      calls.every(({ status }) => status !== 'read' && status !== 'started'),
    ),

  'an end leaves nothing in flight whose effect is not accounted for': ({ after }) =>
    !isEnd(after.state) ||
    after.context.calls.every(({ status, effect }) => status !== 'started' || effect === 'readOnly'),

  'what may have happened in the world is remembered': ({ before, after }) =>
    before.context.effects.every((effect, index) => isSame(effect, after.context.effects[index])) &&
    before.context.calls.every((call) => {
      const later = callNamed(after, call.callId);
      return later === undefined || later.status === call.status || !leavesEffect(later) || isKept(later, after);
    }),

  // Ends.

  'a final answer was read, or comes from a tool that ends the run': (edge) => {
    const { before, event, after } = edge;
    if (after.state !== 'FINAL' || before.state === 'FINAL') return true;
    const { answer, limits } = after.context;
    if (answer === null || answer.trim() === '') return false;
    if (event.type === 'reply.ended') return event.answer === answer && !limits.checksAnswer;
    if (event.type === 'answer.accepted') return before.context.proposed === answer;
    const given = resultThatEnds(edge);
    return given === null ? answer === before.context.answer : given.includes(answer);
  },

  'an answer ends the run': (edge) =>
    edge.after.state === 'FINAL' || commandsOf(edge, 'recordStep').every(({ answer }) => answer === null),

  'an end has its reason, and a reason is an end': ({ after }) =>
    isEnd(after.state) === (after.context.stopReason !== null) &&
    (after.state === 'FINAL') === (after.context.stopReason === 'final'),

  'a reason is true': (edge) => {
    const { stopReason } = edge.after.context;
    return stopReason === null || isEnd(edge.before.state) || reasons[stopReason](edge);
  },

  'after an end nothing happens': (edge) =>
    !isEnd(edge.before.state) ||
    (edge.event.type === 'run.restored' && mayGoOn(edge.before.context.stopReason)) ||
    (edge.commands.length === 0 && (edge.event.type === 'run.restored' || isUnchanged(edge))),

  // Events.

  'counters never fall': ({ before, after }) =>
    after.context.step >= before.context.step &&
    after.context.atMs >= before.context.atMs &&
    after.context.nestedSteps >= before.context.nestedSteps &&
    after.context.toolCalls >= before.context.toolCalls &&
    after.context.violations >= before.context.violations &&
    totalTokens(after.context.tokens) >= totalTokens(before.context.tokens) &&
    after.context.effects.length >= before.context.effects.length,

  'an event of another step or call changes nothing': (edge) =>
    isUnchanged(edge) || (isOfThisStep(edge) && isOfThisCall(edge)),

  'what is kept is bounded': ({ after: { context } }) =>
    context.effects.length <= context.limits.maxToolCalls &&
    context.window.length <=
      (context.limits.loopGuard === null ? 0 : context.limits.loopGuard.endAt * context.limits.loopGuard.cycleMax),
} satisfies { readonly [name: string]: Law };

export type LawName = keyof typeof laws;

export const lawNames: readonly LawName[] = Object.keys(laws).filter((name): name is LawName =>
  Object.hasOwn(laws, name),
);

/** The names of the laws that an edge breaks. */
export function checkLaws(edge: Edge): readonly LawName[] {
  return lawNames.filter((name) => !laws[name](edge));
}

/** A command that is to be performed for somebody: of calls there is at least one. */
function isDue(command: Command | null): boolean {
  return command !== null && (!('calls' in command) || command.calls.length > 0);
}

function mayAskAgain(context: ReactContext): boolean {
  return stepsLeft(context) > 0 && totalTokens(context.tokens) < context.limits.maxTokens;
}
