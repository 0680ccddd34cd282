/** The text before the JSON object of a reply, or the whole reply where it has none. Pure. */
import { fenceAt } from './fences.ts';
import { isBlank, type Label, labelAt, sharesStyle } from './labels.ts';
import { blockCloser, type Closer, closesBlock } from './observation-block.ts';
import { replayLines } from './scanner.ts';

export interface Lead {
  /** The prose, without labels and fences; null where there is none. */
  readonly thought: string | null;
  /** A thought label stands in it. */
  readonly labelled: boolean;
  /** The text behind an answer label, to the end; null where there is none. */
  readonly answer: string | null;
  /** Observations that the model made up, as written. */
  readonly madeUp: string;
  /** The text without them. */
  readonly kept: string;
}

/**
 * What is remembered from line to line. An observation that the model made up goes on, whatever it holds, up to the next
 * label that begins a line in its style and outside a fence in it.
 */
export interface MadeUp {
  /** The label it stands behind; null where nothing is being made up. */
  behind: Label | null;
  fence: boolean;
  /** The open fence began in the observation. */
  sheltered: boolean;
  /** What ends an observation between tags; null outside one. */
  closer: Closer | null;
}

export function createMadeUp(): MadeUp {
  return { behind: null, fence: false, sheltered: false, closer: null };
}

/** Whether a line before the object is made up: an object in it is no step. */
export function isMadeUp(state: MadeUp, line: string): boolean {
  return isInBlock(state, line) || isBehindLabel(state, line);
}

function isInBlock(state: MadeUp, line: string): boolean {
  const begins = state.closer === null && !state.fence ? blockCloser(line, false) : null;
  const closer = state.closer ?? begins;
  if (closer === null) return false;
  state.closer = closesBlock(closer, line, begins !== null) ? null : closer;
  return true;
}

function isBehindLabel(state: MadeUp, line: string): boolean {
  const fence = fenceAt(line);
  if (fence !== null && state.fence && fence.bare) state.fence = false;
  else if (fence !== null && !state.fence) {
    state.fence = true;
    state.sheltered = state.behind !== null;
  }
  const label = state.fence && state.sheltered ? null : labelAt(line);
  if (label !== null && (state.behind === null || sharesStyle(label, state.behind)))
    state.behind = label.kind === 'observation' ? label : null;
  return state.behind !== null;
}

interface Lines {
  prose: string[];
  madeUp: string[];
  kept: string[];
  labelled: boolean;
  readonly state: MadeUp;
  answerAt: number;
}

export function leadOf(text: string): Lead {
  const lines: Lines = { prose: [], madeUp: [], kept: [], labelled: false, state: createMadeUp(), answerAt: -1 };
  replayLines(text, 0, (line, at) => {
    if (lines.answerAt < 0) takeLine(lines, line, at);
  });
  const { answerAt } = lines;
  const thought = withoutList(lines.prose.join('\n').trim());
  const answer = answerAt < 0 ? '' : text.slice(answerAt).trim();
  return {
    thought: thought === '' ? null : thought,
    labelled: lines.labelled,
    answer: isBlank(answer) ? null : answer,
    madeUp: lines.madeUp.join('\n').trim(),
    kept: keptOf(lines, text),
  };
}

/** Without the bracket of a list whose first object is the step, where it stands on a line of its own. */
function withoutList(prose: string): string {
  const isList = prose === '[' || prose.endsWith('\n[');
  return isList ? prose.slice(0, -1).trimEnd() : prose;
}

function keptOf({ madeUp, kept, answerAt }: Lines, text: string): string {
  if (madeUp.length === 0) return text;
  const rest = answerAt >= 0 ? text.slice(answerAt) : text.endsWith('\n') ? '\n' : '';
  return `${kept.join('\n')}${rest}`;
}

function takeLine(lines: Lines, line: string, at: number): void {
  if (isMadeUp(lines.state, line)) {
    lines.madeUp.push(line);
    return;
  }
  const label = labelAt(line);
  if (label?.kind === 'answer') {
    lines.answerAt = at + label.contentAt;
    lines.kept.push(line.slice(0, label.contentAt));
    return;
  }
  lines.kept.push(line);
  if (fenceAt(line) !== null) return;
  if (label === null) lines.prose.push(line);
  else if (label.kind === 'thought') {
    lines.labelled = true;
    lines.prose.push(line.slice(label.contentAt));
  }
}
