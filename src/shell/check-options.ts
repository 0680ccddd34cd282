/** What the user passed, checked before anything runs. Each error names the option and says what is allowed. */
import { AgentError } from '../core/errors.ts';
import { isModel } from '../core/is-model.ts';
import { isJsonObject } from '../core/json.ts';
import { checkKnown } from '../core/known-options.ts';
import type { RunLimits, Snapshot } from '../core/snapshot.ts';
import type { Dialect } from '../protocol/dialect.ts';
import type { Port } from '../step.ts';
import { broughtForward, stillSpent, whyNotOn } from './going-on.ts';
import { areObservers } from './observing.ts';
import { limitPassed, snapshotNonsense, stepsTaken } from './snapshot-sense.ts';
import { snapshotProblem } from './snapshot-shape.ts';

const agentKeys = [
  'model',
  'tools',
  'budget',
  'timeouts',
  'sizes',
  'loopGuard',
  'maxEmptyResults',
  'maxParallel',
  'modelRetries',
  'dialect',
  'plainText',
  'language',
  'policy',
  'instructions',
  'system',
  'examples',
  'temperature',
  'answerSchema',
  'requireTools',
  'checkAnswer',
  'checkResult',
  'looksLikeError',
  'redact',
  'onEvent',
  'store',
  'clock',
  'machine',
  'checkLaws',
];
const runKeys = ['signal', 'abortSignal', 'messages', 'instructions', 'budget', 'context', 'runId'];

type Given = { readonly [key: string]: unknown };

export function checkAgentOptions(options: object): void {
  const given = known('createAgent', options, agentKeys);
  if (!isModel(given.model))
    throw refused(
      'model',
      'is not a model',
      "Use openai({ model: 'gpt-4o-mini' }) of fuseloop/openai, aiSdk(model) of fuseloop/ai-sdk, or another adapter.",
    );
  if (given.language !== undefined && given.language !== 'en' && given.language !== 'zh')
    throw refused('language', `is ${show(given.language)}`, "It is 'en' or 'zh'.");
  if (given.plainText !== undefined && given.plainText !== 'violation' && given.plainText !== 'answer')
    throw refused('plainText', `is ${show(given.plainText)}`, "It is 'violation' or 'answer'.");
  if (
    given.temperature !== undefined &&
    !(typeof given.temperature === 'number' && given.temperature >= 0 && given.temperature <= 2)
  )
    throw refused('temperature', `is ${show(given.temperature)}`, 'It is a number from 0 to 2.');
  checkKinds(given, {
    instructions: 'string',
    system: 'string',
    examples: 'boolean',
    checkResult: 'function',
    looksLikeError: 'function',
    checkLaws: 'boolean',
  });
  if (given.onEvent !== undefined && !areObservers(given.onEvent))
    throw refused('onEvent', 'is not a function', 'It is a function (event, run) => …, or a list of such functions.');
  if (given.machine !== undefined && !isMachine(given.machine))
    throw refused(
      'machine',
      'is not a machine',
      'Pass what createReactMachine() of fuseloop/machine gives, perhaps changed with .provide().',
    );
  const { redact } = given;
  if (redact !== undefined && !(Array.isArray(redact) && redact.every(isSecret)))
    throw refused(
      'redact',
      'is not a list of texts, patterns and names',
      "Such as [{ env: 'API_KEY' }, /sk-[a-z0-9]+/].",
    );
}

/** `held`: the run is handed out, so that somebody can decide. */
export function checkRunOptions(task: unknown, options: object, held: boolean): void {
  if (typeof task !== 'string' || task.trim() === '')
    throw refused('task', 'is empty or not a text', 'Say in words what is to be done.');
  if (!held && isJsonObject(options) && 'attended' in options)
    throw refused(
      'attended',
      'is not an option of run',
      'Nobody could decide: use agent.start, which hands out the run.',
    );
  const given = known('run', options, held ? [...runKeys, 'attended'] : runKeys);
  checkKinds(given, { instructions: 'string', runId: 'string', attended: 'boolean' });
  for (const key of ['signal', 'abortSignal'] as const)
    if (given[key] !== undefined && !(given[key] instanceof AbortSignal))
      throw refused(key, 'is not an AbortSignal', 'Pass controller.signal.');
  if (given.messages !== undefined && !isConversation(given.messages))
    throw refused(
      'messages',
      'is not a conversation',
      "A list of { role: 'user' | 'assistant', content } in which the roles alternate, and the last is the assistant's.",
    );
}

