/** What a script implies, computed before its run: the end, the answer, what the tools do. Pure, and without the loop. */
import { faults, type Meaning } from './faults.ts';
import { answerOf, callsOf, type Intent, type Leaving, type RunScript } from './script.ts';

export interface Implied {
  readonly stopReason: string;
  /** Null where there is none. */
  readonly answer: string | null;
  /** What is done in the world, in its order, such as `save {"n":3}`. */
  readonly done: readonly string[];
  /** Of it, what was given up before anybody knew its result. */
  readonly untold: readonly string[];
  readonly steps: number;
  readonly requests: number;
}

/** Of every run of the soak. */
export const budget = Object.freeze({
  maxSteps: 12,
  maxViolations: 3,
  maxToolErrors: 3,
  maxTokens: 10_000_000,
  maxToolCalls: 100,
  wallClockMs: 1_800_000,
});

interface State {
  readonly script: RunScript;
  readonly done: string[];
  readonly untold: string[];
  /** Calls that asked a person. */
  asked: number;
  steps: number;
  requests: number;
  due: number;
  violations: number;
  toolErrors: number;
}

export function implied(script: RunScript): Implied {
  const state: State = {
    script,
    done: [],
    untold: [],
    asked: 0,
    steps: 0,
    requests: 0,
    due: 0,
    violations: 0,
    toolErrors: 0,
  };
  for (;;) {
    const end = step(state);
    if (end === null) continue;
    const { done, untold, steps, requests } = state;
    const answer = end === 'final' ? answerOf(script.id) : null;
    return { stopReason: end, answer, done, untold, steps, requests };
  }
}

/** The reason where the run ends with this step, else null. */
function step(state: State): string | null {
  state.steps++;
  const came = tried(state);
  if (came === 'model_error' || came === 'content_filter') return came;
  if (came === 'cut') state.violations++;
  else if (act(state, state.script.intents[state.due++] ?? 'answer')) return 'final';
  if (state.violations >= budget.maxViolations) return 'violations_exhausted';
  if (state.toolErrors >= budget.maxToolErrors) return 'tool_errors_exhausted';
  return state.steps >= budget.maxSteps ? 'max_steps' : null;
}

/** Whether it is the answer. */
function act(state: State, intent: Intent): boolean {
  if (intent === 'answer') return true;
  const calls = callsOf(intent, state.due - 1).map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`);
  const denied = intent === 'send' && !decisionOf(state.script, state.asked++).allow;
  if (intent !== 'unknown' && !denied) state.done.push(...calls);
  if (intent === 'haltRead') state.done.push(...calls); // a read that was given up is made again
  if (intent === 'haltEffect') state.untold.push(...calls); // an effect never is
  if (intent === 'nonsense') state.violations++;
  else if (denied || failing.has(intent)) state.toolErrors++;
  else state.violations = state.toolErrors = 0;
  return false;
}

const failing: ReadonlySet<Intent> = new Set<Intent>(['fail', 'unknown', 'haltEffect']);

/** About the call that is the n-th to ask, from 0. */
export function decisionOf({ leaving }: Pick<RunScript, 'leaving'>, asked: number): Leaving['decisions'][number] {
  const decision = leaving?.decisions[asked % leaving.decisions.length];
  if (decision === undefined) throw new Error('Nobody decides in this run.');
  return decision;
}

/** One step: the first try, and those that follow. */
function tried(state: State): 'whole' | 'cut' | 'content_filter' | 'model_error' {
  const { modelRetries } = state.script.lane;
  for (let attempt = 1; ; attempt++) {
    const meaning = once(state, attempt);
    if (meaning.is === 'whole' || meaning.is === 'cut') return meaning.is;
    if (meaning.is === 'filtered') return 'content_filter';
    const waitMs = meaning.is === 'failed' ? meaning.afterMs : null;
    if (waitMs === undefined || (waitMs ?? 0) >= budget.wallClockMs || attempt > modelRetries) return 'model_error';
  }
}

/** One try: each model in turn, the n-th try beginning with the n-th, until one has passed something on. */
function once(state: State, attempt: number): Meaning {
  const { models, dialect } = state.script.lane;
  const failures: Extract<Meaning, { is: 'failed' }>[] = [];
  for (let turn = 0; turn < models.length; turn++) {
    const model = models[(attempt - 1 + turn) % models.length];
    if (model === undefined) throw new Error('A lane has no model.');
    const kind = state.script.faults[state.requests++] ?? null;
    const meaning: Meaning = kind === null ? { is: 'whole' } : faults[kind].meaning({ ...model, dialect });
    if (meaning.is !== 'failed') return meaning;
    if (models.length === 1) return meaning;
    if (meaning.begun) return { ...meaning, afterMs: 0 };
    failures.push(meaning);
  }
  return { is: 'failed', begun: false, ...shortest(failures) };
}

/** Of those that may be asked again; null where one of them does not say, unless another says at once. */
function shortest(failures: readonly Extract<Meaning, { is: 'failed' }>[]): { readonly afterMs?: number | null } {
  const waits = failures.flatMap(({ afterMs }) => (afterMs === undefined ? [] : [afterMs]));
  if (waits.length === 0) return {};
  const told = waits.filter((wait) => wait !== null);
  return { afterMs: told.length === waits.length || told.includes(0) ? Math.min(...told) : null };
}
