/** What became of calls, tool by tool; what was called twice; how long people took. */
import type { ApprovalView, CallView, RunView } from '../run-view.ts';
import type { Metrics, ToolMetrics } from './metrics.ts';
import { createSpread, type Spreading } from './spread.ts';

type OfTools = Pick<Metrics, 'unknownToolCalls' | 'repeatedCalls' | 'waiting'> & {
  readonly tools: readonly Omit<ToolMetrics, 'costShare'>[];
  readonly toolRetries: number;
};

interface Tally {
  calls: number;
  nestedCalls: number;
  errors: number;
  timeouts: number;
  unknown: number;
  refused: number;
  /** Of runs that were asked for: what they told the model, how long they took. Null where none called it. */
  characters: number | null;
  ms: number;
  readonly latency: Spreading;
}

export function createTools() {
  const tallies = new Map<string, Tally>();
  const waiting = createWaiting();
  let [unknownToolCalls, repeatedCalls, toolRetries] = [0, 0, 0];

  const take = (call: CallView, isNested: boolean) => {
    toolRetries += call.retries.length;
    if (call.approval !== null) waiting.add(call.approval);
    // Its name is the model's, and there may be any number of them.
    if (call.gate === 'tool') unknownToolCalls++;
    else tally(tallyOf(tallies, call.tool), call, isNested);
  };
  return {
    /** `isNested`: it is of an agent that ran as a tool. */
    add({ steps }: RunView, isNested: boolean) {
      const seen = new Set<string>();
      for (const { calls } of steps)
        for (const call of calls) {
          const key = JSON.stringify([call.tool, call.key]);
          if (call.key !== '' && seen.has(key)) repeatedCalls++;
          seen.add(key);
          take(call, isNested);
        }
    },
    metrics(): OfTools {
      const all = [...tallies].map(([tool, one]) => ({ tool, ...one, latencyMs: one.latency.spread() }));
      const time = all.reduce((sum, { ms }) => sum + ms, 0);
      const text = all.reduce((sum, { characters }) => sum + (characters ?? 0), 0);
      const tools = all.map(({ tool, calls, nestedCalls, errors, timeouts, unknown, refused, latencyMs, ...of }) => ({
        ...{ tool, calls, nestedCalls, errors, timeouts, unknown, refused, latencyMs },
        timeShare: of.characters === null ? null : shareOf(of.ms, time),
        textShare: of.characters === null ? null : shareOf(of.characters, text),
      }));
      tools.sort((one, other) => other.calls - one.calls);
      return { tools, unknownToolCalls, repeatedCalls, waiting: waiting.metrics(), toolRetries };
    },
  };
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function tallyOf(tallies: Map<string, Tally>, tool: string): Tally {
  const known = tallies.get(tool);
  if (known !== undefined) return known;
  const counts = { calls: 0, nestedCalls: 0, errors: 0, timeouts: 0, unknown: 0, refused: 0 };
  const none: Tally = { ...counts, characters: null, ms: 0, latency: createSpread() };
  tallies.set(tool, none);
  return none;
}

function tally(sum: Tally, call: CallView, isNested: boolean): void {
  const { status, timedOut, startedAtMs, endedAtMs, observation } = call;
  if (!isNested) sum.characters = (sum.characters ?? 0) + (observation?.length ?? 0);
  if (status === 'refused') sum.refused++;
  if (startedAtMs === null) return;
  sum.calls++;
  if (isNested) sum.nestedCalls++;
  if (timedOut) sum.timeouts++;
  else if (status === 'failed') sum.errors++;
  if (status === 'unknown') sum.unknown++;
  if (endedAtMs === null) return;
  const ms = endedAtMs - startedAtMs;
  sum.latency.add(ms);
  if (!isNested && ms > 0) sum.ms += ms;
}

function createWaiting() {
  const spread = createSpread();
  const counts = { asked: 0, granted: 0, denied: 0, expired: 0 };
  return {
    add({ askedWallMs, decidedWallMs, decision, cause }: ApprovalView) {
      counts.asked++;
      if (decidedWallMs !== null) spread.add(Math.max(0, decidedWallMs - askedWallMs));
      if (decision === 'granted') counts.granted++;
      else if (cause === 'timeout') counts.expired++;
      else if (decision === 'denied') counts.denied++;
    },
    metrics: () => ({ ...counts, ms: spread.spread() }),
  };
}
