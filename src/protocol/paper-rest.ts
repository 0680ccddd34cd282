/** What stands behind a step in the dialect `paper`: the stops that carry its call. Pure. */
import { isSheltered } from './input-lines.ts';
import { isBlank, type Label } from './labels.ts';
import { type Bracket, isShelteredIn, labelIn } from './paper-bracket.ts';
import { breakBracket, finishNamed, report, stepLabel, type Turn } from './paper-turn.ts';

export function takeRestLine(turn: Turn, line: string): void {
  if (turn.settled) return;
  noticeObservation(turn, line);
  const label = stepLabel(turn, line);
  if (label?.kind === 'observation') meetObservation(turn, line, label);
  else if (label?.kind === 'thought' || label?.kind === 'answer') report(turn, label.kind);
}

/** Behind an action, an observation that is being made up is reported before its line ends. */
export function peekLine(turn: Turn, head: string, at: number): void {
  if (turn.settled || !mayPeek(turn)) return;
  noticeObservation(turn, head);
  const label = stepLabel(turn, head);
  if (label?.kind !== 'observation' || isBlank(head.slice(label.contentAt))) return;
  endOpenStep(turn, at);
  report(turn, 'observation');
}

/** Where a call is known, and an observation label on the line that has begun would end it. */
function mayPeek(turn: Turn): boolean {
  if (turn.phase === 'rest') return true;
  if (turn.isAnswer) return false;
  if (turn.phase === 'bracket') return turn.bracket !== null && !isShelteredIn(turn.bracket);
  if (turn.phase === 'input') return turn.input !== null && !isSheltered(turn.input);
  return turn.phase === 'named' && turn.isCall;
}

/**
 * A step that goes on behind an open bracket ends a call. An answer may hold such lines, and text may hold `Answer:`; not
 * so where a closer was met.
 */
export function endsBracket(turn: Turn, bracket: Bracket, { kind }: Label): boolean {
  if (bracket.closedAt >= 0) return true;
  return !turn.isAnswer && (kind === 'thought' || kind === 'action' || kind === 'observation');
}

/** A step that has no end of its own ends at a position of the reply. */
export function endOpenStep(turn: Turn, at: number): void {
  if (turn.phase === 'bracket' && turn.bracket !== null) breakBracket(turn, turn.bracket, at);
  else if (turn.phase === 'named' || turn.phase === 'input') finishNamed(turn, at);
}

/** The first label in a step that is open at the end of the reply, or -1: the step ends there. */
export function openLabelAt({ phase, bracket, input }: Turn): number {
  if (phase === 'bracket' && bracket !== null) return labelIn(bracket);
  return phase === 'input' && input !== null && isSheltered(input) ? input.firstLabelAt : -1;
}

/** An observation counts as made up once text follows its label. */
function meetObservation(turn: Turn, line: string, label: Label): void {
  if (isBlank(line.slice(label.contentAt))) turn.observing = true;
  else report(turn, 'observation');
}

/** Text behind a bare observation label: the model goes on to make one up. */
function noticeObservation(turn: Turn, line: string): void {
  if (!turn.observing || isBlank(line)) return;
  turn.observing = false;
  report(turn, 'observation');
}
