/** The part of a reply in the dialect `tags` before its first step: thoughts, thinking, and what was made up. Pure. */
import type { Tag } from './tags-feed.ts';
import { openStep } from './tags-step.ts';
import { endMadeUp, type Turn } from './tags-turn.ts';

/** A tag outside all others, before the step. */
export function leadTag(turn: Turn, tag: Tag): void {
  if (turn.madeUpFrom >= 0 && !endsMadeUp(tag)) return;
  if (tag.closes) return closeUnopened(turn, tag);
  if (tag.role === 'input') return;
  endProse(turn, tag);
  turn.opened = tag;
  turn.resumeAt = -1;
  switch (tag.role) {
    case 'thought':
    case 'thinking':
      turn.mode = 'thought';
      return;
    case 'observation':
      turn.mode = 'observation';
      return;
    default:
      openStep(turn, tag);
  }
}

/**
 * An observation behind a label has no end of its own. It goes on, whatever tags it holds, up to another label or a
 * thought that begins a line, or to the end of thinking whose opening tag stood in the prompt.
 */
function endsMadeUp(tag: Tag): boolean {
  return isThought(tag) && (tag.closes || tag.startsLine);
}

function endProse(turn: Turn, tag: Tag): void {
  if (turn.madeUpFrom >= 0) return endMadeUp(turn, tag.at);
  turn.prose.push({ from: turn.proseFrom, to: tag.at });
  if (tag.role === 'observation') turn.madeUpFrom = tag.at;
}

/** A closing tag whose opening tag stood in the prompt: all so far was the thought. */
function closeUnopened(turn: Turn, tag: Tag): void {
  if (tag.role !== 'thinking' && tag.role !== 'thought') return;
  if (tag.role === 'thinking' && turn.thoughts.length > 0) return;
  if (turn.madeUpFrom < 0) turn.prose.push({ from: turn.proseFrom, to: tag.at });
  endMadeUp(turn, tag.at);
  const target = tag.role === 'thinking' ? turn.thinking : turn.thoughts;
  for (const span of turn.prose) target.push(span);
  turn.prose = [];
  if (tag.role === 'thinking') turn.cuts = [{ from: 0, to: tag.end }];
  leaveTag(turn, tag);
}

function leaveTag(turn: Turn, tag: Tag): void {
  turn.mode = 'lead';
  turn.opened = null;
  turn.proseFrom = tag.end;
  turn.tagsEnd = tag.end;
}

/** A tag inside a thought is text, unless the thought turns out never to close. */
export function thoughtTag(turn: Turn, tag: Tag): void {
  const { opened } = turn;
  if (opened === null) return;
  if (tag.closes && tag.name === opened.name) {
    const span = { from: opened.end, to: tag.at };
    if (opened.role === 'thinking') {
      turn.thinking.push(span);
      turn.cuts.push({ from: opened.at, to: tag.end });
    } else turn.thoughts.push(span);
    leaveTag(turn, tag);
  } else if (opened.role === 'thought' && turn.resumeAt < 0 && isStep(tag)) turn.resumeAt = tag.at;
}

/** What stands in an observation is not believed, whatever it is. One that never closes ends as it does behind a label. */
export function observationTag(turn: Turn, tag: Tag): void {
  const { opened } = turn;
  if (opened === null) return;
  if (tag.closes && tag.name === opened.name) {
    endMadeUp(turn, tag.end);
    leaveTag(turn, tag);
  } else if (turn.resumeAt < 0 && isThought(tag) && !tag.closes && tag.startsLine) turn.resumeAt = tag.at;
}

function isStep(tag: Tag): boolean {
  return !tag.closes && (tag.role === 'call' || tag.role === 'code' || tag.role === 'command' || tag.role === 'answer');
}

function isThought(tag: Tag): boolean {
  return tag.role === 'thought' || tag.role === 'thinking';
}
