/**
 * Puts the pieces of the provider's own calls together. Pure. Servers disagree: ids may be missing or new with each piece,
 * one index may stand for several calls, a name may come in pieces or with every piece.
 */
import { isJsonObject, type JsonValue } from '../core/json.ts';
import type { CallPiece } from '../core/model.ts';
import type { ReadCall } from '../core/reading.ts';
import { readInput } from './input-text.ts';
import { parseJson, repairJson } from './repair.ts';
import { createTracker, type Tracker } from './tracker.ts';

export interface CallPieces {
  /** Gives what stands for the call that the piece belongs to: the same for all of its pieces. */
  take(piece: CallPiece): object;
  /** The calls in the order in which they began; a name is as it came. */
  calls(): readonly FoundCall[];
}

/** `unread`: an input that was meant as JSON and cannot be read, as it came. */
export type FoundCall = ReadCall | { readonly tool: string; readonly unread: string };

interface Open {
  readonly index: number | null;
  id: string | null;
  tool: string;
  readonly input: string[];
  readonly tracker: Tracker;
  /** Something of the input came. */
  begun: boolean;
  /** The input is a whole value. */
  whole: boolean;
}

export function createCallPieces(): CallPieces {
  const open: Open[] = [];
  // The newest of each index and of each id; under null the newest of all.
  const atIndex = new Map<number | null, Open>();
  const withId = new Map<string, Open>();
  return {
    take(piece) {
      const known = piece.index === null && piece.id !== null ? withId.get(piece.id) : undefined;
      const last = known ?? atIndex.get(piece.index);
      const call = last !== undefined && goesOn(last, piece) ? last : begin(piece);
      if (call !== last) open.push(call);
      for (const index of [call.index, null]) atIndex.set(index, call);
      if (piece.id !== null) withId.set(piece.id, call);
      add(call, piece);
      return call;
    },
    calls: () => open.filter(({ tool, begun }) => tool !== '' || begun).map(callOf),
  };
}

function begin({ index }: CallPiece): Open {
  return { index, id: null, tool: '', input: [], tracker: createTracker(), begun: false, whole: false };
}

/**
 * Whether a piece belongs to the call. Another id begins another call, unless a server makes one up for each piece of an
 * input; so does a name with an input behind an input that is whole.
 */
function goesOn(call: Open, { id, tool, input }: CallPiece): boolean {
  const isSame = id !== null && id === call.id;
  if (!isSame && id !== null && call.id !== null) return tool === '' && input !== '' && !call.whole;
  return tool === '' || !call.whole || (isSame && input.trim() === '');
}

function add(call: Open, { id, tool, input }: CallPiece): void {
  call.id ??= id;
  // A name that comes again with each piece is one name.
  if (tool !== '' && tool !== call.tool && !call.begun) call.tool += tool;
  if (input === '') return;
  call.input.push(input);
  if (!call.begun && input.trim() === '') return;
  const from = call.begun ? 0 : input.length - input.trimStart().length;
  call.begun = true;
  call.whole ||= call.tracker.take(input, from) >= 0;
}

/** Some servers send an empty object first, and then the input. */
function callOf({ tool, input, whole }: Open): FoundCall {
  const text = input.join('').trim();
  if (text === '') return { tool, input: {} };
  const plain = parseJson(text);
  if (plain !== undefined) return spelledTwice(tool, plain);
  const filled = text.startsWith('{}') ? parseJson(text.slice(2)) : undefined;
  if (isJsonObject(filled)) return { tool, input: filled };
  if (!meansJson(text)) return { tool, input: text };
  // An input that was cut off in the middle is not guessed at, although the reply ended well.
  if (!text.startsWith('`')) return mended(tool, text, repairJson(text, whole ? 'any' : 'closers'));
  const { input: value, end } = readInput(text);
  return end < text.length || !text.endsWith('`') ? { tool, unread: text } : mended(tool, text, value);
}

/** Of an object an object must come: two of them, one behind the other, are repaired to a list. */
function mended(tool: string, text: string, value: JsonValue | undefined): FoundCall {
  const fits = text.startsWith('[') ? Array.isArray(value) : isJsonObject(value);
  return fits && value !== undefined ? { tool, input: value, repaired: true } : { tool, unread: text };
}

/** What begins so was meant as JSON, and as plain text it would be a guess. */
function meansJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[') || text.startsWith('`');
}

/** Some servers write the input as JSON in a JSON string. */
function spelledTwice(tool: string, value: JsonValue): FoundCall {
  if (value === null) return { tool, input: {} };
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return { tool, input: value };
  const input = parseJson(value);
  return input === undefined ? { tool, unread: value.trim() } : { tool, input };
}
