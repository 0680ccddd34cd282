/** The calls of one reply, as they come: in pieces, as a whole, or both. Pure. */
import { canonicalJson, type JsonObject } from '../../core/json.ts';
import type { CallPiece, ModelEvent } from '../../core/model.ts';
import { unreadable } from './failures.ts';
import type { Keeper } from './keeper.ts';

export interface Calls {
  /** Of `tool-input-start`, `tool-input-delta` and `tool-call`. */
  start(part: JsonObject): readonly ModelEvent[];
  input(part: JsonObject): readonly ModelEvent[];
  whole(part: JsonObject, metadata: JsonObject | null): readonly ModelEvent[];
}

/** One of our calls, as far as it was told. */
interface OpenCall {
  readonly index: number;
  readonly tool: string;
  readonly input: string[];
  /** It was told as a whole. */
  done: boolean;
}

const nothing: readonly ModelEvent[] = Object.freeze([]);

export function createCalls(keeper: Keeper, place: string): Calls {
  const calls = new Map<string, OpenCall>();
  /** Those that the provider runs by itself. */
  const foreign = new Set<string>();
  let count = 0;

  function open(id: string, tool: string): OpenCall {
    const call: OpenCall = { index: count++, tool, input: [], done: false };
    calls.set(id, call);
    keeper.call(call.index, tool, null);
    return call;
  }

  return {
    start({ id, toolName, providerExecuted, inputEncoding }) {
      if (typeof id !== 'string' || typeof toolName !== 'string' || calls.has(id)) return nothing;
      if (providerExecuted === true) foreign.add(id);
      // Pieces that are no JSON: the whole call, which comes behind them, is.
      if (providerExecuted === true || inputEncoding === 'text') return nothing;
      return [pieceOf(open(id, toolName).index, { id, tool: toolName })];
    },
    input({ id, delta }) {
      const call = typeof id === 'string' ? calls.get(id) : undefined;
      if (call === undefined || typeof delta !== 'string' || delta === '') return nothing;
      call.input.push(delta);
      return [pieceOf(call.index, { input: delta })];
    },
    whole(part, metadata) {
      const { toolCallId: id, toolName: tool, input, providerExecuted } = part;
      if (typeof id !== 'string' || typeof tool !== 'string') return nothing;
      if (providerExecuted === true || foreign.has(id)) return nothing;
      const whole = typeof input === 'string' ? input : JSON.stringify(input ?? {});
      return takeWhole(id, { tool, whole, metadata });
    },
  };

  function takeWhole(id: string, { tool, whole, metadata }: WholeCall): readonly ModelEvent[] {
    const known = calls.get(id);
    if (known === undefined || (known.done && !isSame(known, tool, whole))) {
      // Another call under an id that was used already is a call all the same.
      const call = open(id, tool);
      close(call, whole, metadata);
      return [pieceOf(call.index, { id, tool, input: whole })];
    }
    if (known.done) return nothing;
    const rest = restOf(known, tool, whole);
    if (rest === null) return [unreadable(place, `tells the call ${tool} in two ways, in pieces and as a whole`)];
    close(known, rest, metadata);
    return rest === '' ? nothing : [pieceOf(known.index, { input: rest })];
  }

  function close(call: OpenCall, rest: string, metadata: JsonObject | null): void {
    keeper.call(call.index, call.tool, metadata);
    call.input.push(rest);
    call.done = true;
  }
}

interface WholeCall {
  readonly tool: string;
  readonly whole: string;
  readonly metadata: JsonObject | null;
}

function isSame(known: OpenCall, tool: string, whole: string): boolean {
  return known.tool === tool && known.input.join('') === whole;
}

/** What is new in the whole call; null where its pieces are those of another. */
function restOf(known: OpenCall, tool: string, whole: string): string | null {
  if (known.tool !== tool) return null;
  const told = known.input.join('');
  if (whole.startsWith(told)) return whole.slice(told.length);
  return isSameJson(told, whole) ? '' : null;
}

function isSameJson(one: string, other: string): boolean {
  try {
    return canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other));
  } catch {
    return false;
  }
}

function pieceOf(index: number, { id = null, tool = '', input = '' }: Partial<Omit<CallPiece, 'index'>>): CallPiece {
  return { type: 'call', index, id, tool, input };
}
