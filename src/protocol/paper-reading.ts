/** What a whole reply in the dialect `paper` is read as, and what of it is kept. Pure. */
import type { Reading } from '../core/reading.ts';
import { answerSpan } from './answer-span.ts';
import { violation } from './hints.ts';
import { isBlank } from './labels.ts';
import { paperForm } from './paper-form.ts';
import type { Turn } from './paper-turn.ts';

export function readTurn(turn: Turn): Reading {
  const text = turn.feed.text();
  const { thought } = turn;
  if (turn.call !== null) return { kind: 'calls', thought, calls: [turn.call], ...droppedBehind(turn, turn.end) };
  if (turn.answer !== null) return { kind: 'answer', thought, answer: turn.answer, ...droppedBehind(turn, turn.end) };
  if (turn.phase === 'answer') {
    const span = answerSpan(text, turn.answerAt, turn.thoughts.fences.isWrapped());
    const answer = text.slice(span.from, span.to).trim();
    if (!isBlank(answer)) return { kind: 'answer', thought, answer, ...droppedBehind(turn, span.to) };
  }
  return readViolation(turn, text);
}

/** What is not part of the step: skipped before it, or written behind it. */
function droppedBehind(turn: Turn, end: number): { readonly dropped?: string } {
  const parts = [turn.thoughts.skipped(), turn.remark, turn.feed.text().slice(end).trim()];
  const dropped = parts.filter((part) => part !== '').join('\n');
  return isBlank(dropped) ? {} : { dropped };
}

function readViolation(turn: Turn, text: string): Reading {
  const thought = turn.phase === 'thought' || turn.phase === 'naming' ? turn.thoughts.text() : turn.thought;
  const { tools, language } = turn.options;
  const fault = { thought, tools, language, form: paperForm };
  const insideAt = turn.bracket?.at ?? turn.input?.at ?? 0;
  if (turn.unreadable)
    return violation('unreadable_input', { ...fault, seen: text.slice(insideAt, turn.end).trim(), tool: turn.tool });
  if (turn.toolMissing || turn.phase === 'naming') return violation('no_tool', fault);
  const isAnswering = turn.phase === 'answer' || turn.isAnswer;
  if (isBlank(text) || (thought === null && isAnswering)) return violation('empty', fault);
  const onlyThought = isAnswering || turn.thoughts.isLabelled();
  return violation(onlyThought ? 'thought_only' : 'no_step', { ...fault, seen: text.trim() });
}

/** The reply up to the end of its step; all of it where it has none. */
export function keptText(turn: Turn): string {
  const text = turn.feed.text();
  const isStep = turn.call !== null || turn.answer !== null || turn.unreadable;
  if (isStep) return turn.thoughts.kept(text, turn.end);
  const answering = turn.phase === 'answer';
  const to = answering ? answerSpan(text, turn.answerAt, turn.thoughts.fences.isWrapped()).to : text.length;
  return turn.thoughts.kept(text, to);
}
