/**
 * What a property test of an agent draws from: replies as models write them, well and badly, ways to cut them, tools that
 * misbehave, scripts and budgets. A function over your own fast-check, so that seeds, shrinking and versions are yours:
 *
 * ```ts
 * import fc from 'fast-check';
 * const { reply, chunks } = arbitraries(fc);
 * fc.assert(fc.property(reply('labelled'), ({ text, meaning }) => …));
 * ```
 *
 * Everything drawn is plain data: it prints as JSON, and a counterexample can be pasted into a test.
 */
import type { JsonObject } from '../core/json.ts';
import type { Budget } from '../core/limits.ts';
import type { ScriptedReply } from '../models/scripted.ts';
import { jsonInputs, toolNames } from './arbitrary-input.ts';
import { type ReplyDialect, wellFormed } from './arbitrary-reply.ts';
import { malformed } from './arbitrary-reply-faults.ts';
import { budgets, scriptedReplies } from './arbitrary-script.ts';
import { type ToolBehaviour, toolBehaviours } from './arbitrary-tool.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import type { MeantReply } from './meant-reply.ts';
import { chunkings, cutInto } from './pieces.ts';

export interface Arbitraries {
  /** Names that models write behind `Action:`: `look`, `send`, and those that break a record: `constructor`, `__proto__`. */
  readonly toolName: Arbitrary<string>;
  /** An input: an object of JSON, seldom deep, perhaps with a key such as `__proto__`. */
  readonly input: Arbitrary<JsonObject>;
  /**
   * A reply in the form of the dialect, with what it means: one call or an answer. As models really write it: labels
   * that are bold, numbered, lower-case or Chinese, keys and tags of other names, fences, thinking before it.
   */
  reply(dialect: ReplyDialect): Arbitrary<MeantReply>;
  /**
   * What models write when they go wrong: cut JSON, single quotes, missing labels, invented observations, two actions,
   * an action and an answer, labels in strings, fences, other dialects, nothing, deep nesting, 10,000 backticks, half
   * characters. Any of these texts has a reading; which one is not said here.
   */
  malformedReply(dialect: ReplyDialect): Arbitrary<string>;
  /** The lengths of the pieces of a text, over and over; `[]` is one piece. For `cutInto(text, lengths)`. */
  readonly chunking: Arbitrary<readonly number[]>;
  /** A text in pieces: also empty ones, and cut inside a surrogate pair. Joined they are the text again. */
  chunks(text: string): Arbitrary<readonly string[]>;
  /** How a tool behaves, as data; `toolOf(behaviour, clock)` makes the tool. */
  readonly toolBehaviour: Arbitrary<ToolBehaviour>;
  /** One reply for `scriptedModel`: pieces, delays, silence, failures, cut and filtered replies, false token counts. */
  scriptEntry(dialect?: ReplyDialect): Arbitrary<ScriptedReply>;
  /** Up to ten of them. */
  script(dialect?: ReplyDialect): Arbitrary<readonly ScriptedReply[]>;
  /** Small, so that runs meet their ends; each limit may be 0. */
  readonly budget: Arbitrary<Budget>;
}

export function arbitraries(fc: FastCheck): Arbitraries {
  const chunking = chunkings(fc);
  const scriptEntry = (dialect: ReplyDialect = 'labelled') => scriptedReplies(fc, chunking, dialect);
  return {
    toolName: toolNames(fc),
    input: jsonInputs(fc),
    reply: (dialect) => wellFormed(fc, dialect),
    malformedReply: (dialect) => malformed(fc, dialect),
    chunking,
    chunks: (text) => chunking.map((lengths) => cutInto(text, lengths)),
    toolBehaviour: toolBehaviours(fc),
    scriptEntry,
    script: (dialect) => fc.array(scriptEntry(dialect), { maxLength: 10 }),
    budget: budgets(fc),
  };
}
