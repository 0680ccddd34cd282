/** The parts of events as schemas. `word` says how a word of a list is checked. Pure. */
import type { CallResult, ErrorRecord } from '../core/events.ts';
import type { Message, ModelFailure, ToolDescription } from '../core/model.ts';
import type { CallRef } from '../core/outcome.ts';
import type { Policy } from '../core/policy.ts';
import type { ReadCall, Stop } from '../core/reading.ts';
import type { CallState, CallStatus, RunLimits } from '../core/snapshot.ts';
import { violationCodes } from '../core/stop-reasons.ts';
import type { Spent, TokenCount } from '../core/usage.ts';
import type { Effect, Gate, Rule, Verdict } from '../core/verdict.ts';
import {
  byMember,
  count,
  custom,
  either,
  exactly,
  flag,
  json,
  knownWord,
  lazy,
  list,
  type MembersOf,
  members,
  namesOf,
  oneOf,
  record,
  type Schema,
  text,
  time,
  type Word,
} from './schema.ts';

const effects = namesOf<Effect>({
  readOnly: 'readOnly',
  idempotent: 'idempotent',
  unmarked: 'unmarked',
  sideEffect: 'sideEffect',
});
const gates = namesOf<Gate>({
  tool: 'tool',
  input: 'input',
  duplicate: 'duplicate',
  required: 'required',
  callLimit: 'callLimit',
  rateLimit: 'rateLimit',
  policy: 'policy',
  approval: 'approval',
});
const failures = namesOf<ModelFailure>({
  connection: 'connection',
  timeout: 'timeout',
  rate_limited: 'rate_limited',
  refused: 'refused',
  unreadable: 'unreadable',
  broke_off: 'broke_off',
  aborted: 'aborted',
  contract: 'contract',
});
const rules = namesOf<Rule>({ policy: 'policy', needsApproval: 'needsApproval', mark: 'mark' });
const policies = namesOf<Extract<Policy, string>>({ readOnly: 'readOnly', dryRun: 'dryRun', ask: 'ask', all: 'all' });

/** By these three a fold decides what became of a call: a new one would make a new format. */
export const status = knownWord(
  namesOf<CallStatus>({
    read: 'read',
    ready: 'ready',
    asking: 'asking',
    started: 'started',
    succeeded: 'succeeded',
    failed: 'failed',
    unknown: 'unknown',
    refused: 'refused',
  }),
);
const pass = knownWord(namesOf<Verdict['pass']>({ run: 'run', ask: 'ask', refuse: 'refuse' }));
export const result = knownWord(namesOf<CallResult>({ succeeded: 'succeeded', failed: 'failed', unknown: 'unknown' }));

export const stops = namesOf<Stop>({
  thought: 'thought',
  action: 'action',
  observation: 'observation',
  answer: 'answer',
});

export const state = either([text, record(text, text)]);
/** Where an event stands in its run. */
export const place = {
  sequence: count,
  state,
  wallMs: time,
  ignored: flag.exactOptional(),
  cut: exactly(true).exactOptional(),
};

export const tokens = members({
  inputTokens: count,
  outputTokens: count,
  estimated: flag,
  cachedInputTokens: count.exactOptional(),
} satisfies MembersOf<TokenCount>);
export const spent = members({ steps: count, toolCalls: count, tokens } satisfies MembersOf<Spent>);
export const limits = members({
  maxSteps: count,
  maxTokens: count,
  wallClockMs: time,
  maxToolCalls: count,
  maxViolations: count,
  maxToolErrors: count,
  loopGuard: members({ warnAt: count, endAt: count, cycleMax: count }).nullable(),
  maxParallel: count,
  maxEmptyResults: count.nullable(),
  modelRetries: count,
  checksAnswer: flag,
} satisfies MembersOf<RunLimits>);
export const error: Schema<ErrorRecord> = members({
  name: text,
  message: text,
  stack: text.nullable(),
  cause: lazy(() => error).nullable(),
} satisfies MembersOf<ErrorRecord>);
export const callRef = members({ toolCallId: text, tool: text, input: json } satisfies MembersOf<CallRef>);
export const message: Schema<Message> = byMember('role', [
  members({ role: oneOf(['system', 'user']), content: text }),
  members({
    role: exactly('assistant'),
    content: text,
    calls: list(callRef).exactOptional(),
    providerData: json.exactOptional(),
  }),
  members({ role: exactly('tool'), content: text, toolCallId: text, isError: exactly(true).exactOptional() }),
]);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const toolDescription: Schema<ToolDescription> = members({
  name: text,
  description: text,
  inputSchema: custom<ToolDescription['inputSchema']>((value) => value === null || isObject(value), {
    error: 'is no object',
  }),
} satisfies MembersOf<ToolDescription>);
export const readCalls = list(
  members({ tool: text, input: json, repaired: flag.exactOptional() } satisfies MembersOf<ReadCall>),
);

export type Parts = ReturnType<typeof partsOf>;

/** Those that hold words of which a later version may have more. */
export function partsOf(word: Word) {
  const effect = word(effects);
  const gate = word(gates);
  return {
    gate,
    word,
    failure: word(failures),
    violation: word(violationCodes),
    policy: either([word(policies), members({ allow: list(text) })]).nullable(),
    callState: members({
      callId: text,
      tool: text,
      input: json,
      repaired: flag,
      status,
      effect,
      endsRun: flag,
      empty: flag,
      key: text,
      resultKey: text,
    } satisfies MembersOf<CallState>),
    verdict: members({
      callId: text,
      pass,
      input: json,
      observation: text.nullable(),
      effect,
      endsRun: flag,
      key: text,
      gate: gate.exactOptional(),
      rule: word(rules).exactOptional(),
      coerced: list(text).exactOptional(),
    } satisfies MembersOf<Verdict>),
  };
}
