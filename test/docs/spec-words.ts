/** What stands beside the names in docs/spec.md. The compiler finds a name that has no words, and words without a name. */
import type { Command } from '../../machines/commands.ts';
import type * as guards from '../../machines/guards.ts';
import type * as reducers from '../../machines/reducers.ts';
import type { ReactEventType } from '../../src/core/events.ts';
import type { CallStatus } from '../../src/core/snapshot.ts';

type Words<Name extends string> = { readonly [Each in Name]: string };

/** Of the states, the keys are compared with the machine by `docs.test.ts`: XState's types do not tell them. */
export const stateWords: Readonly<Record<string, string>> = {
  OBSERVATION:
    'the one door, where a run begins and every step passes. Never at rest: what comes next is decided as it is entered',
  THOUGHT: 'one reply of the model is asked for and read',
  'THOUGHT.reasoning': 'waits for the first stop of the reply',
  'THOUGHT.calling': 'the reply writes a call; waits until it is whole',
  'THOUGHT.answering': 'the reply writes an answer; waits for its end',
  ACTION: 'the complete calls of one reply pass the gates and run, or a proposed answer is checked',
  'ACTION.gating': 'waits for one verdict on each call',
  'ACTION.running': 'calls are with their tools; waits for their results',
  'ACTION.awaitingApproval': 'nothing is in flight; waits for a person. No running time passes',
  'ACTION.checkingAnswer': 'waits for the verdict on the proposed answer',
  FINAL: 'an end: there is an answer',
  ERROR: 'an end: there is none, and `stopReason` says why',
};

export const eventWords: Words<ReactEventType> = {
  'reply.stopped':
    'A stop sequence was met while the reply is read, and text follows it. Reported once a reply for each kind of stop.',
  'reply.ended': 'The reply ended well. One of `calls`, `answer` and `violation` says what it holds.',
  'reply.truncated': 'The reply was cut by a limit on its length. Nothing of it is used.',
  'reply.filtered': 'The provider withheld the reply.',
  'reply.failed': 'The model failed, or was silent too long.',
  'prompt.refused': 'The prompt was counted and leaves no room in the token budget. It was not sent.',
  'calls.checked': 'The gates have judged the calls: one verdict each, in their order.',
  'approval.asked': 'A person was asked about every call that is `asking`.',
  'approval.granted': 'A person lets one call run.',
  'approval.denied': 'One call is refused: by a person, for want of an answer, or by a gate that saw the edited input.',
  'call.settled': 'One call that had been started has its result.',
  'answer.accepted': 'The proposed answer passed its checks.',
  'answer.rejected': 'The proposed answer is sent back.',
  'run.aborted': 'From outside: the run shall end.',
  'clock.expired': 'The running time is spent.',
  'store.failed': 'What happened can no longer be kept.',
  'machine.failed': 'A guard, an action or the shell threw: a defect.',
};

export const guardWords: Words<keyof typeof guards> = {
  stopIs: 'the event is `reply.stopped` with this `stop`',
  callsComplete: 'the reply holds at least one call',
  answerPresent: 'the reply ended with an answer that is more than white space',
  answerToCheck: '`limits.checksAnswer`, and `answerPresent`',
  mayTryAgain:
    'the event has `retryAtMs`, which lies before `limits.wallClockMs`; `attempt` ≤ `limits.modelRetries`; and the tokens so far with those of the event are fewer than `limits.maxTokens`',
  answered: '`answer` is not null',
  fuseBlown: '`violationsInRow` ≥ `limits.maxViolations`',
  toolFuseBlown: '`toolErrorsInRow` ≥ `limits.maxToolErrors`',
  looping: "`loop` is `'end'`",
  nothingFound: '`limits.maxEmptyResults` is not null, and `emptyInRow` ≥ it',
  stepsSpent: '`step` + `nestedSteps` ≥ `limits.maxSteps`',
  tokensSpent: 'the tokens so far ≥ `limits.maxTokens`',
  toolCallsSpent:
    'there are calls that would start (see `nothingMayStart`), and `toolCalls` with them is more than `limits.maxToolCalls`',
  timeSpent: '`atMs` ≥ `limits.wallClockMs`',
  anyToRun: 'a verdict of the event is `run`',
  anyToAsk: 'a verdict of the event is `ask`',
  nothingMayStart:
    'with the calls as the event leaves them, and with what it tells of agents that ran as tools charged: something would start (the `ready` calls, or where there is none one that is `asking`), and the tokens are above `limits.maxTokens`, or `toolCalls` with it is more than `limits.maxToolCalls`, or no reply is left that could use a result (steps or tokens are spent) and no call of it ends the run',
  answeredByTool: 'there is an answer, or the event is the success of a call that ends the run',
  readMayJoin:
    'neither `answeredByTool` nor `nothingMayStart`; the first `ready` call is a read; and besides the call that settled at least one is in flight, and fewer than `limits.maxParallel`',
  othersStarted: 'a call other than that of the event is `started`',
  othersUndecided: 'a call other than that of the event is `asking`',
  anyReady: 'a call is `ready`',
  anyAsking: 'a call is `asking`',
};

