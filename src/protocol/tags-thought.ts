/** The thought of a reply in the dialect `tags`: what stands in its tags, or the prose before the step. Pure. */
import { fenceAt } from './fences.ts';
import { isBlank, labelAt, skipSpaces } from './labels.ts';
import { replayLines } from './scanner.ts';
import type { Span, Turn } from './tags-turn.ts';

type Spans = Pick<Turn, 'reply' | 'thoughts' | 'thinking' | 'prose'>;

/** `inside`: a thought that the call itself holds. */
export function thoughtText({ reply, thoughts, thinking, prose }: Spans, inside: string | null): string | null {
  const text = reply.text();
  return joined(text, thoughts) ?? inside ?? cleaned(text, prose) ?? joined(text, thinking);
}

/** What stands outside tags, without what only announces a step. */
export function proseText({ reply, prose }: Spans): string | null {
  return cleaned(reply.text(), prose);
}

function joined(text: string, spans: readonly Span[]): string | null {
  const parts = spans.map(({ from, to }) => text.slice(from, to).trim()).filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join('\n').replaceAll('\r\n', '\n');
}

/** Without the name of the speaker, labels, and a fence that the step stands in: what stands behind a label is kept. */
function cleaned(text: string, spans: readonly Span[]): string | null {
  const lines: string[] = [];
  let fences = 0;
  let lastFence = 0;
  for (const { from, to } of spans) {
    const part = text.slice(from, to);
    replayLines(part, from === 0 ? speakerEnd(part) : 0, (line) => {
      if (fenceAt(line) !== null) {
        fences++;
        lastFence = lines.length;
      }
      lines.push(withoutLabel(line));
    });
  }
  if (fences % 2 === 1) lines.splice(lastFence, 1);
  const thought = lines.join('\n').trim();
  return isBlank(thought) ? null : thought;
}

function withoutLabel(line: string): string {
  const label = labelAt(line);
  return label === null || label.kind === 'question' ? line : line.slice(label.contentAt);
}

const speakers = ['assistant', 'ai', '助手'];

/** Models that were trained on transcripts begin with `Assistant:`. */
function speakerEnd(text: string): number {
  const at = skipSpaces(text, 0);
  const head = text.slice(at, at + 12).toLowerCase();
  const speaker = speakers.find((name) => head.startsWith(name));
  if (speaker === undefined) return 0;
  const colonAt = at + speaker.length;
  return ':：'.includes(text.charAt(colonAt)) && colonAt < text.length ? colonAt + 1 : 0;
}
