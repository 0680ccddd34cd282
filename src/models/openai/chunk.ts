/**
 * What one JSON document of chat completions says: a chunk of a stream, or a whole reply. Pure. Every field is checked,
 * because the many servers that speak this form agree on little of it.
 * Source: https://platform.openai.com/docs/api-reference/chat
 */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { CallPiece, FinishReason } from '../../core/model.ts';
import type { TokenCount } from '../../core/usage.ts';
import { errorIn, parseObject, type ServerError } from '../http/server-error.ts';

export interface Chunk {
  readonly text: string;
  readonly reasoning: string;
  /** What some servers want back with the calls of this reply: as text, even empty (DeepSeek), and as a list (OpenRouter). */
  readonly reasoningContent: string | null;
  readonly reasoningDetails: readonly JsonObject[];
  /** Pieces of the model's own tool calls. */
  readonly calls: readonly CallPiece[];
  /** The server's own word; null where the reply goes on or the server says nothing. */
  readonly finishReason: string | null;
  readonly usage: Omit<TokenCount, 'estimated'> | null;
  /** What the server says went wrong. */
  readonly error: ServerError | null;
  /** Whether there was a choice at all: chunks may hold usage or the filter's verdict alone. */
  readonly hasChoice: boolean;
}

/** Null where the text is no JSON object. */
export function readChunk(json: string): Chunk | null {
  const document = parseObject(json);
  if (document === null) return null;
  const choice = choiceOf(document.choices);
  const isPiece = isJsonObject(choice.delta);
  const message = objectOr(isPiece ? choice.delta : choice.message);
  const details = Array.isArray(message.reasoning_details) ? message.reasoning_details.filter(isJsonObject) : [];
  return {
    text: textOf(message.content) || textOf(message.refusal),
    reasoning:
      textOf(message.reasoning_content) ||
      textOf(message.reasoning) ||
      details.map(detailText).join('') ||
      textOf(thinkingOf(message.content)),
    reasoningContent: typeof message.reasoning_content === 'string' ? message.reasoning_content : null,
    reasoningDetails: details,
    calls: callsOf(message, isPiece),
    finishReason: wordOf(choice.finish_reason),
    usage: usageOf(objectOr(document.usage)),
    error: errorIn(document) ?? errorIn(choice),
    hasChoice: Object.keys(choice).length > 0,
  };
}

/** Some servers write null as a text. */
function wordOf(value: unknown): string | null {
  return typeof value === 'string' && !/^(?:null|none)?$/i.test(value) ? value : null;
}

function objectOr(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** Of several choices, which we never ask for, the first: in a stream each comes in chunks of its own. */
function choiceOf(choices: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(choices)) return {};
  const all: readonly Readonly<Record<string, unknown>>[] = choices.filter(isJsonObject);
  const first = all.find(({ index, delta }) => !isJsonObject(delta) || index === 0 || typeof index !== 'number');
  return first ?? {};
}

/** The text of one of OpenRouter's details; others are encrypted. */
function detailText({ text, summary }: JsonObject): string {
  return textOf(text) || textOf(summary);
}

/** Mistral's models write reasoning as a part of the content. */
function thinkingOf(content: unknown): unknown {
  if (!Array.isArray(content)) return '';
  return content.flatMap((part: unknown) => (isJsonObject(part) && part.type === 'thinking' ? part.thinking : []));
}

/** Some servers send content as a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

const noCalls: readonly CallPiece[] = Object.freeze([]);

/**
 * `tool_calls`, and the older `function_call`, whose place is taken by one call. What is malformed counts as empty. In a
 * whole reply, and where a chunk has several, each entry is a call of its own, with or without an index.
 */
function callsOf(message: Readonly<Record<string, unknown>>, isPiece: boolean): readonly CallPiece[] {
  const { tool_calls: listed, function_call: single } = message;
  if (!Array.isArray(listed) || listed.length === 0) return isJsonObject(single) ? [pieceOf({}, single, 0)] : noCalls;
  const calls: readonly Readonly<Record<string, unknown>>[] = listed.filter(isJsonObject);
  if (!isPiece) return calls.map((call, place) => pieceOf(call, call.function, place));
  return calls.map((call, place) => {
    const index = isCount(call.index) ? call.index : calls.length > 1 ? place : null;
    return pieceOf(call, call.function, index);
  });
}

function pieceOf({ id }: Readonly<Record<string, unknown>>, called: unknown, index: number | null): CallPiece {
  const { name, arguments: input } = objectOr(called);
  return {
    type: 'call',
    index,
    id: typeof id === 'string' && id !== '' ? id : null,
    tool: typeof name === 'string' ? name : '',
    input: inputText(input),
  };
}

/** Some servers send the arguments as an object instead of as its JSON. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  return isJsonObject(input) ? JSON.stringify(input) : '';
}

function usageOf(usage: Readonly<Record<string, unknown>>): Chunk['usage'] {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: total } = usage;
  // Nothing at all was never asked: such a count says that there is none.
  if (inputTokens === 0 && outputTokens === 0) return null;
  if (isCount(inputTokens) && isCount(outputTokens)) return { inputTokens, outputTokens, ...cachedIn(usage) };
  // Some servers give the sum alone, or with one of its parts.
  if (!isCount(total)) return null;
  if (isCount(inputTokens)) return { inputTokens, outputTokens: Math.max(0, total - inputTokens) };
  const answered = isCount(outputTokens) ? Math.min(outputTokens, total) : 0;
  return { inputTokens: total - answered, outputTokens: answered };
}

/** What the server read from its cache: in the details (OpenAI and most others), or beside them (DeepSeek). */
function cachedIn(usage: Readonly<Record<string, unknown>>): Pick<TokenCount, 'cachedInputTokens'> {
  const detailed = objectOr(usage.prompt_tokens_details).cached_tokens;
  const cached = isCount(detailed) ? detailed : usage.prompt_cache_hit_tokens;
  return isCount(cached) ? { cachedInputTokens: cached } : {};
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The words met on OpenAI, Azure, vLLM, llama.cpp, TGI, Ollama, Mistral, Gemini, Anthropic and their proxies. */
const finishWords: ReadonlyMap<string, Exclude<FinishReason, 'cut'>> = new Map([
  ...(
    'stop eos eos_token stop_sequence stop_token end_turn complete completed finish finished tool_calls tool_call ' +
    'tool_use function_call'
  )
    .split(' ')
    .map((word) => [word, 'stop'] as const),
  ...'length max_tokens max_output_tokens max_completion_tokens model_length model_context_window_exceeded'
    .split(' ')
    .map((word) => [word, 'length'] as const),
  ...'content_filter safety sensitive recitation blocklist prohibited_content spii refusal'
    .split(' ')
    .map((word) => [word, 'content_filter'] as const),
]);

/** Null for a word we do not know: guessing that the reply is whole could run half a call. */
export function finishOf(word: string): Exclude<FinishReason, 'cut'> | null {
  return finishWords.get(word.toLowerCase()) ?? null;
}
