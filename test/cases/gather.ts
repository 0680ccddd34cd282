/** Puts what was seen together as facts. */
import { getEventListeners } from 'node:events';
import type { Run } from '../../src/index.ts';
import { type Ending, type Facts, noFacts, type RequestSeen } from './facts.ts';
import { missingParts, unknownWords } from './options.ts';
import { contentOf, conversationOf } from './requests.ts';
import type { Process, Session } from './session.ts';

export interface Rest {
  readonly ending: Ending;
  readonly secondResume: Ending | null;
  /** The process in which the run ended. */
  readonly last: Process | null;
  readonly prototypeChanged: readonly string[];
}

export async function gather(session: Session, { ending, secondResume, last, prototypeChanged }: Rest): Promise<Facts> {
  const { one, seen } = session;
  const kept = (await session.keptTrace?.end()) ?? null;
  return {
    ...noFacts,
    broken: [
      ...unknownWords(one),
      ...seen.broken,
      ...(await unfinished(session)),
      ...(kept?.problem == null ? [] : [`the trace: ${kept.problem}`]),
    ],
    missing: missingParts(one),
    ending,
    first: session.first,
    secondResume,
    thrown: session.thrown,
    calls: seen.calls.map(({ isAborted, ...call }) => ({ ...call, signalAborted: isAborted() })),
    effects: seen.effects,
    requests: seen.requests,
    results: seen.requests.map((request) => resultsOf(conversationOf(request))),
    modelCalls: seen.modelCalls,
    approvalRuleCalls: seen.approvalRuleCalls,
    trace: seen.trace,
    traceText: kept?.lines ?? seen.traceText,
    inspected: session.inspector ? seen.inspected : null,
    inspectorStopped: seen.inspectorStopped,
    waitingForReader: kept !== null ? kept.lines.length : last?.run ? await countWaiting(last.run) : null,
    snapshots: seen.snapshots,
    outcomeText: JSON.stringify(last?.outcome ?? null),
    samples: seen.samples,
    listenersAfterEnd: getEventListeners(session.controller.signal, 'abort').length,
    timersAfterEnd: last === null ? 0 : last.clock.armed() - seen.ownTimers,
    elapsedMs: seen.endedAtMs ?? seen.nowMs(),
    endedAtMs: seen.endedAtMs,
    restored: seen.restored,
    stuck: seen.stuck,
    prototypeChanged,
  };
}

/** The first message is the task; the user's others and the results of calls are what the model was told. */
function resultsOf(conversation: RequestSeen['messages']): readonly string[] {
  return conversation
    .slice(1)
    .filter(({ role }) => role !== 'assistant')
    .map(({ role, content }) => (role === 'tool' ? contentOf(content) : withoutLabel(contentOf(content))));
}

function withoutLabel(content: string): string {
  return content.replace(/^Observation(?: \([^)]*\))?: ?/, '');
}

/** A reply that the run left must have been broken off: otherwise its socket stays open. */
async function unfinished({ source, one }: Session): Promise<readonly string[]> {
  const wanted = one.expect['must not'].some(({ code }) => code === 'open_handles_after_end');
  const count = wanted ? await source.unfinished() : 0;
  return count === 0 ? [] : [`${count} HTTP replies are still open after the end`];
}

/** What a reader still gets who comes when all is over: that much was kept. A run that goes on has no end to read to. */
async function countWaiting(run: Run): Promise<number> {
  const events = run[Symbol.asyncIterator]();
  let count = 0;
  for (;;) {
    const next = await Promise.race([events.next(), new Promise<null>((nothing) => setImmediate(nothing, null))]);
    if (next === null || next.done === true) return count;
    count++;
  }
}
