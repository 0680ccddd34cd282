/**
 * The scanner of the dialect `tags`. The first step whose tag is met outside thoughts counts. Pure, one pass; only what
 * stands behind a tag that was never closed may be read a second time. A call is acted on when another stop stands
 * behind it, or the reply ended well.
 */
import type { Scanner } from './dialect.ts';
import { isBlank, type Label, sharesStyle } from './labels.ts';
import { createTagFeed, type Tag, type TagHandler } from './tags-feed.ts';
import { leadTag, observationTag, thoughtTag } from './tags-lead.ts';
import { keptText, readTurn } from './tags-reading.ts';
import { endStep, finishNamed, namedTag, stepLabel, stepTag } from './tags-step.ts';
import { createTurn, endMadeUp, report, type TagsOptions, type Turn, thoughtOf } from './tags-turn.ts';

export function createTagsScanner(options: TagsOptions): Scanner {
  const turn = createTurn(options);
  const feed = createTagFeed(handlerOf(turn), options.names);
  return {
    feed(chunk) {
      turn.reply.add(chunk);
      feed.feed(chunk);
      return turn.marks.take();
    },
    end() {
      feed.end();
      closeTags(turn);
      const reading = readTurn(turn);
      if (reading.kind === 'calls') turn.marks.report('action', reading.thought, []);
      if (reading.kind === 'answer') turn.marks.report('answer', reading.thought, []);
      return { marks: turn.marks.take(), reading };
    },
    kept: () => keptText(turn),
  };
}

function handlerOf(turn: Turn): TagHandler {
  return {
    text: (part) => takeText(turn, part),
    tag: (tag) => takeTag(turn, tag),
    label: (label, at, text) => takeLabel(turn, label, at, text),
  };
}

function takeText(turn: Turn, part: string): void {
  if (turn.mode === 'step' || turn.mode === 'named') turn.body?.add(part);
  else if (turn.observing && !isBlank(part)) notice(turn);
}

function takeTag(turn: Turn, tag: Tag): void {
  switch (turn.mode) {
    case 'lead':
      return leadTag(turn, tag);
    case 'thought':
      return thoughtTag(turn, tag);
    case 'observation':
      return observationTag(turn, tag);
    case 'step':
      return stepTag(turn, tag) ? restTag(turn, tag) : undefined;
    case 'named':
      return namedTag(turn, tag) ? restTag(turn, tag) : undefined;
    case 'rest':
      return restTag(turn, tag);
  }
}

/** A line begins with a label. In lower case it is one only before the step. */
function takeLabel(turn: Turn, label: Label, at: number, text: string): void {
  if (label.kind !== 'observation') {
    endLabelled(turn, label, at);
    return takeText(turn, text);
  }
  if (turn.mode === 'lead' || !label.lower) takeObservation(turn, label, at, text);
  else takeText(turn, text);
}

/** What was made up behind a label ends at the next one. */
function endLabelled(turn: Turn, label: Label, at: number): void {
  const { mode, madeUpBehind } = turn;
  if (mode !== 'lead' || turn.madeUpFrom < 0 || madeUpBehind === null || !sharesStyle(label, madeUpBehind)) return;
  endMadeUp(turn, at);
  turn.proseFrom = at;
}

function takeObservation(turn: Turn, label: Label, at: number, text: string): void {
  const { mode } = turn;
  if (mode === 'lead' && turn.madeUpFrom < 0) {
    turn.prose.push({ from: turn.proseFrom, to: at });
    turn.madeUpFrom = at;
    turn.madeUpBehind = label;
  }
  const ended = (mode === 'step' || mode === 'named') && stepLabel(turn, at, text);
  if (ended || mode === 'rest') turn.observing = true;
}

/** Behind a call only the next stop matters. */
function restTag(turn: Turn, tag: Tag): void {
  notice(turn);
  if (tag.closes || tag.role === 'input') return;
  if (tag.role === 'observation') turn.observing = true;
  else if (turn.found?.kind === 'call') report(turn, tag.role === 'answer' ? 'answer' : 'thought');
}

/** Something stands behind the mark of an observation: the model makes one up. */
function notice(turn: Turn): void {
  if (!turn.observing) return;
  turn.observing = false;
  if (turn.found?.kind === 'call') report(turn, 'observation');
}

/** At the end of the reply: what to make of the tag that is still open. Each round leaves an earlier mode for a later. */
function closeTags(turn: Turn): void {
  for (;;) {
    const again = resumeAt(turn);
    if (again < 0) break;
    const feed = createTagFeed(handlerOf(turn), turn.options.names, again);
    feed.feed(turn.reply.text().slice(again));
    feed.end();
  }
  const length = turn.reply.text().length;
  const { opened } = turn;
  if (turn.mode === 'lead' && turn.madeUpFrom < 0) turn.prose.push({ from: turn.proseFrom, to: length });
  if (turn.mode === 'thought' && opened !== null)
    (opened.role === 'thinking' ? turn.thinking : turn.thoughts).push({ from: opened.end, to: length });
  if (turn.found === null) turn.thought = thoughtOf(turn);
}

/** Where reading must go on because a tag was never closed, or -1. */
function resumeAt(turn: Turn): number {
  const { mode, opened, resumeAt: at } = turn;
  if (mode === 'step') return endStep(turn);
  if (mode === 'named') {
    finishNamed(turn, turn.reply.text().length);
    return -1;
  }
  if (at < 0 || opened === null || (mode !== 'thought' && mode !== 'observation')) return -1;
  if (mode === 'thought') turn.thoughts.push({ from: opened.end, to: at });
  else endMadeUp(turn, at);
  turn.mode = 'lead';
  turn.proseFrom = at;
  turn.resumeAt = -1;
  return at;
}
