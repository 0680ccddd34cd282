/** One call of a tool, from its first try to its result. A call that the gates refused never began and has no span. */
import type { CallView, RunView } from '../run-view.ts';
import type { OpenSpan } from './api.ts';
import { inputContent, resultContent, words } from './content.ts';
import { callError, nameOf, toolStartFacts } from './facts.ts';
import { marks, names, operations, own, timeoutError } from './names.ts';
import type { RunContext } from './run-context.ts';

export function startTool({ settings, span }: RunContext, call: CallView, step: number, startMs: number): OpenSpan {
  const { api, contentLength } = settings;
  return api.start({
    name: `${operations.tool} ${call.tool}`,
    kind: 'internal',
    startMs,
    facts: {
      ...toolStartFacts(call, step),
      ...(contentLength === null ? {} : inputContent(call, contentLength)),
    },
    parent: span.place,
  });
}

/** `view`: the run behind the call's last event. */
export function endTool({ settings }: RunContext, span: OpenSpan, call: CallView, view: RunView, endMs: number): void {
  const { api, agentName, contentLength } = settings;
  const error = callError(call, view);
  for (const { attempt, waitMs, error, atMs } of call.retries) {
    const facts = { [own.attempt]: attempt, [own.waitMs]: waitMs, [names.errorType]: nameOf(error) ?? timeoutError };
    span.mark(marks.callRetry, facts, endMs - Math.max(0, (call.endedAtMs ?? view.atMs) - atMs));
  }
  span.set({ [own.callStatus]: call.status, [names.errorType]: error ?? undefined });
  if (contentLength !== null) span.set(resultContent(call, contentLength));
  if (error !== null) {
    const why = call.error?.message ?? call.observation;
    span.fail(contentLength === null || why === null ? null : words(why));
  }
  span.end(endMs);
  const facts = {
    [names.tool]: call.tool,
    [names.toolType]: 'function',
    [names.agent]: agentName ?? undefined,
    [names.errorType]: error ?? undefined,
  };
  api.record('toolDuration', Math.max(0, endMs - span.startMs) / 1000, facts, span.place);
}
