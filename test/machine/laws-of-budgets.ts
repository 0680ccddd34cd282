/** Edges that break the laws of ending, budgets and fuses; and close ones, which keep them all. */

import type { ReactContext } from '../../src/core/snapshot.ts';
import { noTokens } from '../../src/core/usage.ts';
import { calls } from './contexts.ts';
import * as e from './driver.ts';
import { edge, forged, without } from './forge.ts';
import * as real from './law-edges.ts';
import type { Broken, Close } from './law-rows.ts';

const {
  stops,
  thinks,
  cuts,
  reads,
  starts,
  startsLast,
  settles,
  empties,
  fails,
  rejects,
  dropped,
  takenUp,
  retries,
  nested,
} = real;
const reasoning = { THOUGHT: 'reasoning' };
const wallClockMs = 180_000;
const lateResult = (atMs: number) => e.settled(1, 'succeeded', { atMs });
const askAgain = thinks.commands.filter(({ type }) => type === 'askModel');
const both = (changed: Partial<ReactContext>) => ({ before: changed, after: changed });
/** The commands of another try. */
const asked = (attempt: number, atMs = 5) =>
  retries.commands.map((command) => (command.type === 'askModel' ? { ...command, attempt, atMs } : command));
const before = (violations: number, violationsInRow = violations) => ({ violations, violationsInRow });

const recordsLoop = settles.commands.map((command) =>
  command.type === 'recordStep' ? { ...command, loop: 'end' as const } : command,
);

export const broken = {
  'the rank falls': [
    ['nothing came nearer', forged(stops, { to: reasoning, after: {} })],
    ['the reply went back', forged(stops, { from: { THOUGHT: 'calling' }, to: reasoning })],
  ],
  'something is due until the end': [
    ['the door is no place to rest', forged(thinks, { to: 'OBSERVATION' })],
    [
      'an unknown state',
      forged(thinks, { to: { ACTION: 'elsewhere' } }),
      'what holds no step is a violation, and nothing else is',
    ],
  ],
  'nothing goes on past the deadline': [['at it', forged(settles, { event: lateResult(wallClockMs) })]],
  'asking the model costs one step, and asking again none': [
    ['charged and not asked', forged(thinks, { commands: without(thinks, 'askModel') })],
    ['asked twice', forged(thinks, { commands: [...thinks.commands, ...askAgain] })],
    [
      'asked and not charged',
      forged(thinks, { after: { step: 1 } }),
      'the rank falls',
      'a reply is charged once, when it is left',
    ],
  ],
  'a reply is asked for again only where it failed, within its tries and its time': [
    ['no try was left', forged(retries, { limits: { modelRetries: 0 } })],
    ['two tries at once', forged(retries, { after: { attempt: 3 }, commands: asked(3) })],
    [
      'it has not failed',
      forged(retries, { event: e.ended({ total: 2 }) }),
      'what holds no step is a violation, and nothing else is',
    ],
    ['sooner than the server asked', forged(retries, { commands: asked(2, 4) })],
    ['past the deadline', forged(retries, { limits: { wallClockMs: 5 } })],
  ],
  'what an agent that ran as a tool spent is spent here too': [
    ['its steps are not', forged(nested, { after: { nestedSteps: 0 } })],
    ['they are twice', forged(nested, { after: { nestedSteps: 2 } })],
    ['there was none', forged(settles, { after: { nestedSteps: 1 } })],
  ],
  'the model is not asked when a budget is spent': [
    ['one step too many', forged(thinks, { limits: { maxSteps: 1 } }), 'the rank falls'],
    [
      'agents that ran as tools took the steps',
      forged(thinks, { limits: { maxSteps: 4 }, ...both({ nestedSteps: 3 }) }),
      'the rank falls',
    ],
    ['the tokens are spent', forged(thinks, { limits: { maxTokens: 2 } })],
  ],
  'no tool starts when a budget is spent': [
    ['one call too many', forged(starts, { limits: { maxToolCalls: 0 } })],
    ['no token is left for the result', forged(starts, { limits: { maxTokens: 2 } })],
    ['no step is left for the result', forged(starts, { limits: { maxSteps: 1 } })],
    ['the tokens are above the budget, though it ends the run', forged(startsLast, { limits: { maxTokens: 1 } })],
  ],
  'no tool starts when the run has its answer': [['a tool has given it', forged(starts, { after: { answer: 'yes' } })]],
  'a tool that starts is counted': [
    ['it is not', forged(starts, { after: { toolCalls: 0 } })],
    ['it is twice', forged(starts, { after: { toolCalls: 2 } })],
    ['those of an agent that ran as a tool are not', forged(nested, { after: { toolCalls: 1 } })],
  ],
  'a reply is charged once, when it is left': [
    ['too much', forged(reads, { after: { tokens: e.tokens(3) } })],
    ['too little', forged(reads, { after: { tokens: e.tokens(1) } })],
    ['the reply that failed is not', forged(retries, { after: { tokens: noTokens } })],
    ['what an agent spent is not', forged(nested, { after: { tokens: e.tokens(2) } })],
    ['too early', forged(stops, { after: { tokens: e.tokens(2) } })],
    ['again', forged(starts, { after: { tokens: e.tokens(4) } })],
    ['not at all, and the next is asked for', forged(thinks, { after: { tokens: thinks.before.context.tokens } })],
  ],
  'what holds no step is a violation, and nothing else is': [
    ['a reply without a step', forged(thinks, { after: before(0) })],
    ['a reply that was cut', forged(cuts, { after: before(0) })],
    ['an answer that was sent back', forged(rejects, { after: before(0) })],
    ['a reply with a call', forged(reads, { after: before(1) })],
  ],
  'a violation raises its fuse by one, and only a success resets it': [
    ['two at once', forged(settles, { after: before(2) }), 'what holds no step is a violation, and nothing else is'],
    [
      'one is forgotten',
      forged(settles, { before: before(1), after: before(0) }),
      'what holds no step is a violation, and nothing else is',
      'counters never fall',
    ],
    ['the fuse is not raised', forged(thinks, { after: before(1, 0) })],
    ['the fuse is raised twice', forged(thinks, { after: before(1, 2) })],
    ['a failure resets it', forged(fails, { before: before(1), after: before(1, 0) })],
    ['a success takes one off', forged(settles, { before: before(2), after: before(2, 1) })],
    ['what was no success resets it', forged(stops, { before: before(1), after: before(1, 0) })],
  ],
  'a failed tool step raises its fuse by one, and only a success resets it': [
    ['a failure does not raise it', forged(fails, { after: { toolErrorsInRow: 0 } })],
    ['a failure raises it twice', forged(fails, { after: { toolErrorsInRow: 2 } })],
    ['a success raises it', forged(settles, { after: { toolErrorsInRow: 1 } })],
    ['a success does not reset it', forged(settles, { before: { toolErrorsInRow: 1 }, after: { toolErrorsInRow: 1 } })],
    ['what is no step raises it', forged(stops, { after: { toolErrorsInRow: 1 } })],
    ['what is no step resets it', forged(stops, { before: { toolErrorsInRow: 1 }, after: { toolErrorsInRow: 0 } })],
  ],
  'a result that holds nothing raises its count by one, and one that holds something resets it': [
    ['nothing does not raise it', forged(empties, { after: { emptyInRow: 0 } })],
    ['nothing raises it twice', forged(empties, { after: { emptyInRow: 2 } })],
    ['nothing resets it', forged(empties, { before: { emptyInRow: 1 }, after: { emptyInRow: 1 } })],
    ['something does not reset it', forged(settles, { before: { emptyInRow: 1 }, after: { emptyInRow: 1 } })],
    ['something raises it', forged(settles, { after: { emptyInRow: 1 } })],
    ['a failure resets it', forged(fails, { before: { emptyInRow: 1 }, after: { emptyInRow: 0 } })],
    ['what is no step raises it', forged(stops, { after: { emptyInRow: 1 } })],
  ],
  'a fuse that is blown ends the run': [
    ['that of violations', forged(thinks, { limits: { maxViolations: 1 } })],
    ['that of tool errors', forged(fails, { limits: { maxToolErrors: 1 } })],
    ['that of empty results', forged(empties, { limits: { maxEmptyResults: 1 } })],
  ],
  'a loop that is seen ends the run': [['it goes on', forged(settles, { commands: recordsLoop })]],
} as const satisfies Broken;