/**
 * The document as this machine has it. Throws `invalid_snapshot` unless it is one of ours, of this machine or of an earlier
 * one that is known, and at rest in a state that the machine has.
 */
export function checkSnapshot(document: unknown, port: Port): Snapshot {
  if (
    !isJsonObject(document) ||
    document.format !== 'fuseloop.snapshot/1' ||
    !isJsonObject(document.context) ||
    !isJsonObject(document.history)
  )
    throw damaged(
      'This is not a snapshot of a run.',
      'Pass what run.snapshot() gave, or the snapshot of a suspended outcome.',
    );
  const given = broughtForward(document, port.machineHash);
  if (given.machineHash !== port.machineHash)
    throw damaged(
      `The snapshot was taken from another version of the machine, ${show(given.machineHash)}; this is ${port.machineHash}.`,
      'Resume it with the version of fuseloop that took it.',
    );
  if (!isSnapshot(given)) throw damaged(`The snapshot is damaged: ${snapshotProblem(given)}.`, changed);
  const { state, context } = given;
  const why = context.stopReason === null ? null : whyNotOn(context.stopReason);
  if (why !== null) throw damaged(`The run has ended with ${context.stopReason}, from where it cannot go on.`, why);
  try {
    port.restore(state, context);
  } catch (cause) {
    throw damaged(`The snapshot is in a state that the machine does not have: ${show(state)}.`, changed, cause);
  }
  const nonsense = snapshotNonsense(given);
  if (nonsense !== null) throw damaged(`The snapshot does not agree with itself: ${nonsense}.`, changed);
  return given;
}

function isSnapshot(value: unknown): value is Snapshot {
  return snapshotProblem(value) === null;
}

/** Calls in the provider's own form mean nothing to a dialect that has them written as text. */
export function checkDialect({ history }: Snapshot, { name, wire }: Dialect): void {
  if (wire === undefined && history.messages.some(({ role }) => role === 'tool'))
    throw refused(
      'dialect',
      `is ${JSON.stringify(name)}, and the conversation of the snapshot holds the provider's own calls`,
      "Resume it with an agent of the dialect 'native'.",
    );
}

/** A reply that was being read is asked for again, in its step. No run goes on with a budget that it is already beyond. */
export function checkSpent(snapshot: Snapshot, limits: RunLimits, port: Port): void {
  const { context } = snapshot;
  const { maxSteps } = limits;
  const passed = limitPassed(context, limits);
  if (passed !== null)
    throw refused(
      `budget.${passed.limit}`,
      `is ${passed.value}, and the run has had ${passed.had}`,
      `A run that goes on can be given ${passed.least} or more.`,
    );
  const taken = stepsTaken(snapshot);
  if (maxSteps < taken)
    throw refused(
      'budget.maxSteps',
      `is ${maxSteps}, and the run is in step ${taken}`,
      `A run that goes on can be given ${taken} or more.`,
    );
  const spent = context.stopReason === null ? null : stillSpent(snapshot, limits, port);
  if (spent !== null)
    throw refused(
      `budget.${spent.limit}`,
      `is ${limits[spent.limit]}, and the run has ${spent.used}`,
      `Give it more: with { budget: { ${spent.limit}: ${spent.least} } } or more it can go on.`,
    );
}

const changed = 'The document was changed. Take it from where it was stored.';

function known(where: string, options: object, keys: readonly string[]): Given {
  checkKnown(where, options, keys);
  return { ...options };
}

function checkKinds(given: Given, kinds: { readonly [key: string]: 'string' | 'boolean' | 'function' }): void {
  for (const [key, kind] of Object.entries(kinds))
    if (given[key] !== undefined && typeof given[key] !== kind)
      throw refused(key, `is ${show(given[key])}`, `It is a ${kind}.`);
}

/** An XState machine: it is trusted to have our states; `fuseloop verify` looks. */
function isMachine(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'transition' in value && 'config' in value;
}

function isSecret(each: unknown): boolean {
  return typeof each === 'string' || each instanceof RegExp || (isJsonObject(each) && typeof each.env === 'string');
}

function isConversation(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const roles = value.map((message: unknown) =>
    isJsonObject(message) && typeof message.content === 'string' && message.calls === undefined ? message.role : null,
  );
  return roles.every((role, index) => role === ((roles.length - index) % 2 === 1 ? 'assistant' : 'user'));
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
}

function refused(option: string, what: string, hint: string): AgentError {
  return new AgentError('invalid_option', `${option} ${what}.`, { hint });
}

function damaged(message: string, hint: string, cause?: unknown): AgentError {
  return new AgentError('invalid_snapshot', message, { hint, cause });
}
