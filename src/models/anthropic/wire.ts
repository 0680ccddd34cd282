/**
 * What one event of a stream says, or one document. Pure. Every field is checked: proxies and other servers speak this
 * form too, and what is not known is passed over, as the API asks of its readers.
 * Source: https://docs.anthropic.com/en/api/messages-streaming
 */
import { isJsonObject } from '../../core/json.ts';
import type { FinishReason } from '../../core/model.ts';
import { errorIn, parseObject, type ServerError } from '../http/server-error.ts';

/** The first of a block, with what it already holds. */
export type BlockStart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string | null; readonly name: string; readonly input: string }
  /** Of a kind that is not known, such as a tool of the server's own: it is passed over with all its pieces. */
  | { readonly type: 'other' };

/** More of a block. */
export interface BlockDelta {
  readonly type: 'text' | 'thinking' | 'signature' | 'input';
  readonly text: string;
}

/** Tokens by kind, as far as they are told: a later event tells only what has changed. */
export interface UsageParts {
  readonly input?: number;
  readonly cacheCreation?: number;
  readonly cacheRead?: number;
  readonly output?: number;
}

export type WireEvent =
  | { readonly type: 'message'; readonly usage: UsageParts; readonly stopReason: string | null }
  | { readonly type: 'start'; readonly index: number | null; readonly block: BlockStart }
  | { readonly type: 'delta'; readonly index: number | null; readonly delta: BlockDelta }
  | { readonly type: 'stop' }
  | { readonly type: 'over' }
  | { readonly type: 'error'; readonly error: ServerError }
  /** A ping, or something new. */
  | { readonly type: 'other' };

type Fields = Readonly<Record<string, unknown>>;

const other: WireEvent = Object.freeze({ type: 'other' });

/** Null where the text is no JSON object. */
export function readEvent(json: string): WireEvent | null {
  const event = parseObject(json);
  if (event === null) return null;
  const index = isCount(event.index) ? event.index : null;
  switch (event.type) {
    case 'message_start':
      // No reply ends where it begins, whatever a proxy writes there.
      return messageOf({}, fieldsOf(event.message));
    case 'message_delta':
      return messageOf(fieldsOf(event.delta), event);
    case 'content_block_start':
      return { type: 'start', index, block: blockOf(fieldsOf(event.content_block), false) };
    case 'content_block_delta': {
      const delta = deltaOf(fieldsOf(event.delta));
      return delta === null ? other : { type: 'delta', index, delta };
    }
    case 'content_block_stop':
      return { type: 'stop' };
    case 'message_stop':
      return { type: 'over' };
  }
  const error = errorOf(event);
  return error === null ? other : { type: 'error', error };
}

/** A whole message as the events that it would have come in. Null where the text is no message and no error. */
export function readMessage(json: string): readonly WireEvent[] | null {
  const message = parseObject(json);
  if (message === null) return null;
  const error = errorOf(message);
  if (error !== null) return [{ type: 'error', error }];
  if (!Array.isArray(message.content)) return null;
  const content: readonly unknown[] = message.content;
  const blocks = content.flatMap((value, index): readonly WireEvent[] => [
    { type: 'start', index, block: blockOf(fieldsOf(value), true) },
    { type: 'stop' },
  ]);
  return [messageOf(message, message), ...blocks, { type: 'over' }];
}

function messageOf({ stop_reason: stopReason }: Fields, { usage }: Fields): WireEvent {
  return {
    type: 'message',
    usage: usageOf(fieldsOf(usage)),
    stopReason: typeof stopReason === 'string' && stopReason !== '' ? stopReason : null,
  };
}

/** `isWhole`: not the beginning of a block, where an empty input stands for the pieces that follow. */
function blockOf(block: Fields, isWhole: boolean): BlockStart {
  const { type, text, thinking, signature, data, id, name, input } = block;
  switch (type) {
    case 'text':
      return { type, text: textOf(text) };
    case 'thinking':
      return { type, text: textOf(thinking), signature: textOf(signature) };
    case 'redacted_thinking':
      return { type, data: textOf(data) };
    case 'tool_use': {
      const isTold = isWhole || Object.keys(fieldsOf(input)).length > 0;
      const told = isTold && isJsonObject(input) ? JSON.stringify(input) : textOf(input);
      return { type, id: textOf(id) || null, name: textOf(name), input: told };
    }
    default:
      return { type: 'other' };
  }
}

function deltaOf({ type, text, thinking, signature, partial_json: json }: Fields): BlockDelta | null {
  switch (type) {
    case 'text_delta':
      return { type: 'text', text: textOf(text) };
    case 'thinking_delta':
      return { type: 'thinking', text: textOf(thinking) };
    case 'signature_delta':
      return { type: 'signature', text: textOf(signature) };
    case 'input_json_delta':
      return { type: 'input', text: textOf(json) };
    default:
      return null;
  }
}

function usageOf(usage: Fields): UsageParts {
  return {
    ...countOf('input', usage.input_tokens),
    ...countOf('cacheCreation', usage.cache_creation_input_tokens),
    ...countOf('cacheRead', usage.cache_read_input_tokens),
    ...countOf('output', usage.output_tokens),
  };
}

function countOf(name: keyof UsageParts, value: unknown): UsageParts {
  return isCount(value) ? { [name]: value } : {};
}

/** The status that an error would have had, had it come before the first byte. */
const statusOfType: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/** Source: https://docs.anthropic.com/en/api/errors */
function errorOf(document: Fields): ServerError | null {
  const error = errorIn(document);
  if (error === null) return null;
  const status = error.words.map((word) => statusOfType.get(word)).find((found) => found !== undefined);
  return { ...error, status: status ?? error.status };
}

/** Null for a word we do not know: guessing that the reply is whole could run half a call. */
export function finishOf(stopReason: string): Exclude<FinishReason, 'cut'> | null {
  return finishWords.get(stopReason) ?? null;
}

/** `pause_turn` is none of them: it asks to be continued, which only tools on the server do, and we send none. */
const finishWords: ReadonlyMap<string, Exclude<FinishReason, 'cut'>> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);

function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
