/**
 * What people, models and tools wrote, in the JSON of the GenAI conventions: only for who asks for it. Each text is at most so many
 * code units long, and JSON whatever was cut. Pure.
 * Source: https://github.com/open-telemetry/semantic-conventions-genai/tree/main/docs/gen-ai (gen-ai-input-messages.json,
 * gen-ai-output-messages.json, gen-ai-system-instructions.json)
 */
import type { JsonValue } from '../../core/json.ts';
import type { Message } from '../../core/model.ts';
import type { CallView, RunView, StepView, TryView } from '../run-view.ts';
import { type Facts, finishReason } from './facts.ts';
import { contentNames, own } from './names.ts';

/** The task; the whole conversation stands with each request. */
export function taskContent({ task }: RunView, most: number): Facts {
  if (task === null) return {};
  return facts({ [contentNames.input]: fitted(task, most, (content) => [spoken('user', content)]) });
}

export function answerContent({ answer }: RunView, most: number): Facts {
  if (answer === null) return {};
  return facts({ [contentNames.output]: fitted(answer, most, (content) => [said([text(content)], 'stop')]) });
}

export function promptContent(messages: readonly Message[], most: number): Facts {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const others = messages.filter(({ role }) => role !== 'system');
  return facts({
    ...(system.length === 0
      ? {}
      : { [contentNames.system]: fitted(system.join('\n'), most, (content) => [text(content)]) }),
    [contentNames.input]: newest(others, most),
  });
}

/** In text dialects the text holds the calls; in `native` they stand beside it. */
export function replyContent({ text: reply, calls }: StepView, tried: TryView, isNative: boolean, most: number): Facts {
  if (reply === null) return {};
  const made = isNative ? calls.map(({ callId, tool, written }) => called(callId, tool, written)) : [];
  const message = (content: string, parts: readonly object[]) => [
    said([...(content === '' ? [] : [text(content)]), ...parts], finishReason(tried)),
  ];
  const whole = JSON.stringify(message(reply, made));
  if (whole.length <= most) return facts({ [contentNames.output]: { json: whole, isCut: false } });
  const named = made.map((part) => ({ ...part, arguments: null }));
  const bare = JSON.stringify(message('', named)).length < most ? named : [];
  const cut = fitted(reply, most, (content) => message(content, bare));
  return facts({ [contentNames.output]: { ...cut, isCut: true } });
}

export function inputContent({ input }: CallView, most: number): Facts {
  return input === null ? {} : facts({ [contentNames.arguments]: value(input, most) });
}

export function resultContent({ status, output, observation }: CallView, most: number): Facts {
  const result = output ?? observation;
  if (status !== 'succeeded' || result === null) return {};
  return facts({ [contentNames.result]: value(result, most) });
}

/** The words of an error, for a status. */
export function words(message: string): string {
  return beginning(message, 1_000);
}

/** At most so much of a text; a character of two halves is not cut in two. */
function beginning(whole: string, most: number): string {
  if (whole.length <= most) return whole;
  const last = whole.charCodeAt(most - 1);
  return whole.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

interface Fitted {
  readonly json: string;
  readonly isCut: boolean;
}

function facts(contents: { readonly [name: string]: Fitted }): Facts {
  const entries = Object.entries(contents).map(([name, { json }]) => [name, json] as const);
  const isCut = Object.values(contents).some((content) => content.isCut);
  return { ...Object.fromEntries(entries), [own.contentCut]: isCut || undefined };
}

/** As much of the text as fits: characters that JSON escapes take more room than they have. */
function fitted(whole: string, most: number, wrap: (content: string) => unknown): Fitted {
  for (let length = Math.min(whole.length, most); length > 0; length = Math.floor(length / 2)) {
    const json = JSON.stringify(wrap(beginning(whole, length)));
    if (json.length <= most) return { json, isCut: length < whole.length };
  }
  return { json: JSON.stringify(wrap('')), isCut: whole !== '' };
}

function value(given: JsonValue, most: number): Fitted {
  const json = JSON.stringify(given);
  if (json.length <= most) return { json, isCut: false };
  return { ...fitted(typeof given === 'string' ? given : json, most, (content) => content), isCut: true };
}

/** The last messages that fit; the very last is cut rather than left out. */
function newest(messages: readonly Message[], most: number): Fitted {
  const kept: string[] = [];
  let room = most - 2;
  for (const message of messages.toReversed()) {
    const json = JSON.stringify(parted(message, message.content));
    if (json.length > room) break;
    kept.push(json);
    room -= json.length + 1;
  }
  const last = messages.at(-1);
  if (kept.length === 0 && last !== undefined)
    return { ...fitted(last.content, most, (content) => [parted(last, content)]), isCut: true };
  return { json: `[${kept.toReversed().join(',')}]`, isCut: kept.length < messages.length };
}

function parted(message: Message, content: string): object {
  if (message.role === 'tool')
    return { role: 'tool', parts: [{ type: 'tool_call_response', id: message.toolCallId, response: content }] };
  if (message.role !== 'assistant') return spoken(message.role, content);
  const calls = (message.calls ?? []).map(({ toolCallId, tool, input }) => called(toolCallId, tool, input));
  return { role: 'assistant', parts: [...(content === '' && calls.length > 0 ? [] : [text(content)]), ...calls] };
}

function spoken(role: string, content: string): object {
  return { role, parts: [text(content)] };
}

function said(parts: readonly object[], finish: string): object {
  return { role: 'assistant', parts, finish_reason: finish };
}

function text(content: string): object {
  return { type: 'text', content };
}

function called(id: string, name: string, input: JsonValue | null): object {
  return { type: 'tool_call', id, name, arguments: input };
}