export const actionWords: Words<keyof typeof reducers> = {
  spendStep:
    '`step` + 1, `attempt` 1, `askAtMs` 0, `calls` empty; `violation`, `proposed` and `approvalUntilMs` null; `loop` `none`',
  chargeReply: 'the tokens of the event are added to `tokens`, however the reply was left',
  countTry: '`attempt` + 1; `askAtMs` is the `retryAtMs` of the event',
  keepCalls: '`calls` are those of the event, each `read`; the id of the n-th is `STEP.n`',
  keepAnswer: '`answer` is that of the reply, or `proposed` where it was accepted',
  keepProposed: '`proposed` is the answer of the reply',
  countViolation:
    '`violation` is that of the event (`answer_rejected` for an answer that is sent back, `no_step` where the event names none); `violations` and `violationsInRow` + 1',
  keepVerdicts:
    'each call takes `input`, `effect`, `endsRun` and `key` of its verdict, and the status: `run` → `ready`, `ask` → `asking`, `refuse` → `refused`',
  keepDeadline: '`approvalUntilMs` is the `untilMs` of the event',
  keepDecision: 'the call is `ready`, with `input` and `key` of the event; or `refused`',
  startCalls:
    'the first `ready` call is `started`; where it is a read, so are the `ready` reads behind it up to the next call that is none, at most `limits.maxParallel` in all. `toolCalls` grows by as many',
  startNext: 'the first `ready` call is `started`, and `toolCalls` + 1',
  keepResult:
    'what the event tells of agents that ran as tools is charged. The call takes `result` as its status, `empty` and `resultKey`. Where it ends the run and succeeded, `answer` is its output as text, or what the model would be told. A side effect that succeeded, and anything but a read whose result is unknown, goes to `effects`',
  abandonCalls:
    'what the event tells of agents that ran as tools is charged. A `started` call that is no read is `unknown` and goes to `effects`; one that the event lists as `waiting` is `refused`',
  judgeStep:
    '`atMs` is that of the event, where it is later. The rest only where there is something to judge: a violation, or calls that are over, and none held back by a limit (`ready` or `asking`, without an answer). A success sets `violationsInRow` and `toolErrorsInRow` to 0; calls without any success add 1 to `toolErrorsInRow`. In the order of the calls a success that holds nothing adds 1 to `emptyInRow`, and another success sets it to 0. The key of the step goes to `window` (tool, input and result of each call that is over; or the violation), which keeps the last `cycleMax × endAt`; `loop` is `warn` or `end` where the last keys, or cycles of up to `cycleMax` keys, stand there `warnAt` or `endAt` times one after the other',
  keepFailure: '`failure` is `message` and `hint` of the event',
  endWith: '`stopReason` is its parameter',
};

