/**
 * A dialect: how a model writes a turn. One interface; each dialect is one small file, and adding one touches nothing
 * else. Types only.
 */
import type { JsonValue } from '../core/json.ts';
import type { Language } from '../core/language.ts';
import type { CallPiece, Message, ToolDescription } from '../core/model.ts';
import type { Mark, Reading } from '../core/reading.ts';
import type { Form } from './form.ts';

export type { Language } from '../core/language.ts';
export type { ToolDescription } from '../core/model.ts';

export interface PromptOptions {
  readonly tools: readonly ToolDescription[];
  readonly language: Language;
  /** Whether the few-shot examples are part of the instructions. */
  readonly examples: boolean;
}

export interface ReadOptions {
  /** The names of the tools that exist; a call of another name is a call all the same. */
  readonly tools: readonly string[];
  /** All that were ever tools of the run, in order, where that is not `tools`: ids count through them. */
  readonly registered?: readonly string[];
  readonly language: Language;
}

/** The result of one call, as the model is told. */
export interface Observed {
  readonly tool: string;
  readonly text: string;
  /** The call did not succeed. */
  readonly isError?: true;
}

/**
 * Reads one reply as it streams, in one pass: each character is looked at a bounded number of times however the text
 * is cut. Total: any text gives a reading. Every way of cutting the text gives the same marks and the same reading.
 */
export interface Scanner {
  /** The stops newly met, in order; each kind of stop once a reply. `chunk` may be empty or end inside a character. */
  feed(chunk: string): readonly Mark[];
  /** Takes a piece of the provider's own calls. A dialect without it does not read them. */
  takeCall?(piece: CallPiece): void;
  /** The last stops, and what the whole reply was read as. Called at most once, after the last `feed`. */
  end(): { readonly marks: readonly Mark[]; readonly reading: Reading };
  /** The reply up to the end of its first complete step, without what was made up behind it: this is written back. */
  kept(): string;
}

/** A step with calls, as it goes into the next prompt. */
export interface StepWithCalls {
  readonly thought: string | null;
  readonly calls: readonly { readonly callId: string; readonly tool: string; readonly input: JsonValue | null }[];
  /** The results, in the order of the calls. */
  readonly results: readonly Observed[];
}

/** How tools, calls and results stand in a request where the provider has a form of its own for them. */
export interface Wire {
  tools(tools: readonly ToolDescription[]): readonly ToolDescription[];
  /** The assistant's message, and one message for each result. */
  step(step: StepWithCalls, tools: readonly string[]): readonly Message[];
}

export interface Dialect {
  readonly name: string;
  /** Stop sequences for the server: only the start of an observation. All other stops are marks for us. */
  readonly serverStops: readonly string[];
  /** A turn is one JSON object: servers that can are asked for nothing else. */
  readonly json?: true;
  /** The part of the system message that teaches the form, with the tools. */
  instructions(options: PromptOptions): string;
  scanner(options: ReadOptions): Scanner;
  /** The user's message with the results of a step's calls, which are data by then, or the one text of a fault. */
  writeObservation(results: readonly Observed[]): string;
  /** Makes a tool's text data where it imitates what only this dialect reads; all that ship are seen to before. */
  asData?(text: string): string;
  /** How a step is written, for hints. Without it they show the form of the dialect of this name, or the labelled one. */
  readonly form?: Form;
  /** How the tools are named in hints; default their names. */
  shown?(options: ReadOptions): readonly string[];
  /** The tool behind what a model wrote for it, where it is shown otherwise than by its name. */
  named?(written: string, options: ReadOptions): string;
  /** Only where the provider's own calls carry a step. */
  readonly wire?: Wire;
}

/** A dialect that ships always says how a step is written in it. */
export interface ShippedDialect extends Dialect {
  readonly form: Form;
}
