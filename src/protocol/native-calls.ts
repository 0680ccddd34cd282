/**
 * Puts the pieces of the provider's own calls together. Pure. Servers disagree: ids may be missing, one index may stand
 * for several calls, a name may come in pieces or with every piece.
 */
import type { JsonValue } from '../core/json.ts';
import type { CallPiece } from '../core/model.ts';
import type { ReadCall } from '../core/reading.ts';
import { parseJson, repairJson } from './repair.ts';
import { createTracker, type Tracker } from './tracker.ts';

export interface CallPieces {
  take(piece: CallPiece): void;
  /** The calls in the order in which they began; a name is as it came. */
  calls(): readonly ReadCall[];
}

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
  return {
    take(piece) {
      const last = open.findLast(({ index }) => piece.index === null || index === piece.index);
      if (last !== undefined && goesOn(last, piece)) return add(last, piece);
      const next: Open = {
        index: piece.index,
        id: null,
        tool: '',
        input: [],
        tracker: createTracker(),
        begun: false,
        whole: false,
      };
      open.push(next);
      add(next, piece);
    },
    calls: () => open.filter(({ tool, begun }) => tool !== '' || begun).map(callOf),
  };
}

/** Whether a piece belongs to the call: another id, or a name behind a whole input, begins another one. */
function goesOn(call: Open, { id, tool }: CallPiece): boolean {
  if (id !== null && call.id !== null) return id === call.id;
  return tool === '' || !call.whole;
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

function callOf({ tool, input }: Open): ReadCall {
  const text = input.join('').trim();
  if (text === '') return { tool, input: {} };
  const plain = parseJson(text);
  if (plain !== undefined) return { tool, input: spelledTwice(plain) };
  const repaired = text.startsWith('{') || text.startsWith('[') ? repairJson(text) : undefined;
  return repaired === undefined ? { tool, input: text } : { tool, input: repaired, repaired: true };
}

/** Some servers write the input as JSON in a JSON string. */
function spelledTwice(value: JsonValue): JsonValue {
  if (value === null) return {};
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
  return parseJson(value) ?? value;
}
