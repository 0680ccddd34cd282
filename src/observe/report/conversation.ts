/**
 * Whose text each prompt of a run is made of, by length: the instructions', the model's own, and each tool's. Lengths are kept, and no
 * texts, in quarter tokens of our own count.
 */
import { messageUnits, tokenUnits, unitsOfTokens } from '../../context/tokens.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Message } from '../../core/model.ts';
import type { CallView, StepView, TryView } from '../run-view.ts';
import { addPiece, noParts, type Parts, type Piece, wholeOf } from './parts.ts';

export interface Conversation {
  /** The prompt of a try of the step at this place. Null where the trace does not tell: it has no `added`, or not all of it. */
  sent(tried: TryView, at: number): Parts | null;
}

/** `steps`: of the run. Each that is done stands in the conversation, as a reply and what answered it. */
export function createConversation(steps: readonly StepView[]): Conversation {
  /** Of each message. */
  let held: (readonly Piece[])[] = [];
  let head = 0;
  let parts = noParts();

  const keep = (count: number) => {
    if (count === held.length) return;
    held = lastOf(held, count, head);
    parts = noParts();
    for (const piece of held.flat()) addPiece(parts, piece);
  };
  return {
    sent({ messages, added, promptTokens }, at) {
      const kept = messages - added.length;
      if (kept < 0 || kept > held.length) return null;
      keep(kept);
      if (kept === 0) head = headOf(added);
      for (const pieces of piecesOf(added, steps, at)) {
        held.push(pieces);
        for (const piece of pieces) addPiece(parts, piece);
      }
      return withTools(parts, promptTokens);
    },
  };
}

/** The system message and the task, which stand before the first reply. */
function headOf(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role === 'assistant');
  return first === -1 ? messages.length : first;
}

/** Where messages are not sent any more, they are taken to be the oldest behind the head: no conversation is without it. */
function lastOf<Held>(held: readonly Held[], count: number, head: number): Held[] {
  const first = Math.min(head, count);
  return [...held.slice(0, first), ...held.slice(held.length - (count - first))];
}

/** What is counted of a prompt and stands in no message describes the tools. */
function withTools(parts: Parts, promptTokens: number): Parts {
  const more = Math.max(0, unitsOfTokens(promptTokens) - wholeOf(parts));
  return { ...parts, instructions: parts.instructions + more };
}

/** The last replies among them are those of the steps before; what stood there before is none of this run's. */
function piecesOf(added: readonly Message[], steps: readonly StepView[], at: number): (readonly Piece[])[] {
  let next = at - added.filter(({ role }) => role === 'assistant').length;
  let step: StepView | undefined;
  let results = 0;
  return added.map((message) => {
    const size = sizeOf(message);
    if (message.role === 'assistant') {
      step = steps[next++];
      results = 0;
      return [{ from: 'replies', tool: null, size }];
    }
    if (message.role === 'tool') return [pieceOf(step?.calls[results++], size)];
    return step === undefined || results > 0 ? [pieceOf(undefined, size)] : answerPieces(step, size);
  });
}

/** As the loop counts it against the budget: a call with its name and input, what an adapter wants back with its JSON. */
function sizeOf(message: Message): number {
  if (message.role !== 'assistant') return messageUnits(message.content);
  const { content, calls = [], providerData } = message;
  const said =
    messageUnits(content) + (providerData === undefined || providerData === null ? 0 : jsonUnits(providerData));
  return calls.reduce((sum, { tool, input }) => sum + messageUnits(tool) + jsonUnits(input), said);
}

/** What is nested deeper than a stack is not counted here, so that it counts among what stands in no message. */
function jsonUnits(value: JsonValue): number {
  try {
    return tokenUnits(JSON.stringify(value));
  } catch {
    return 0;
  }
}

/** Names of tools that do not exist are the model's. */
function pieceOf(call: CallView | undefined, size: number): Piece {
  return { from: 'instructions', tool: call === undefined || call.gate === 'tool' ? null : call.tool, size };
}

/** One message tells of all calls of a step: it is shared by the length of their observations. */
function answerPieces({ calls, violation }: StepView, size: number): readonly Piece[] {
  const told = calls.map((call) => pieceOf(call, tokenUnits(call.observation ?? '')));
  if (violation !== null || told.length === 0) told.push(pieceOf(undefined, tokenUnits(violation?.hint ?? '')));
  const whole = told.reduce((sum, piece) => sum + piece.size, 0);
  return told.map((piece) => ({ ...piece, size: whole === 0 ? size / told.length : (size * piece.size) / whole }));
}
