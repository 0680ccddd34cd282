/**
 * A recording: what models were asked and what came, one exchange a line (JSONL). Each line says its format, so that files
 * can be put together. Pure.
 */
import { hashOf } from '../core/fingerprint.ts';
import { canonicalJson, isJsonObject, type JsonValue } from '../core/json.ts';
import type { ModelEvent, ModelRequest } from '../core/model.ts';
import { readModelEvent } from '../core/model-event.ts';
import { recordingFormat } from '../core/recording-format.ts';
import { count, duration, json, list, members, nullOr, of, type Shape, text, word } from '../shell/shape.ts';

/** A request as it is recorded: without secrets. */
export type RecordedRequest = Omit<ModelRequest, 'signal'>;

/** An event, and how many milliseconds behind the request it came. */
export interface TimedEvent {
  readonly ms: number;
  readonly event: ModelEvent;
}

/**
 * How an exchange ended. `end` and `failed`: with the event of that name. `broke_off`: without either. `left`: whoever asked
 * wanted no more of it. `threw`: the adapter broke its contract.
 */
export type ExchangeEnd = 'end' | 'failed' | 'broke_off' | 'left' | 'threw';

export interface Exchange {
  readonly format: typeof recordingFormat;
  readonly provider: string;
  readonly name: string;
  readonly request: RecordedRequest;
  readonly events: readonly TimedEvent[];
  readonly ended: ExchangeEnd;
  /** Of `left`: the reason that the signal gives. Of `threw`: what was thrown. Otherwise empty. */
  readonly why: string;
}

/** Without the signal, which is not read: that would make one. */
export function requestOf(request: ModelRequest): RecordedRequest {
  const { messages, tools, stop, maxOutputTokens, temperature, step, attempt, json } = request;
  return {
    messages,
    ...(tools === undefined ? {} : { tools }),
    ...(json === undefined ? {} : { json }),
    ...{ stop, maxOutputTokens, temperature, step, attempt },
  };
}

/** Equal for requests that ask for the same. Which step and which try it is, is no part of what is asked. */
export function requestKey({ step: _step, attempt: _attempt, ...asked }: RecordedRequest): string {
  const plain: JsonValue = JSON.parse(JSON.stringify(asked));
  return hashOf(canonicalJson(plain));
}

const optional =
  (shape: Shape): Shape =>
  (value, field) =>
    value === undefined ? null : shape(value, field);

const onlyTrue = optional(of((value) => value === true, 'true, or not there'));

/** The shape that the member `name` asks for. */
function byWord(name: string, shapes: ReadonlyMap<string, Shape>): Shape {
  const known = word(...shapes.keys());
  return (value, field) => {
    const said = isJsonObject(value) ? value[name] : undefined;
    return known(said, field === '' ? name : `${field}.${name}`) ?? shapes.get(String(said))?.(value, field) ?? null;
  };
}

const said = members({ role: text, content: text });
const message = byWord(
  'role',
  new Map([
    ['system', said],
    ['user', said],
    [
      'assistant',
      members({
        role: text,
        content: text,
        calls: optional(list(members({ toolCallId: text, tool: text, input: json }))),
        providerData: optional(json),
      }),
    ],
    ['tool', members({ role: text, content: text, toolCallId: text, isError: onlyTrue })],
  ]),
);

const request = members({
  messages: list(message),
  tools: optional(list(members({ name: text, description: text, inputSchema: nullOr(json) }))),
  json: onlyTrue,
  stop: list(text),
  maxOutputTokens: count,
  temperature: duration,
  step: count,
  attempt: count,
});

const event: Shape = (value, field) => (readModelEvent(value) === null ? `${field} is no event of a model` : null);

const exchange = members({
  format: word(recordingFormat),
  provider: text,
  name: text,
  request,
  events: list(members({ ms: duration, event })),
  ended: word('end', 'failed', 'broke_off', 'left', 'threw'),
  why: text,
});

/** What is wrong with a line of a recording; null where nothing is. */
export function exchangeProblem(value: unknown): string | null {
  return exchange(value, '');
}
