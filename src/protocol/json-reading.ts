/** What a whole reply in the dialect `json` is read as, and what of it is kept. Pure. */
import type { Reading } from '../core/reading.ts';
import { backticksAt } from './fences.ts';
import { violation } from './hints.ts';
import { jsonForm } from './json-form.ts';
import type { Lead } from './json-lead.ts';
import { callOf, leadBefore, skippedText, type Turn, thoughtOf } from './json-turn.ts';
import { isBlank } from './labels.ts';

export function readTurn(turn: Turn): Reading {
  const reply = turn.feed.text();
  const lead = leadBefore(turn);
  const thought = thoughtOf(turn, lead);
  const call = callOf(turn);
  const dropped = `${lead.madeUp}\n${skippedText(turn)}\n${reply.slice(keptEnd(turn)).trim()}`.trim();
  const rest = isBlank(dropped) ? {} : { dropped };
  if (call !== null) return { kind: 'calls', thought, calls: [call], ...rest };
  if (turn.found?.kind === 'answer' && turn.found.answer !== '')
    return { kind: 'answer', thought, answer: turn.found.answer, ...rest };
  return readWithoutStep(turn, lead, thought);
}

/** `Final Answer: …` written as text is an answer in this dialect too. */
function readWithoutStep(turn: Turn, lead: Lead, thought: string | null): Reading {
  const reply = turn.feed.text();
  if (turn.found === null && turn.broken === 0 && lead.answer !== null) {
    const dropped = `${lead.madeUp}\n${skippedText(turn)}`.trim();
    return { kind: 'answer', thought, answer: lead.answer, ...(dropped === '' ? {} : { dropped }) };
  }
  const fault = { form: jsonForm, tools: turn.options.tools, language: turn.options.language, thought };
  if (turn.found === null && turn.passed !== null && turn.passed.step.because !== 'thought')
    return violation('no_tool', fault);
  if (turn.broken > 0 || turn.found?.kind === 'unreadable')
    return violation('unreadable_input', { ...fault, seen: reply.slice(turn.objectAt) });
  if (isBlank(reply) || turn.found?.kind === 'answer') return violation('empty', fault);
  const onlyThought = turn.passed !== null || lead.labelled || (lead.thought === null && turn.thinking.text() !== null);
  return violation(onlyThought ? 'thought_only' : 'no_step', { ...fault, seen: reply.trim() });
}

/** The reply up to the end of its step, without thinking and what was made up; all the rest where it has no step. */
export function keptText(turn: Turn): string {
  const noObject = turn.found === null && turn.broken === 0;
  const object = noObject ? '' : turn.feed.text().slice(turn.objectAt, keptEnd(turn));
  return `${leadBefore(turn).kept}${object}`.trim();
}

/** Behind the step and the fence that closes round it. */
function keptEnd(turn: Turn): number {
  const reply = turn.feed.text();
  if (turn.found === null) return reply.length;
  const rest = reply.slice(turn.end, turn.end + 80);
  const fenceStart = rest.length - rest.trimStart().length;
  const fenced = rest.startsWith('```', fenceStart) && reply.slice(0, turn.objectAt).includes('```');
  return fenced ? turn.end + fenceStart + backticksAt(rest, fenceStart) : turn.end;
}
