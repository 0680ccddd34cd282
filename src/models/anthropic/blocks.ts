/**
 * The blocks of a reply, one after the other, as pieces for the loop. Text and calls are passed on as they come; thinking is
 * kept as well, with its signature and its place, to be given back. Pure.
 */
import type { CallPiece, ModelEvent } from '../../core/model.ts';
import type { PlacedThinking, SignedThinking, ThinkingBlock } from './thinking.ts';
import type { BlockDelta, BlockStart } from './wire.ts';

export interface Blocks {
  start(index: number | null, block: BlockStart): readonly ModelEvent[];
  add(index: number | null, delta: BlockDelta): readonly ModelEvent[];
  /** How much is kept beside what is passed on, in UTF-16 code units. */
  kept(): number;
  /** The open block is complete. Nothing happens where none is open. */
  stop(): readonly ModelEvent[];
  count(): number;
  /** What was signed; a block that was cut before its signature is none. */
  thinking(): SignedThinking;
}

interface OpenBlock {
  readonly index: number | null;
  readonly start: BlockStart;
  /** Of thinking. */
  readonly parts: string[];
  readonly signature: string[];
  readonly place: Omit<PlacedThinking, 'block'>;
  /** Of a call: whether its input came in pieces. */
  hasInput: boolean;
}

export function createBlocks(): Blocks {
  const signed: PlacedThinking[] = [];
  const length = createLength();
  let open: OpenBlock | null = null;
  let count = 0;
  let calls = 0;
  let kept = 0;

  function text(piece: string): readonly ModelEvent[] {
    length.add(piece);
    return piece === '' ? [] : [{ type: 'text', text: piece }];
  }

  function stop(): readonly ModelEvent[] {
    const closed = open;
    open = null;
    if (closed === null) return [];
    const block = thinkingIn(closed);
    if (block !== null) signed.push({ block, ...closed.place });
    const { start, index, hasInput } = closed;
    return start.type === 'tool_use' && !hasInput ? inputPiece(index, start.input) : [];
  }

  return {
    start(index, block) {
      const before = stop();
      const place = { textBefore: length.soFar(), callsBefore: calls };
      open = { index, start: block, parts: [], signature: [], place, hasInput: false };
      count++;
      kept += keptOf(block);
      if (block.type === 'tool_use') calls++;
      return [...before, ...(block.type === 'text' ? text(block.text) : opening(index, block))];
    },
    add(index, delta) {
      if (open?.start.type === 'other' && open.index === index) return [];
      if (delta.type === 'thinking' || delta.type === 'signature') kept += delta.text.length;
      switch (delta.type) {
        case 'text':
          return text(delta.text);
        case 'thinking':
          open?.parts.push(delta.text);
          return reasoning(delta.text);
        case 'signature':
          open?.signature.push(delta.text);
          return [];
        case 'input':
          if (open !== null && delta.text !== '') open.hasInput = true;
          return inputPiece(index, delta.text);
      }
    },
    stop,
    count: () => count,
    kept: () => kept,
    thinking: () => ({ blocks: signed, textLength: length.trimmed() }),
  };
}

function keptOf(block: BlockStart): number {
  if (block.type === 'redacted_thinking') return block.data.length;
  return block.type === 'thinking' ? block.text.length + block.signature.length : 0;
}

function opening(index: number | null, block: BlockStart): readonly ModelEvent[] {
  if (block.type === 'thinking') return reasoning(block.text);
  return block.type === 'tool_use' ? [{ type: 'call', index, id: block.id, tool: block.name, input: '' }] : [];
}

function reasoning(text: string): readonly ModelEvent[] {
  return text === '' ? [] : [{ type: 'reasoning', text }];
}

function inputPiece(index: number | null, input: string): readonly CallPiece[] {
  return input === '' ? [] : [{ type: 'call', index, id: null, tool: '', input }];
}

function thinkingIn({ start, parts, signature }: OpenBlock): ThinkingBlock | null {
  if (start.type === 'redacted_thinking') return start.data === '' ? null : start;
  if (start.type !== 'thinking') return null;
  const signs = start.signature + signature.join('');
  return signs === '' ? null : { type: 'thinking', thinking: start.text + parts.join(''), signature: signs };
}

/** The length of a text that comes in pieces, without the white space around it, and without keeping it. */
function createLength() {
  let length = 0;
  let trailing = 0;
  return {
    add(piece: string) {
      const said = length === 0 ? piece.trimStart() : piece;
      const kept = said.trimEnd();
      length += said.length;
      trailing = kept === '' ? trailing + said.length : said.length - kept.length;
    },
    soFar: () => length,
    trimmed: () => length - trailing,
  };
}
