/** The words of events in English: phases, reasons, codes. What is not in a table stays as the event says it. */

import type { ModelFailure } from '../../core/model.ts';
import type { StepViolation, StopReason } from '../../core/stop-reasons.ts';
import type { Effect, Gate, Rule } from '../../core/verdict.ts';
import { type WayId, wordsOfWays } from '../../observe/chart/chart.ts';
import type { RunCost } from '../../observe/report/costs.ts';
import { costText } from '../../observe/report/words.ts';
import type { CallView, RunView, TryView } from '../../observe/run-view.ts';

export type Words = Readonly<Record<string, string>>;

type WordsFor<Word extends string> = Readonly<Record<Word, string>>;

const phases: WordsFor<RunView['phase']> = {
  running: 'running',
  waiting: 'waiting for a person',
  suspended: 'suspended',
  ended: 'ended',
};

const stopReasons: WordsFor<StopReason> = {
  final: 'answered',
  max_steps: 'all steps of the budget were used',
  max_tool_calls: 'all tool calls of the budget were used',
  token_budget: 'the next prompt does not fit into the token budget',
  cost_budget: 'the budget for cost was used',
  timeout: 'the running time of the budget passed',
  violations_exhausted: 'too many replies in a row held no usable step',
  tool_errors_exhausted: 'in too many steps in a row every call failed',
  loop_detected: 'the same steps came again with the same results',
  no_progress: 'too many results in a row held nothing',
  aborted: 'it was aborted',
  model_error: 'the model failed or was silent too long',
  content_filter: 'the provider withheld the reply',
  store_error: 'the store of the run failed',
  internal_error: 'a defect of the loop; please report it',
  suspended: 'left while a call waits for a person',
};

const violationCodes: WordsFor<StepViolation> = {
  empty: 'the reply was empty',
  no_step: 'neither an action nor an answer',
  thought_only: 'a thought and nothing else',
  unreadable_input: 'the input cannot be read',
  missing_input: 'the input is missing',
  no_tool: 'no tool was named',
  truncated: 'the reply was cut by its limit',
  too_long: 'the reply was too long',
  answer_rejected: 'the answer was checked and sent back',
};

const callStatuses: WordsFor<CallView['status']> = {
  read: 'read',
  ready: 'ready',
  waiting: 'waits',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'result unknown',
  refused: 'refused',
  cancelled: 'cancelled',
};

const gates: WordsFor<Gate> = {
  tool: 'refused: no such tool',
  input: 'refused: the input does not fit the schema',
  duplicate: 'refused: it would do the same effect twice',
  required: 'refused: another tool is required first',
  callLimit: 'refused: the limit of calls of this tool',
  rateLimit: 'refused: the rate limit of this tool',
  policy: 'by the policy',
  approval: 'a person is asked',
};

const rules: WordsFor<Rule> = {
  policy: 'policy of the agent',
  needsApproval: 'needsApproval of the tool',
  mark: 'mark of the tool',
};

const causes: WordsFor<'person' | 'timeout'> = { person: 'by a person', timeout: 'nobody decided in time' };

const effects: WordsFor<Effect> = {
  readOnly: 'reads only',
  idempotent: 'idempotent',
  unmarked: 'unmarked',
  sideEffect: 'side effect',
};

const finishes: WordsFor<NonNullable<TryView['finish']>> = {
  stop: 'ended',
  length: 'cut by its limit',
  content_filter: 'withheld',
  cut: 'left early',
  failed: 'failed',
};

const modelFailures: WordsFor<ModelFailure> = {
  connection: 'no connection',
  timeout: 'too slow',
  rate_limited: 'rate limited',
  refused: 'refused',
  unreadable: 'unreadable',
  broke_off: 'broke off',
  aborted: 'aborted',
  contract: 'broke the contract of a model',
};

/** The badge of a run that is over: in English the word of the event itself. */
const endings: WordsFor<StopReason> = {
  final: 'final',
  max_steps: 'max_steps',
  max_tool_calls: 'max_tool_calls',
  token_budget: 'token_budget',
  cost_budget: 'cost_budget',
  timeout: 'timeout',
  violations_exhausted: 'violations_exhausted',
  tool_errors_exhausted: 'tool_errors_exhausted',
  loop_detected: 'loop_detected',
  no_progress: 'no_progress',
  aborted: 'aborted',
  model_error: 'model_error',
  content_filter: 'content_filter',
  store_error: 'store_error',
  internal_error: 'internal_error',
  suspended: 'suspended',
};

/** What each state of the machine is for. Their names are the machine's own in every language. */
const states: Words = {
  OBSERVATION: 'the door: every step comes back here, and is judged',
  FINAL: 'the end with an answer',
  ERROR: 'the end without one',
  THOUGHT: 'the model is asked',
  'THOUGHT.reasoning': 'its reply arrives',
  'THOUGHT.calling': 'the reply holds an action',
  'THOUGHT.answering': 'the reply holds an answer',
  ACTION: 'what it asked for is done',
  'ACTION.gating': 'each call is checked before it runs',
  'ACTION.running': 'calls run',
  'ACTION.awaitingApproval': 'a person is asked',
  'ACTION.checkingAnswer': 'the answer is checked',
};

/** What stands beside the ways of the chart. */
const ways: WordsFor<WayId> = wordsOfWays;

export const englishWords = {
  /** A state by its name, with a word for it where the language has another. */
  stateName: (name: string) => name,
  /** That word; null where the name itself is of the language. */
  stateWord: (_name: string): string | null => null,
  cost: 'Cost',
  costIs: ({ cost, unpriced }: RunCost) =>
    costText(cost) + (unpriced.length === 0 ? '' : ` without ${unpriced.join(', ')}`),
  words: {
    phases,
    stopReasons,
    endings,
    violationCodes,
    callStatuses,
    gates,
    rules,
    causes,
    effects,
    finishes,
    modelFailures,
    ways,
    states,
  },
};
