/** What a whole reply in the dialect `json` is read as, and what of it is kept. Pure. */
import type { Reading } from '../core/reading.ts';
import { violation } from './hints.ts';
import { jsonForm } from './json-form.ts';
import { leadOf } from './json-lead.ts';
import { callOf, type Turn, thoughtOf } from './json-turn.ts';
import { isBlank } from './labels.ts';

export function readTurn(turn: Turn): Reading {
  const reply = turn.feed.text();
  const thought = thoughtOf(turn);
  const call = callOf(turn);
  const dropped = reply.slice(keptEnd(turn)).trim();
  const rest = isBlank(dropped) ? {} : { dropped };
  if (call !== null) return { kind: 'calls', thought, calls: [call], ...rest };
  if (turn.found?.kind === 'answer' && turn.found.answer !== '')
    return { kind: 'answer', thought, answer: turn.found.answer, ...rest };
  return readWithoutStep(turn, reply, thought);
}

/** `Final Answer: …` written as text is an answer in this dialect too. */
function readWithoutStep(turn: Turn, reply: string, thought: string | null): Reading {
  const lead = leadOf(reply.slice(turn.thinking.end()));
  if (turn.found === null && turn.broken === 0 && lead.answer !== null)
    return { kind: 'answer', thought: lead.thought ?? turn.thinking.text(), answer: lead.answer };
  const fault = { form: jsonForm, tools: turn.options.tools, language: turn.options.language, thought };
  if (turn.found?.kind === 'no_tool') return violation('no_tool', fault);
  if (turn.broken > 0) return violation('unreadable_input', { ...fault, seen: reply.slice(turn.objectAt) });
  if (isBlank(reply) || turn.found?.kind === 'answer') return violation('empty', fault);
  const onlyThought = lead.labelled || (lead.thought === null && turn.thinking.text() !== null);
  return violation(onlyThought ? 'thought_only' : 'no_step', { ...fault, seen: reply.trim() });
}

/** The reply up to the end of its step, without thinking; all of it where it has no step. */
export function keptText(turn: Turn): string {
  return turn.feed.text().slice(turn.thinking.end(), keptEnd(turn)).trim();
}

/** Behind the step and the fence that closes round it. */
function keptEnd(turn: Turn): number {
  const reply = turn.feed.text();
  if (turn.found === null) return reply.length;
  const rest = reply.slice(turn.end, turn.end + 80);
  const fenceStart = rest.length - rest.trimStart().length;
  const fenced = rest.startsWith('```', fenceStart) && reply.slice(0, turn.objectAt).includes('```');
  return fenced ? turn.end + fenceStart + 3 : turn.end;
}