export const close: Close = [
  ['a run is taken up where it was', takenUp],
  ['nothing has changed', forged(dropped, { event: e.stopped('answer') })],
  ['a cut that is dropped', forged(dropped, { event: e.truncated() })],
  ['just before the deadline', forged(settles, { event: lateResult(wallClockMs - 1) })],
  ['a late event that is dropped', forged(dropped, { event: lateResult(wallClockMs) })],
  ['the last but one that may hold nothing', forged(empties, { limits: { maxEmptyResults: 2 } })],
  ['the last step', forged(thinks, { limits: { maxSteps: 2 } })],
  ['the last token', forged(thinks, { limits: { maxTokens: 3 } })],
  ['the last call', forged(starts, { limits: { maxToolCalls: 1 } })],
  ['the last step, and a success ends the run', forged(startsLast, { limits: { maxSteps: 1 } })],
  [
    'the last step, and a success of one of two ends the run',
    forged(edge(real.running('er')), { limits: { maxSteps: 1 } }),
  ],
  ['the last token, and a success ends the run', forged(startsLast, { limits: { maxTokens: 2 } })],
  ['the last step but one', forged(starts, { limits: { maxSteps: 2 } })],
  ['a token to spare', forged(starts, { limits: { maxTokens: 3 } })],
  ['a success amid a step leaves the fuse', forged(real.oneOfTwo, { before: before(1), after: before(1) })],
  ['a success resets the fuse', forged(settles, { before: before(1), after: before(1, 0) })],
  [
    'a success of this step resets it',
    forged(fails, { before: { ...before(1), calls: calls('started', 'succeeded') }, after: before(1, 0) }),
  ],
  ['the fuse of violations may stand one below', forged(thinks, { limits: { maxViolations: 2 } })],
  ['the fuse of tool errors may stand one below', forged(fails, { limits: { maxToolErrors: 2 } })],
];
