/** The text before the JSON object of a reply, or the whole reply where it has none. Pure. */
import { fenceAt } from './fences.ts';
import { isBlank, labelAt } from './labels.ts';
import { replayLines } from './scanner.ts';

export interface Lead {
  /** The prose, without labels and fences; null where there is none. */
  readonly thought: string | null;
  /** A thought label stands in it. */
  readonly labelled: boolean;
  /** The text behind an answer label, to the end; null where there is none. */
  readonly answer: string | null;
}

export function leadOf(text: string): Lead {
  const lines: string[] = [];
  let labelled = false;
  let answerAt = -1;
  replayLines(text, 0, (line, at) => {
    if (answerAt >= 0 || fenceAt(line) !== null) return;
    const label = labelAt(line);
    if (label?.kind === 'answer') answerAt = at + label.contentAt;
    else if (label?.kind === 'thought') labelled = true;
    if (label === null) lines.push(line);
    else if (label.kind === 'thought') lines.push(line.slice(label.contentAt));
  });
  const thought = lines.join('\n').trim();
  const answer = answerAt < 0 ? '' : text.slice(answerAt).trim();
  return { thought: thought === '' ? null : thought, labelled, answer: isBlank(answer) ? null : answer };
}
