/**
 * An exchange without secrets. Our own words (types, roles, names of tools) stay as they are. A reply comes in pieces, and a
 * secret may be cut anywhere: what belongs together is looked at together. Pure.
 */
import type { JsonValue } from '../core/json.ts';
import type { Message, ModelEvent } from '../core/model.ts';
import type { Redactor } from '../core/redact.ts';
import { createCallPieces } from '../protocol/native-calls.ts';
import { redactMessage, redactTexts } from '../shell/redact-events.ts';
import type { Exchange, RecordedRequest, TimedEvent } from './recording.ts';

export function redactExchange(exchange: Exchange, redactor: Redactor): Exchange {
  return {
    ...exchange,
    request: redactRequest(exchange.request, redactor),
    events: redactReply(exchange.events, redactor),
    why: redactor.text(exchange.why),
  };
}

/** What a recorded request is compared as. */
export function redactRequest(request: RecordedRequest, redactor: Redactor): RecordedRequest {
  const { messages, tools } = request;
  return {
    ...request,
    messages: messages.map((message) => redactAll(message, redactor)),
    ...(tools === undefined ? {} : { tools: redactTexts(tools, redactor) }),
    stop: request.stop.map(redactor.text),
  };
}

function redactAll(message: Message, redactor: Redactor): Message {
  const shown = redactMessage(message, redactor);
  if (shown.role !== 'assistant' || shown.providerData === undefined) return shown;
  return { ...shown, providerData: redactor.value(shown.providerData) };
}

function redactReply(events: readonly TimedEvent[], redactor: Redactor): readonly TimedEvent[] {
  const pieces = events.map(({ ms, event }) => ({ ms, event: redactEvent(event, redactor) }));
  for (const { places, whole } of textsOf(events)) {
    const shown = places.some(({ isInput }) => isInput) ? inputWithout(whole, redactor) : redactor.text(whole);
    if (shown === whole) continue;
    // The last piece has all of it: before, nobody could have known.
    for (const [index, { at }] of places.entries()) {
      const piece = pieces[at];
      if (piece !== undefined)
        pieces[at] = { ...piece, event: withText(piece.event, index === places.length - 1 ? shown : '') };
    }
  }
  return pieces;
}

function redactEvent(event: ModelEvent, redactor: Redactor): ModelEvent {
  const { text } = redactor;
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return event;
    case 'call':
      return { ...event, id: event.id === null ? null : text(event.id), tool: text(event.tool) };
    case 'model':
      return event.insteadOf === undefined ? event : { ...event, insteadOf: withoutSecrets(event.insteadOf, text) };
    case 'end':
      return event.providerData === undefined ? event : { ...event, providerData: redactor.value(event.providerData) };
    case 'failed':
      return withoutSecrets(event, text);
  }
}

function withoutSecrets<Said extends { readonly message: string; readonly hint: string }>(
  said: Said,
  text: Redactor['text'],
): Said {
  return { ...said, message: text(said.message), hint: text(said.hint) };
}

interface WholeText {
  readonly places: readonly { readonly at: number; readonly isInput: boolean }[];
  readonly whole: string;
}

/** The text, the reasoning, and the input of each call as the loop puts it together, with the events that they came in. */
function textsOf(events: readonly TimedEvent[]): readonly WholeText[] {
  const found = new Map<string | object, { at: number; isInput: boolean; text: string }[]>();
  const calls = createCallPieces();
  for (const [at, { event }] of events.entries()) {
    const text = textIn(event);
    if (text === null) continue;
    const kind = event.type === 'call' ? calls.take(event) : event.type;
    const places = found.get(kind) ?? [];
    places.push({ at, isInput: event.type === 'call', text });
    found.set(kind, places);
  }
  return [...found.values()].map((places) => ({ places, whole: places.map(({ text }) => text).join('') }));
}

function textIn(event: ModelEvent): string | null {
  if (event.type === 'text' || event.type === 'reasoning') return event.text;
  return event.type === 'call' ? event.input : null;
}

function withText(event: ModelEvent, text: string): ModelEvent {
  if (event.type === 'text' || event.type === 'reasoning') return { ...event, text };
  return event.type === 'call' ? { ...event, input: text } : event;
}

/** As JSON where it is JSON: then what stands under the name of a credential is hidden too. */
function inputWithout(text: string, redactor: Redactor): string {
  try {
    const value: JsonValue = JSON.parse(text);
    const shown = JSON.stringify(redactor.value(value));
    return shown === JSON.stringify(value) ? text : shown;
  } catch {
    return redactor.text(text);
  }
}
