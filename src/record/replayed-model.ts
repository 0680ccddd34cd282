/**
 * The model of a replay: it says what the recorded one was read as saying. Where the loop left a reply early the rest of it was
 * never read, and so a reply ends where its step did. The tokens that were charged are charged again.
 */
import type { Model, ModelEvent } from '../core/model.ts';
import { dialectNamed, type ReadReplyOptions, readReply } from '../protocol/read.ts';
import { wireNames } from '../protocol/wire-names.ts';
import { callsIn, type RecordedFacts, type ReplyRead, replyPlace } from './recorded-facts.ts';
import type { ReplayTime } from './replay-time.ts';
import type { Started } from './trace-runs.ts';

type StepRead = Extract<ReplyRead, { type: 'reply.stopped' | 'reply.ended' }>;

export interface ReplayedModelOptions {
  readonly started: Started;
  readonly facts: RecordedFacts;
  readonly time: ReplayTime;
  readonly reading: ReplayReading;
}

/** How today's run reads a text. */
export type ReplayReading = Pick<ReadReplyOptions, 'dialect' | 'tools' | 'plainText'>;

export function replayedModel(options: ReplayedModelOptions): Model {
  const { provider, name } = options.started.model;
  return { provider, name, generate: (request) => replyTo(replyPlace(request), options) };
}

/** Whoever leaves it does not wait for it. */
async function* replyTo(
  place: string,
  { started, facts: { replies, models, prompts }, time, reading }: ReplayedModelOptions,
): AsyncGenerator<ModelEvent> {
  for (const { provider, name, insteadOf, atMs, sequence } of models.get(place) ?? []) {
    await time.until(atMs, sequence);
    yield { type: 'model', provider, name, ...(insteadOf === undefined ? {} : { insteadOf }) };
  }
  const reply = replies.get(place);
  if (reply !== undefined) {
    await time.until(reply.atMs, reply.sequence);
    yield* piecesOf(reply, started, reading);
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

function piecesOf(reply: ReplyRead, { tools, dialect }: Started, reading: ReplayReading): readonly ModelEvent[] {
  const { estimated: _, ...usage } = reply.tokens;
  const { outputTokens } = usage;
  // One letter is a quarter of a token.
  const filler = 'x'.repeat(4 * outputTokens);
  switch (reply.type) {
    case 'reply.failed': {
      const { failure, message, hint, retryAtMs, atMs } = reply;
      const retry = retryAtMs === undefined ? {} : { retry: { afterMs: retryAtMs - atMs } };
      const begun: readonly ModelEvent[] = outputTokens === 0 ? [] : [{ type: 'text', text: filler }];
      return [...begun, { type: 'failed', failure, message, hint, ...retry }];
    }
    case 'reply.filtered':
      return [{ type: 'end', finish: 'content_filter', usage }];
    case 'reply.truncated':
      return [
        { type: 'text', text: reply.text },
        reply.violation === 'too_long' ? { type: 'reasoning', text: filler } : { type: 'end', finish: 'length', usage },
      ];
    default:
      return [
        { type: 'text', text: textOf(reply, reading) },
        ...(dialect === 'native' ? nativePieces(reply, tools) : []),
        { type: 'end', finish: 'stop', usage, ...providerDataOf(reply) },
      ];
  }
}

/** The text that was kept. Thinking that was set aside is put back where the reading lacks it. */
function textOf(reply: StepRead, reading: ReplayReading): string {
  const { text, thought } = reply;
  if (lacksText(reply, reading)) return standIn(reply, reading) ?? text;
  if (thought === null) return text;
  const whole = thinking(thought, text);
  return readReply(text, reading).thought !== thought && readReply(whole, reading).thought === thought ? whole : text;
}

function thinking(thought: string, text: string): string {
  return `<think>\n${thought}\n</think>\n${text}`;
}

/**
 * Where nothing of use was kept: something that is the same violation, of what never is kept. Where nothing is, it is the thinking
 * alone: then today's violation is another. Null where there is none of either.
 */
export function standIn(reply: ReplyRead, reading: ReplayReading): string | null {
  const text = 'text' in reply ? reply.text : '';
  const thought = 'thought' in reply ? reply.thought : null;
  const madeUp = dialectNamed(reading.dialect).writeObservation([{ tool: '', text: 'made up' }]);
  const thoughts = thought === null ? [] : [thinking(thought, text)];
  const ways = [...thoughts, `${madeUp}\n${text}`, `</think>x\n${text}`];
  return ways.find((way) => violationIn(way, reading) === violationOf(reply)) ?? thoughts[0] ?? null;
}

/** The reply held something, and of what was kept of it nothing can be read. */
export function lacksText(reply: ReplyRead, reading: ReplayReading): boolean {
  const recorded = violationOf(reply);
  return recorded !== null && recorded !== 'empty' && 'text' in reply && violationIn(reply.text, reading) === 'empty';
}

function violationOf(reply: ReplyRead): string | null {
  return reply.type === 'reply.ended' ? reply.violation : null;
}

function violationIn(text: string, reading: ReplayReading): string | null {
  const read = readReply(text, reading);
  return read.kind === 'violation' ? read.code : null;
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
    piece(tools.includes(tool) ? toWire(tool) : tool, typeof input === 'string' ? input : JSON.stringify(input), index),
  );
}
