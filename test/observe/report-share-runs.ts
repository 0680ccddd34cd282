/** Runs whose shares of tokens are worked out by hand, and what is read of them; used by the tests of reports. */
import type { TraceEvent } from '../../src/core/trace.ts';
import { type AgentOptions, createAgent, tool } from '../../src/index.ts';
import type { Metrics, Prices } from '../../src/observe/report/metrics.ts';
import { metricsOf, runViews } from '../../src/observe.ts';
import { type ScriptEntry, scriptedModel, virtualClock } from '../../src/testing.ts';
import { anyInput } from '../shell/setup.ts';

/** A reply with calls, and what the provider counts of it: input tokens, output tokens, those of the input read from a cache. */
export const calling = (
  tools: readonly string[],
  [inputTokens = 0, outputTokens = 0, cached = 0]: readonly number[],
) => ({
  calls: tools.map((name) => ({ tool: name, input: name === 'ask' || name === 'expert' ? { task: 'it' } : {} })),
  usage: usageOf(inputTokens, outputTokens, cached),
});
export const saying = (text: string, [inputTokens = 0, outputTokens = 0, cached = 0]: readonly number[]) => ({
  text,
  usage: usageOf(inputTokens, outputTokens, cached),
});

function usageOf(inputTokens: number, outputTokens: number, cachedInputTokens: number) {
  return { inputTokens, outputTokens, ...(cachedInputTokens > 0 ? { cachedInputTokens } : {}) };
}

export interface Family {
  /** Of the run that is asked for; it has the tool `ask`, an agent that has the tool `expert`, an agent too. */
  readonly run: readonly ScriptEntry[];
  readonly ask?: readonly ScriptEntry[];
  readonly expert?: readonly ScriptEntry[];
  readonly dialect?: NonNullable<AgentOptions['dialect']>;
}

/**
 * `look` takes 100 ms and says `seen`, `list` takes none and says `一二三`, `send` says `sent` once a person has allowed it; of the
 * agents, `ask` runs as a tool of the run, and `expert` as one of `ask`.
 */
export function family({ run, ask = [], expert = [], dialect = 'native' }: Family) {
  const clock = virtualClock();
  const trace: TraceEvent[] = [];
  const look = tool({
    inputSchema: anyInput,
    readOnly: true,
    execute: () => new Promise((resolve) => clock.setTimer(100, () => resolve('seen'))),
  });
  const list = tool({ inputSchema: anyInput, readOnly: true, execute: () => '一二三' });
  const send = tool({ inputSchema: anyInput, sideEffect: true, needsApproval: true, execute: () => 'sent' });
  const agentOf = (replies: readonly ScriptEntry[], name: string, tools: AgentOptions['tools']) => ({
    model: scriptedModel(replies, { clock, name }),
    ...{ clock, dialect, loopGuard: 'off' as const, tools: tools ?? {}, budget: { maxSteps: 100 } },
  });
  const inner = createAgent(agentOf(expert, 'large', { look }));
  const middle = createAgent(agentOf(ask, 'large', { look, expert: inner.asTool({ description: 'Knows.' }) }));
  const agent = createAgent({
    ...agentOf(run, 'small', { look, list, send, ask: middle.asTool({ description: 'Asks.' }) }),
    onEvent: (event) => trace.push(event),
  });
  return { clock, agent, trace };
}

export async function traceOfFamily(of: Family): Promise<readonly TraceEvent[]> {
  const { clock, agent, trace } = family(of);
  await clock.until(agent.start('task', { runId: 'one' }).outcome);
  return trace;
}

/** Left where a person is asked, and gone on with from its snapshot. */
export async function resumedTrace(of: Family): Promise<readonly TraceEvent[]> {
  const { clock, agent, trace } = family(of);
  const run = agent.start('task', { runId: 'one' });
  await clock.pass(1_000);
  run.suspend();
  const outcome = await clock.until(run.outcome);
  if (outcome.ok || outcome.snapshot === undefined) throw new Error(`it ended with ${outcome.stopReason}`);
  const again = agent.resume(JSON.parse(JSON.stringify(outcome.snapshot)));
  await clock.calm();
  again.approve('2.1');
  await clock.until(again.outcome);
  return trace;
}

/** Of each prompt of the run, in quarter tokens: all that is counted of it. */
export function promptUnits(trace: readonly TraceEvent[]): readonly number[] {
  return trace.flatMap((event) => (event.type === 'prompt.sent' ? [4 * event.promptTokens] : []));
}

/** As a version wrote it that did not tell what was sent. */
export function withoutAdded(trace: readonly TraceEvent[]): readonly TraceEvent[] {
  return trace.map((event) => {
    if (event.type !== 'prompt.sent') return event;
    const { added: _, ...sent } = event;
    return sent;
  });
}

export function metricsOfTraces(traces: readonly (readonly TraceEvent[])[], prices?: Prices): Metrics {
  return metricsOf(
    traces.flatMap((trace) => runViews(trace)),
    prices === undefined ? {} : { prices },
  );
}

/** The shares, of all that is shared. */
export function sharesIn({ costShares: { instructions, replies }, tools }: Metrics): readonly (number | null)[] {
  return [instructions, replies, ...tools.map(({ costShare }) => costShare)];
}
