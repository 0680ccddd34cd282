/** What a whole reply in the dialect `labelled` is read as, and what of it is kept. Pure. */
import type { Reading } from '../core/reading.ts';
import { type AnswerSpan, answerSpan, answerText } from './answer-span.ts';
import { bracketedEnd } from './bracketed.ts';
import { violation } from './hints.ts';
import type { Turn } from './labelled-turn.ts';
import { isBlank } from './labels.ts';

export function readTurn(turn: Turn): Reading {
  const text = turn.feed.text();
  const { thought } = turn;
  if (turn.call !== null) return { kind: 'calls', thought, calls: [turn.call], ...droppedBehind(turn, turn.callEnd) };
  if (turn.answer !== null && !isBlank(turn.answer))
    return { kind: 'answer', thought, answer: turn.answer, ...droppedBehind(turn, turn.callEnd) };
  if (turn.phase === 'answer') {
    const { from, to, end } = answerOf(turn, text);
    const answer = answerText(text.slice(from, to));
    if (!isBlank(answer)) return { kind: 'answer', thought, answer, ...droppedBehind(turn, end) };
  }
  return readViolation(turn, text);
}

/** Where the answer stands, and behind what was used for it. */
function answerOf(turn: Turn, text: string): AnswerSpan & { readonly end: number } {
  const { answerAt } = turn;
  if (turn.answerBracketed) return { from: answerAt, ...bracketedEnd(text, answerAt) };
  const span = answerSpan(text, answerAt, turn.thoughts.fences.isWrapped());
  return { ...span, end: span.to };
}

/** What is not part of the step: skipped before it, or written behind it. */
function droppedBehind(turn: Turn, end: number): { readonly dropped?: string } {
  const parts = [turn.thoughts.skipped(), ...turn.remarks, turn.feed.text().slice(end).trim()];
  const dropped = parts.filter((part) => part !== '').join('\n');
  return isBlank(dropped) ? {} : { dropped };
}

function readViolation(turn: Turn, text: string): Reading {
  const thought = turn.phase === 'thought' || turn.phase === 'naming' ? turn.thoughts.text() : turn.thought;
  const { shown: tools, language, form } = turn.options;
  const fault = { thought, tools, language, form };
  if (turn.unreadable)
    return violation('unreadable_input', { ...fault, seen: unreadInput(turn, text), ...toolOf(turn) });
  if (turn.toolMissing || turn.phase === 'naming') return violation('no_tool', fault);
  if (isBlank(text) || (thought === null && turn.phase === 'answer')) return violation('empty', fault);
  const onlyThought = turn.phase === 'answer' || turn.thoughts.isLabelled();
  return violation(onlyThought ? 'thought_only' : 'no_step', { ...fault, seen: text.trim() });
}

/** In an object that is the whole step the name could not be read either. */
function toolOf({ tool }: Turn): { readonly tool?: string } {
  return tool === '' ? {} : { tool };
}

function unreadInput(turn: Turn, text: string): string {
  return text.slice(turn.input?.at ?? 0, turn.callEnd).trim();
}

/** The reply up to the end of its step; all of it where it has none. */
export function keptText(turn: Turn): string {
  const text = turn.feed.text();
  if (turn.call !== null || turn.unreadable || turn.answer !== null) return turn.thoughts.kept(text, turn.callEnd);
  return turn.thoughts.kept(text, turn.phase === 'answer' ? answerOf(turn, text).end : text.length);
}
