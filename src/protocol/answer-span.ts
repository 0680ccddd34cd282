/** Where an answer behind its label begins and ends (dialects `labelled` and `paper`). Pure. */
import { fenceAt } from './fences.ts';
import { withoutStopWord } from './input-lines.ts';
import { isBlank, labelAt, skipSpaces, skipSpacesBack } from './labels.ts';
import { replayLines } from './scanner.ts';

export interface AnswerSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * The answer goes to the end of the reply, without a stop word that stands bare at its end and without the fence that
 * closes round the turn. `wrapped`: such a fence is open.
 */
export function answerSpan(reply: string, at: number, wrapped: boolean): AnswerSpan {
  const text = withoutStopWord(reply.slice(at));
  const lead = leadLength(text);
  if (lead < 0) return { from: at, to: at };
  return { from: at + lead, to: at + (wrapped ? wrappedEnd(text) : unwrappedEnd(text)) };
}

/**
 * `Action: Final Answer`, and then the answer behind `Action Input:` or a label of its own. -1 where an observation begins
 * below the label: nothing was answered, and what was made up is no answer.
 */
function leadLength(text: string): number {
  const start = skipSpaces(text, 0);
  if (start === text.length) return 0;
  const breakAt = text.indexOf('\n', start);
  const label = labelAt(text.slice(start, breakAt < 0 ? text.length : breakAt));
  if (label?.kind === 'observation' && text.lastIndexOf('\n', start) >= 0) return -1;
  return label?.kind === 'input' || label?.kind === 'answer' ? start + label.contentAt : 0;
}

/** What servers leave at the end of a reply that should have been taken for its end. */
const endMarks = ['</s>', '<|im_end|>', '<|eot_id|>', '<|end|>', '<|endoftext|>', '<end_of_turn>'];

/** The answer as it was meant: without a mark of the reply's end, and without stars that only close round its label. */
export function answerText(written: string): string {
  let end = skipSpacesBack(written, written.length);
  for (let mark = markBefore(written, end); mark !== undefined; mark = markBefore(written, end))
    end = skipSpacesBack(written, end - mark.length);
  const text = written.slice(0, end).trim();
  const isOpen = text.endsWith('**') && !text.includes('\n') && text.indexOf('**') === text.length - 2;
  return isOpen ? text.slice(0, -2).trimEnd() : text;
}

function markBefore(text: string, end: number): string | undefined {
  return endMarks.find((mark) => text.endsWith(mark, end));
}

/** The first bare fence that closes no fence inside the answer, and behind which nothing of the answer goes on. */
function wrappedEnd(text: string): number {
  let end = text.length;
  let inside = false;
  let closerAt = -1;
  let lastWasCloser = false;
  replayLines(text, 0, (line, at) => {
    if (end < text.length) return;
    const fence = fenceAt(line);
    if (lastWasCloser) {
      lastWasCloser = false;
      if (fence !== null || isBlank(line) || labelAt(line) !== null) {
        end = closerAt;
        return;
      }
      inside = true;
    }
    if (fence === null) return;
    if (inside) inside = !fence.bare;
    else if (fence.bare) {
      closerAt = at;
      lastWasCloser = true;
    } else inside = true;
  });
  return lastWasCloser ? closerAt : end;
}

/** Without a last line that is a fence which closes nothing. */
function unwrappedEnd(text: string): number {
  const end = text.trimEnd();
  if (!end.endsWith('```')) return text.length;
  const lastAt = end.lastIndexOf('\n') + 1;
  if (fenceAt(end.slice(lastAt)) === null) return text.length;
  let fences = 0;
  replayLines(text, 0, (line) => {
    if (fenceAt(line) !== null) fences++;
  });
  return fences % 2 === 1 ? lastAt : text.length;
}
