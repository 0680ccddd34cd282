/** What stands in a text at first sight: whether it is worth reading in the form of a dialect. Pure. */
import { fenceAt } from './fences.ts';
import { type LabelKind, labelAt } from './labels.ts';
import { replayLines } from './scanner.ts';
import { setThinkingAside } from './thinking.ts';

export interface Signs {
  /** The kinds of label that begin a line. */
  readonly labels: ReadonlySet<LabelKind>;
  /** `callsOnly`: an answer is not looked for. */
  mayHold(dialect: string, callsOnly: boolean): boolean;
}

/**
 * Each dialect needs a sign of its own. What two of them read in passing, an object in prose and a bare command line, may
 * be an example elsewhere: there the object must be the whole reply, and the call stand behind a label.
 */
export function signsIn(text: string): Signs {
  const labels = labelsIn(text);
  return {
    labels,
    mayHold(dialect, callsOnly) {
      switch (dialect) {
        case 'json':
          return isDocument(text);
        case 'tags':
          return text.includes('<');
        case 'paper':
          return labels.has('action');
        case 'labelled':
          return labels.has('action') || (labels.has('answer') && !callsOnly);
        default:
          return true;
      }
    },
  };
}

/** The object is the whole reply, bare or fenced. */
function isDocument(text: string): boolean {
  const { rest } = setThinkingAside(text);
  return rest.startsWith('{') || rest.startsWith('[') || fenceAt(rest.slice(0, 40).split('\n', 1)[0] ?? '') !== null;
}

function labelsIn(text: string): ReadonlySet<LabelKind> {
  const found = new Set<LabelKind>();
  if (!text.includes(':') && !text.includes('：')) return found;
  replayLines(text, 0, (line) => {
    const label = labelAt(line);
    if (label !== null) found.add(label.kind);
  });
  return found;
}
