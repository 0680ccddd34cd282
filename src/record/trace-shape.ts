/** What a replay reads of a trace, checked: an event that lacks it, or is of an older kind, is refused by its number. Pure. */
import { isJsonObject } from '../core/json.ts';
import { isOfRecording } from '../core/recording-format.ts';
import { type TraceEvent, traceFormat } from '../core/trace.ts';
import { count, duration, firstOf, json, list, nullOr, type Shape, text } from '../shell/shape.ts';
import { limitsProblem } from '../shell/snapshot-shape.ts';
import { unusable } from './read-jsonl.ts';

/** An object with at least these members; what else it has is not looked at. */
const having =
  (shapes: { readonly [name: string]: Shape }): Shape =>
  (value, field) => {
    if (!isJsonObject(value)) return `${field || 'it'} is no object`;
    return firstOf(Object.entries(shapes), ([name, shape]) =>
      shape(Object.hasOwn(value, name) ? value[name] : undefined, field === '' ? name : `${field}.${name}`),
    );
  };

const format: Shape = (value) => (value === traceFormat ? null : `format is not ${traceFormat}`);
const tokens = having({ inputTokens: count, outputTokens: count });
const ofReply = { step: count, atMs: duration, tokens };
const read = { ...ofReply, thought: nullOr(text), text, calls: list(having({ tool: text, input: nullOr(json) })) };
const ofCall = { step: count, callId: text, atMs: duration };
const policy: Shape = (value, field) => (value === undefined ? `${field} is missing` : null);

/** By type; events of other types are not replayed, or have nothing that is read. */
const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    'run.started': having({
      format,
      runId: text,
      task: text,
      messages: list(having({ role: text, content: text })),
      limits: limitsProblem,
      model: having({ provider: text, name: text }),
      dialect: text,
      tools: list(text),
      policy,
    }),
    'run.resumed': having({ runId: text, limits: limitsProblem, policy }),
    'run.ended': having({ stopReason: text }),
    'prompt.sent': having({ step: count, atMs: duration, promptTokens: count }),
    'prompt.refused': having({ step: count, promptTokens: count }),
    'reply.stopped': having(read),
    'reply.ended': having({ ...read, answer: nullOr(text), violation: nullOr(text), hint: nullOr(text) }),
    'reply.truncated': having({ ...ofReply, text, violation: text, hint: text }),
    'reply.filtered': having(ofReply),
    'reply.failed': having({ ...ofReply, failure: text, message: text, hint: text }),
    'calls.checked': having({
      step: count,
      verdicts: list(
        having({ callId: text, pass: text, input: nullOr(json), observation: nullOr(text), effect: text, key: text }),
      ),
    }),
    'approval.asked': having({ step: count, atMs: duration, untilMs: duration }),
    'approval.granted': having({ ...ofCall, input: nullOr(json), by: nullOr(text) }),
    'approval.denied': having({ ...ofCall, observation: text, cause: text, by: nullOr(text), why: text }),
    'call.retried': having({ ...ofCall, attempt: count, observation: text }),
    'call.settled': having({ ...ofCall, result: text, observation: text, output: nullOr(json), startedAtMs: duration }),
    'answer.accepted': having({ step: count }),
    'answer.rejected': having({ step: count, hint: text }),
    'run.aborted': having({ atMs: duration, why: text }),
  }),
);

const place = having({ sequence: count, wallMs: duration, type: text });

/** Throws AgentError (`invalid_option`) that names the event. */
export function checkTrace(events: readonly unknown[]): asserts events is readonly TraceEvent[] {
  if (!Array.isArray(events) || events.length === 0) throw unusable('The trace holds no events.', whereFrom);
  if (isOfRecording(events[0]))
    throw unusable(
      'This is a recording, of what a model said, and no trace, of what whole runs did.',
      `A recording is for replay(file) of fuseloop/record. ${whereFrom}`,
    );
  for (const [index, event] of events.entries()) {
    const problem = place(event, '') ?? shapes.get(String(Reflect.get(event, 'type')))?.(event, '') ?? null;
    if (problem !== null) throw unusable(`Event ${index + 1} of the trace cannot be replayed: ${problem}.`, whereFrom);
  }
}

export const whereFrom = `A trace is what fuseloop run --trace FILE writes, or onEvent is given: events of the format ${traceFormat}, from run.started on. One of another version is replayed with that version.`;