export const commandWords: Words<Command['type']> = {
  askModel:
    'Sends the prompt, at `atMs` of the running time or later, and reads the reply, if both fit into `tokensLeft`. Answers with `prompt.refused`, or with any number of `reply.stopped` and then one other `reply.…`.',
  cancelReply: 'The reply is no longer wanted. Without effect where it has ended.',
  checkCalls: 'Lets the calls pass the gates. Answers with `calls.checked`. `effects` are what must not be done twice.',
  runCalls:
    'Runs these. Answers with `call.settled` for each, in any order. More than one, and what joins others in flight, are all reads.',
  recoverCalls:
    'Where a run is taken up in `ACTION.running`, in place of `runCalls`: runs again what may be repeated, and reports the rest as `unknown`.',
  cancelCalls: 'The results are no longer wanted. Without effect where all have settled.',
  askApproval:
    'Stops the running time and asks a person. Answers with `approval.asked`, where `untilMs` is null, and then with one decision on each call.',
  closeApproval: 'Nobody is to be asked any more. The running time goes on.',
  checkAnswer: 'Answers with `answer.accepted` or `answer.rejected`.',
  recordStep:
    'The step is done: it goes into the conversation, and so does a warning where `loop` is `warn`. Step 0 is the task. Emitted where OBSERVATION is entered, unless a limit holds calls back.',
};

export const statusWords: Words<CallStatus> = {
  read: 'the model wrote it',
  asking: 'it waits for a person',
  ready: 'the gates, or a person, let it run',
  started: 'it was given to its tool',
  succeeded: 'the tool gave its result',
  failed: 'the tool threw, took too long, or gave nothing that may be used',
  unknown: 'it was started, and nobody knows whether its effect happened',
  refused: 'it never started',
};

/** Of members that have no comment in the source: by name, or by where they are and name. */
export const memberWords: Readonly<Record<string, string>> = {
  atMs: 'Running time when it happened.',
  step: 'The number of the model call that it belongs to, from 1.',
  callId: 'The call that it is about.',
  tokens: 'What the reply took so far; charged when it is left.',
  thought: 'The thought, as it was read.',
  text: 'The reply as it is written back into the conversation.',
  hint: 'What the model, or the user, is told to do.',
  message: 'What happened, in words.',
  stop: 'What kind it was.',
  calls: 'Those that stand whole before it.',
  answer: 'The answer as text; null where there is none.',
  violation: 'What is wrong with the step; null where nothing is.',
  failure: 'What kind of failure it was.',
  promptTokens: 'What was counted.',
  verdicts: 'One for each call, in their order.',
  key: 'Stands for the tool and the input that runs: equal for equal calls.',
  observation: 'What the model is told.',
  by: 'The name by which the host knows the person; null where it gave none.',
  result: 'What came of it.',
  startedAtMs: 'Running time when it was given to its tool.',
  waiting: 'Calls that were given to their tools and wait for their place in a rate limit: they have not begun.',
  why: 'The reason as it was given; empty where there is none.',
  'approval.asked.untilMs': 'Milliseconds since 1970: no answer by then is a refusal.',
  'askModel.step': 'The number that the reply will have.',
  'askModel.atMs': 'Running time before which the model is not asked.',
  'askModel.tokensLeft': 'What prompt and reply may take together.',
  'checkCalls.calls': 'All calls of the reply.',
  'checkCalls.effects': 'What was done, or may have been, and must not be done twice.',
  'runCalls.calls': 'Those that have just been started.',
  'recoverCalls.calls': 'Those that had been started.',
  'askApproval.calls': 'Those that are `asking`.',
  'askApproval.untilMs': 'Null where nobody was asked yet; otherwise until when the question stands.',
  'checkAnswer.answer': 'The proposed answer.',
  'recordStep.calls': 'All calls of the step.',
  'recordStep.loop': '`warn`: the model is warned.',
  'recordStep.emptyInRow': 'As in the context.',
  'reply.ended.calls': 'The calls that it holds; empty where there is none.',
  'reply.ended.violation': 'Why it holds no step; null where it does.',
  'reply.failed.hint': 'What the user is told to do.',
  'context.limits': 'See [Limits](#limits).',
  'context.tokens': 'All that was charged.',
  'context.violations': 'In the whole run.',
  'context.violationsInRow': 'The fuse for violations.',
  'context.toolErrorsInRow': 'The fuse for steps in which every call failed.',
  'context.answer': 'The answer of the run.',
  'context.approvalUntilMs': 'Milliseconds since 1970: until when a person may decide; null where nobody was asked.',
  'context.effects': 'What must not be done twice.',
  'context.loop': 'What the loop guard said of the last step.',
  'context.stopReason': 'Why the run ended; null until then.',
  'limits.loopGuard': 'Steps that come again with the same results. Null where it is off.',
};
