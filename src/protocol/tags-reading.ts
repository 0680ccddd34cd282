/** What a whole reply in the dialect `tags` is read as, and what of it is kept. Pure. */
import { isJsonObject } from '../core/json.ts';
import type { Reading } from '../core/reading.ts';
import { violation } from './hints.ts';
import { stepOf } from './json-step.ts';
import { labelled } from './labelled.ts';
import { isBlank } from './labels.ts';
import { parseJson } from './repair.ts';
import { unclosedText } from './tags-form.ts';
import { proseText } from './tags-thought.ts';
import { callOf, type Turn, thoughtOf } from './tags-turn.ts';

export function readTurn(turn: Turn): Reading {
  const { found, reply } = turn;
  const thought = thoughtOf(turn);
  if (found?.kind === 'call') return { kind: 'calls', thought, calls: [callOf(found)], ...droppedOf(turn) };
  if (found?.kind === 'answer' && found.answer !== '')
    return { kind: 'answer', thought, answer: found.answer, ...droppedOf(turn) };
  const { form, tools, language } = turn.options;
  const fault = { form, tools, language, thought };
  const seen = reply.text().slice(turn.stepAt);
  switch (found?.kind) {
    case undefined:
      return labelledReading(turn)?.reading ?? bareReading(turn) ?? readWithoutStep(turn, thought);
    case 'no_tool':
      return violation('no_tool', fault);
    case 'unreadable':
      return violation('unreadable_input', {
        ...fault,
        seen,
        ...(found.tool === undefined ? {} : { tool: found.tool }),
      });
    case 'unclosed':
      return violation('no_step', { ...fault, seen, first: unclosedText(turn.opened?.name ?? '') });
    default:
      return violation('empty', fault);
  }
}

function droppedOf(turn: Turn): { readonly dropped?: string } {
  const reply = turn.reply.text();
  const madeUp = [...turn.madeUp, ...turn.passed].map(({ from, to }) => reply.slice(from, to).trim());
  const dropped = [...madeUp, reply.slice(turn.end).trim()].join('\n').trim();
  return isBlank(dropped) ? {} : { dropped };
}

function readWithoutStep(turn: Turn, thought: string | null): Reading {
  const { form, tools, language } = turn.options;
  const reply = turn.reply.text();
  const fault = { form, tools, language, thought };
  if (isBlank(reply)) return violation('empty', fault);
  if (turn.passed.length > 0) return violation('no_tool', fault);
  const onlyThought = proseText(turn) === null && thought !== null;
  return violation(onlyThought ? 'thought_only' : 'no_step', { ...fault, seen: reply.trim() });
}

interface LabelledRead {
  readonly reading: Reading;
  readonly kept: string;
}

/**
 * Models that think in tags by training write the step itself with labels all the same. Read so only behind a tag: a text
 * without any is no step of this dialect. Null where nothing of the kind stands there.
 */
function labelledReading(turn: Turn): LabelledRead | null {
  const { mode, tagsEnd, options } = turn;
  if (mode !== 'lead' || tagsEnd === 0) return null;
  const scanner = labelled.scanner(options);
  scanner.feed(turn.reply.text().slice(tagsEnd));
  const { reading } = scanner.end();
  if (reading.kind === 'violation') return null;
  return { reading: { ...reading, thought: reading.thought ?? thoughtBefore(turn) }, kept: scanner.kept() };
}

/** Behind tags, an object that ends the reply and calls a tool that exists: its own tag was left out. */
function bareReading(turn: Turn): Reading | null {
  const { mode, tagsEnd, options, madeUpFrom, madeUp, passed } = turn;
  if (mode !== 'lead' || tagsEnd === 0 || madeUpFrom >= 0 || madeUp.length > 0 || passed.length > 0) return null;
  const text = turn.reply.text().slice(tagsEnd).trim();
  const object = text.startsWith('{') && text.endsWith('}') ? parseJson(text) : undefined;
  const step = isJsonObject(object) ? stepOf(object, options.tools) : null;
  if (step?.kind !== 'call' || !step.isWhole || !options.tools.includes(step.tool)) return null;
  const thought = thoughtBefore(turn) ?? step.thought;
  return { kind: 'calls', thought, calls: [{ tool: step.tool, input: step.input }] };
}

/** Without the prose, which the labels stand in. */
function thoughtBefore(turn: Turn): string | null {
  return thoughtOf({ ...turn, prose: [] });
}

/** The reply up to the end of its step, without thinking and without what was made up; without a step all the rest. */
export function keptText(turn: Turn): string {
  const { found, reply } = turn;
  const text = reply.text();
  const labels = found === null ? labelledReading(turn) : null;
  if (labels !== null) return `${text.slice(0, turn.tagsEnd)}${labels.kept}`.trim();
  const to = found === null ? text.length : turn.keptEnd;
  const passed = found === null ? [] : turn.passed;
  const open = turn.madeUpFrom < 0 ? [] : [{ from: turn.madeUpFrom, to }];
  const parts: string[] = [];
  let from = 0;
  for (const cut of [...turn.cuts, ...passed, ...open].sort((one, other) => one.from - other.from)) {
    if (cut.from > from) parts.push(text.slice(from, cut.from));
    from = Math.max(from, cut.to);
  }
  parts.push(text.slice(from, to));
  // On lines of their own, so that what stood on both sides of a cut does not become a tag.
  return parts.join('\n').trim();
}
