/**
 * The model of a replay: it says what the recorded one was read as saying. Where the loop left a reply early the rest of it was
 * never read, and so a reply ends where its step did. The tokens that were charged are charged again.
 */
import type { Model, ModelEvent } from '../core/model.ts';
import { wireNames } from '../protocol/wire-names.ts';
import { callsIn, type RecordedFacts, type ReplyRead, replyPlace } from './recorded-facts.ts';
import type { ReplayTime } from './replay-time.ts';
import type { Started } from './trace-runs.ts';

export function replayedModel(started: Started, facts: RecordedFacts, time: ReplayTime): Model {
  const { provider, name } = started.model;
  return { provider, name, generate: (request) => replyTo(replyPlace(request), started, facts, time) };
}

/** Whoever leaves it does not wait for it. */
async function* replyTo(
  place: string,
  { tools, dialect }: Started,
  { replies, models, prompts }: RecordedFacts,
  time: ReplayTime,
): AsyncGenerator<ModelEvent> {
  for (const { provider, name, insteadOf, atMs, sequence } of models.get(place) ?? []) {
    await time.until(atMs, sequence);
    yield { type: 'model', provider, name, ...(insteadOf === undefined ? {} : { insteadOf }) };
  }
  const reply = replies.get(place);
  if (reply !== undefined) {
    await time.until(reply.atMs, reply.sequence);
    yield* piecesOf(reply, dialect === 'native' ? tools : null);
  } else if (prompts.has(place)) {
    await new Promise(() => {}); // the recorded run ended while the reply was read
  } else yield notRecorded;
}

const notRecorded: ModelEvent = Object.freeze({
  type: 'failed',
  failure: 'refused',
  message: 'The recorded run asked for no reply here.',
  hint: 'The replay has left the recording: see the first difference.',
});

/** `nativeTools`: of a run whose calls come beside the text. */
function piecesOf(reply: ReplyRead, nativeTools: readonly string[] | null): readonly ModelEvent[] {
  const { inputTokens, outputTokens } = reply.tokens;
  const usage = { inputTokens, outputTokens };
  // One letter is a quarter of a token.
  const filled = (tokens: number): ModelEvent => ({ type: 'reasoning', text: 'x'.repeat(4 * tokens) });
  switch (reply.type) {
    case 'reply.failed': {
      const { failure, message, hint, retryAtMs, atMs } = reply;
      const retry = retryAtMs === undefined ? {} : { retry: { afterMs: retryAtMs - atMs } };
      const begun = outputTokens === 0 ? [] : [filled(outputTokens)];
      return [...begun, { type: 'failed', failure, message, hint, ...retry }];
    }
    case 'reply.filtered':
      return [{ type: 'end', finish: 'content_filter', usage }];
    case 'reply.truncated':
      return [
        { type: 'text', text: reply.text },
        reply.violation === 'too_long' ? filled(outputTokens + 1) : { type: 'end', finish: 'length', usage },
      ];
    default:
      return [
        { type: 'text', text: reply.text },
        ...(nativeTools === null ? [] : nativePieces(reply, nativeTools)),
        { type: 'end', finish: 'stop', usage, ...providerDataOf(reply) },
      ];
  }
}

function providerDataOf(reply: ReplyRead) {
  return reply.type === 'reply.ended' && reply.providerData !== undefined ? { providerData: reply.providerData } : {};
}

/** The calls as the reader put them together; where they were no calls, pieces that are as bad. */
function nativePieces(reply: ReplyRead, tools: readonly string[]): readonly ModelEvent[] {
  if (reply.type === 'reply.ended' && reply.dialect !== undefined) return []; // they stand in the text
  const piece = (tool: string, input: string, index = 0): ModelEvent => ({
    type: 'call',
    index,
    id: null,
    tool,
    input,
  });
  const { toWire } = wireNames(tools);
  if (reply.type === 'reply.ended' && reply.violation === 'no_tool') return [piece('', '{}')];
  if (reply.type === 'reply.ended' && reply.violation === 'unreadable_input')
    return [piece(toWire(tools[0] ?? 'tool'), '{"')];
  return callsIn(reply).map(({ tool, input }, index) =>
    piece(toWire(tool), typeof input === 'string' ? input : JSON.stringify(input), index),
  );
}
