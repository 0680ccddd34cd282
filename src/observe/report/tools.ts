/** What became of calls, tool by tool; what was called twice; how long people took. */
import type { ApprovalView, CallView, RunView } from '../run-view.ts';
import type { Metrics, ToolMetrics } from './metrics.ts';
import { createSpread, type Spreading } from './spread.ts';

type OfTools = Pick<Metrics, 'tools' | 'unknownToolCalls' | 'repeatedCalls' | 'waiting'> & {
  readonly toolRetries: number;
};

interface Tally {
  calls: number;
  errors: number;
  timeouts: number;
  unknown: number;
  refused: number;
  characters: number;
  readonly latency: Spreading;
}

export function createTools() {
  const tallies = new Map<string, Tally>();
  const waiting = createWaiting();
  let [unknownToolCalls, repeatedCalls, toolRetries] = [0, 0, 0];

  const take = (call: CallView) => {
    toolRetries += call.retries.length;
    if (call.approval !== null) waiting.add(call.approval);
    // Its name is the model's, and there may be any number of them.
    if (call.gate === 'tool') unknownToolCalls++;
    else tally(tallyOf(tallies, call.tool), call);
  };
  return {
    add({ steps }: RunView) {
      const seen = new Set<string>();
      for (const { calls } of steps)
        for (const call of calls) {
          const key = JSON.stringify([call.tool, call.key]);
          if (call.key !== '' && seen.has(key)) repeatedCalls++;
          seen.add(key);
          take(call);
        }
    },
    metrics(): OfTools {
      const all = [...tallies].map(([tool, one]) => ({ tool, ...one, latencyMs: one.latency.spread() }));
      const time = all.reduce((sum, { latencyMs }) => sum + (latencyMs?.total ?? 0), 0);
      const text = all.reduce((sum, { characters }) => sum + characters, 0);
      const tools = all.map(
        ({ tool, calls, errors, timeouts, unknown, refused, latencyMs, characters }): ToolMetrics => ({
          ...{ tool, calls, errors, timeouts, unknown, refused, latencyMs },
          timeShare: time === 0 ? 0 : (latencyMs?.total ?? 0) / time,
          textShare: text === 0 ? 0 : characters / text,
        }),
      );
      tools.sort((one, other) => other.calls - one.calls);
      return { tools, unknownToolCalls, repeatedCalls, waiting: waiting.metrics(), toolRetries };
    },
  };
}

function tallyOf(tallies: Map<string, Tally>, tool: string): Tally {
  const known = tallies.get(tool);
  if (known !== undefined) return known;
  const none = { calls: 0, errors: 0, timeouts: 0, unknown: 0, refused: 0, characters: 0, latency: createSpread() };
  tallies.set(tool, none);
  return none;
}

function tally(sum: Tally, { status, timedOut, startedAtMs, endedAtMs, observation }: CallView): void {
  sum.characters += observation?.length ?? 0;
  if (status === 'refused') sum.refused++;
  if (startedAtMs === null) return;
  sum.calls++;
  if (timedOut) sum.timeouts++;
  else if (status === 'failed') sum.errors++;
  if (status === 'unknown') sum.unknown++;
  if (endedAtMs !== null) sum.latency.add(endedAtMs - startedAtMs);
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
