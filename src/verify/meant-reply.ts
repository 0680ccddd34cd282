/** Replies with what they mean, built from a way of writing. Each dialect says in a row of its own how models write it. */
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ReadCall } from '../core/reading.ts';
import type { ScriptedCall } from '../models/scripted.ts';
import { jsonInputs, prose, toolNames } from './arbitrary-input.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

/** What a reply is to be read as. */
export type Meaning =
  | { readonly kind: 'calls'; readonly thought: string | null; readonly calls: readonly ReadCall[] }
  | { readonly kind: 'answer'; readonly thought: string | null; readonly answer: string };

export interface MeantReply {
  readonly text: string;
  /** Behind the text, where the provider has a form of its own for calls. */
  readonly calls?: readonly ScriptedCall[];
  readonly meaning: Meaning;
}

/** What a tool is called in the replies of a dialect. */
export type Named = (tool: string) => string;

/** How one model writes: a thought with what parts it from the step, a call, an answer. */
export interface Writing {
  thought(text: string): string;
  call(tool: string, input: JsonValue): string;
  answer(text: string): string;
  /** Round the whole reply; default: nothing. Where there is no thought, it must not look like one. */
  readonly around?: (reply: string, hasThought: boolean) => string;
}

/** A dialect as models write it. */
export interface ReplyRow {
  /** Replies that are read as they are meant, in all the ways in which models write them. */
  replies(fc: FastCheck, named: Named): Arbitrary<MeantReply>;
  /** Pieces of its replies, for replies that are put together in any order. */
  readonly fragments: readonly string[];
  /** What models do to a whole reply in it; `at` is a place in the text. */
  readonly spoilers: readonly ((text: string, at: number) => string)[];
  /** Whole replies that went wrong, seen often enough. */
  readonly faults: readonly string[];
}

/** A call or an answer, with a thought or without. */
export function repliesWritten(fc: FastCheck, writing: Arbitrary<Writing>, named: Named): Arbitrary<MeantReply> {
  const thought = fc.option(prose(fc));
  const call = fc
    .record({ writing, thought, tool: toolNames(fc), input: jsonInputs(fc) })
    .map(({ writing: way, thought: meant, tool, input }) => ({
      text: reply(way, meant, way.call(named(tool), input)),
      meaning: callOf(meant, tool, input),
    }));
  const answer = fc.record({ writing, thought, told: prose(fc) }).map(({ writing: way, thought: meant, told }) => ({
    text: reply(way, meant, way.answer(told)),
    meaning: answerOf(meant, told),
  }));
  return fc.oneof(call, answer);
}

function reply({ thought, around = (text) => text }: Writing, meant: string | null, step: string): string {
  return around(meant === null ? step : `${thought(meant)}${step}`, meant !== null);
}

export function callOf(thought: string | null, tool: string, input: JsonObject): Meaning {
  return { kind: 'calls', thought, calls: [{ tool, input }] };
}

export function answerOf(thought: string | null, answer: string): Meaning {
  return { kind: 'answer', thought, answer };
}

export function fenced(text: string, language = ''): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
