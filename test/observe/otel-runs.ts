/** Runs of every kind, as the tests of their spans want them: an agent on a virtual clock, and what it does. */
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions, RunOptions } from '../../src/agent-options.ts';
import type { Observer } from '../../src/core/trace.ts';
import { fallback } from '../../src/models/fallback.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { type VirtualClock, virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer, anyInput } from '../shell/setup.ts';

export interface Case {
  readonly replies: readonly ScriptEntry[];
  readonly tools?: (clock: VirtualClock) => AgentOptions['tools'];
  readonly agent?: (clock: VirtualClock) => Partial<AgentOptions>;
  readonly run?: (clock: VirtualClock) => RunOptions;
}

export const runId = 'r-1';

/** On a clock of its own, which is given back with the outcome. */
export async function runOf({ replies, tools, agent, run }: Case, observer: Observer) {
  const clock = virtualClock();
  const startMs = clock.wallMs();
  const made = createAgent({
    model: scriptedModel(replies, { clock, name: 'm' }),
    tools: tools?.(clock) ?? {},
    clock,
    onEvent: observer,
    ...agent?.(clock),
  });
  const outcome = await clock.until(made.run('the task', { runId, ...run?.(clock) }));
  return { outcome, startMs };
}

export const later = (clock: VirtualClock, delayMs: number) =>
  new Promise<void>((resolve) => void clock.setTimer(delayMs, resolve));

type Marks = Partial<Parameters<typeof tool>[0]>;

/** Takes so long, then does what it is given. */
export const slow = (clock: VirtualClock, ms: number, then: () => unknown = () => 'seen', marks: Marks = {}) =>
  tool({ inputSchema: anyInput, execute: () => later(clock, ms).then(then), ...marks });

export const throws = (error: Error) => () => {
  throw error;
};

function abortedAfter(clock: VirtualClock, ms: number): AbortSignal {
  const controller = new AbortController();
  clock.setTimer(ms, () => controller.abort());
  return controller.signal;
}

const after = (delayMs: number, text: string): ScriptEntry => ({ text, delayMs });
const failing = (retry: boolean, delayMs = 10): ScriptEntry => ({
  delayMs,
  failure: { failure: 'connection', message: 'It is closed.', ...(retry ? { retry: { afterMs: 5 } } : {}) },
});
const look = act('look');

function flaky(clock: VirtualClock) {
  let tries = 0;
  const execute = () => (++tries === 1 ? throws(new TypeError('first'))() : 'seen');
  return slow(clock, 10, execute, { readOnly: true, retries: 1 });
}

/** Each with the outline of its spans: `!` where one failed. */
export const runs: Readonly<Record<string, Case & { readonly outline: string }>> = {
  'an answer at once': { replies: [answer('42')], outline: 'invoke_agent[chat m]' },
  'a call, then an answer': {
    replies: [look, answer('42')],
    tools: (clock) => ({ look: slow(clock, 10) }),
    outline: 'invoke_agent[chat m, execute_tool look, chat m]',
  },
  'reads side by side': {
    replies: [{ calls: [{ tool: 'look' }, { tool: 'look', input: { n: 2 } }] }, answer('42')],
    tools: (clock) => ({ look: slow(clock, 10, () => 'seen', { readOnly: true }) }),
    agent: () => ({ dialect: 'native' }),
    outline: 'invoke_agent[chat m, execute_tool look, execute_tool look, chat m]',
  },
  'a tool that throws': {
    replies: [look, answer('42')],
    tools: (clock) => ({ look: slow(clock, 10, throws(new RangeError('no'))) }),
    outline: 'invoke_agent[chat m, execute_tool look!, chat m]',
  },
  'a tool that takes too long': {
    replies: [look, answer('42')],
    tools: (clock) => ({ look: slow(clock, 60_000, () => 'seen', { timeoutMs: 100 }) }),
    outline: 'invoke_agent[chat m, execute_tool look!, chat m]',
  },
  'a tool that is tried again': {
    replies: [look, answer('42')],
    tools: (clock) => ({ look: flaky(clock) }),
    outline: 'invoke_agent[chat m, execute_tool look, chat m]',
  },
  'a call of a tool that there is not': {
    replies: [act('sing'), answer('42')],
    outline: 'invoke_agent[chat m, chat m]',
  },
  'a reply that is none': { replies: ['nonsense', answer('42')], outline: 'invoke_agent[chat m, chat m]' },
  'a model that is asked again': {
    replies: [failing(true), answer('42')],
    outline: 'invoke_agent[chat m!, chat m]',
  },
  'a model that fails': { replies: [failing(false)], outline: 'invoke_agent![chat m!]' },
  'a model behind another': {
    replies: [],
    agent: (clock) => ({
      model: fallback([
        scriptedModel([failing(false)], { clock, name: 'first' }),
        scriptedModel([answer('42')], { clock, name: 'second' }),
      ]),
    }),
    outline: 'invoke_agent[chat second]',
  },
  'a reply that is left': {
    replies: [{ chunks: [`${look}\nObservation: `, 'made up', ' and more'], betweenMs: 10 }, answer('42')],
    tools: (clock) => ({ look: slow(clock, 10) }),
    outline: 'invoke_agent[chat m, execute_tool look, chat m]',
  },
  'an end while the model is asked': {
    replies: [after(60_000, answer('42'))],
    agent: () => ({ budget: { wallClockMs: 1_000 } }),
    outline: 'invoke_agent![chat m!]',
  },
  'an end while a tool runs': {
    replies: [look],
    tools: (clock) => ({ look: slow(clock, 60_000) }),
    agent: () => ({ budget: { wallClockMs: 1_000 } }),
    outline: 'invoke_agent![chat m, execute_tool look!]',
  },
  'too many steps': {
    replies: [look, look],
    tools: (clock) => ({ look: slow(clock, 10) }),
    agent: () => ({ budget: { maxSteps: 2 } }),
    outline: 'invoke_agent![chat m, execute_tool look, chat m]',
  },
  'an agent as a tool': {
    replies: [act('helper', { task: 'find it' }), answer('42')],
    tools: (clock) => ({ helper: helper(clock, [look, answer('blue')]) }),
    outline:
      'invoke_agent[chat m, execute_tool helper[invoke_agent helper[chat h, execute_tool look, chat h]], chat m]',
  },
  'an agent as a tool that is cut off': {
    replies: [act('helper', { task: 'find it' })],
    tools: (clock) => ({ helper: helper(clock, [after(60_000, answer('blue'))]) }),
    run: (clock) => ({ signal: abortedAfter(clock, 300) }),
    outline: 'invoke_agent![chat m, execute_tool helper![invoke_agent helper![chat h!]]]',
  },
};

function helper(clock: VirtualClock, replies: readonly ScriptEntry[]) {
  const agent = createAgent({
    model: scriptedModel(replies, { clock, name: 'h' }),
    tools: { look: slow(clock, 10, () => 'blue', { readOnly: true }) },
    clock,
  });
  return agent.asTool({ description: 'Finds things.', readOnly: true });
}
