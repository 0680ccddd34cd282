/** Collects from one reply what its provider wants back with it. */
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { type KeptCall, toData } from './provider-data.ts';

export interface Keeper {
  text(piece: BlockPiece): void;
  reasoning(piece: BlockPiece): void;
  /** The call at this place; later words about it win. */
  call(index: number, tool: string, metadata: JsonObject | null): void;
  /** Undefined where nothing is to be given back. */
  data(): JsonValue | undefined;
}

export interface BlockPiece {
  readonly id: unknown;
  /** Some use the id of a block again for the next one. */
  readonly starts: boolean;
  readonly delta: string;
  readonly metadata: JsonObject | null;
}

interface Block {
  readonly pieces: string[];
  readonly lengthBefore: number;
  readonly callsBefore: number;
  metadata: JsonObject | null;
}

/** `origin`: the model as it marks what it gives back. */
export function createKeeper(origin: string): Keeper {
  const texts = createBlocks();
  const reasonings = createBlocks();
  const calls: KeptCall[] = [];
  let length = 0;

  return {
    text(piece) {
      texts.take(piece, length, calls.length);
      length += piece.delta.length;
    },
    reasoning(piece) {
      reasonings.take(piece, length, calls.length);
    },
    call(index, tool, metadata) {
      calls[index] = { tool, metadata };
    },
    data() {
      const whole = texts.all.map(textOf).join('');
      const textLength = whole.trim().length;
      const blankBefore = whole.length - whole.trimStart().length;
      const reasoning = reasonings.all.map((block) => ({
        text: textOf(block),
        metadata: block.metadata,
        textBefore: Math.min(textLength, Math.max(0, block.lengthBefore - blankBefore)),
        callsBefore: block.callsBefore,
      }));
      const [text] = texts.all;
      const textMetadata = texts.all.length === 1 && text !== undefined ? text.metadata : null;
      const isSaid = (one: (typeof reasoning)[number]) => one.text !== '' || one.metadata !== null;
      return toData(origin, { reasoning: reasoning.filter(isSaid), calls, textLength, textMetadata });
    },
  };
}

function createBlocks() {
  const all: Block[] = [];
  const open = new Map<unknown, Block>();
  return {
    all,
    take({ id, starts, delta, metadata }: BlockPiece, lengthBefore: number, callsBefore: number) {
      const known = starts ? undefined : open.get(id);
      const block = known ?? { pieces: [], lengthBefore, callsBefore, metadata: null };
      if (known === undefined) all.push(block);
      open.set(id, block);
      if (delta !== '') block.pieces.push(delta);
      // The last word of a block wins: a signature comes behind what it signs.
      block.metadata = metadata ?? block.metadata;
    },
  };
}

function textOf({ pieces }: Block): string {
  return pieces.join('');
}
