/**
 * A reply as it streams, made readable: labels stand out, and a rule is drawn above what the model calls its answer. The
 * words are the model's own; nothing is added to them or left out. Pure.
 */
import { type LabelKind, labelAt } from '../protocol/labels.ts';
import { visible } from './plain-text.ts';
import type { Look, Style } from './style.ts';

export interface ReplyText {
  /** Not shown yet: the start of a line that may become a label, or half a character. */
  readonly held: string;
  readonly atLineStart: boolean;
  /** What the present line belongs to. */
  readonly under: LabelKind | null;
  /** What stands below the rule. */
  readonly answer: string | null;
}

export interface ReplyTextOptions {
  readonly style: Style;
  /** Whether the dialect has labels. */
  readonly labels: boolean;
}

export const noReplyText: ReplyText = Object.freeze({ held: '', atLineStart: true, under: null, answer: null });

export const rule = '─'.repeat(60);

/** The text that is to be shown now, and what is to be remembered. With `over` nothing is held back. */
export function feedReply(
  reply: ReplyText,
  piece: { readonly text: string; readonly over: boolean },
  options: ReplyTextOptions,
): readonly [ReplyText, string] {
  const whole = reply.held + piece.text;
  const half = piece.over ? '' : (/[\r\ud800-\udbff]$/.exec(whole)?.[0] ?? '');
  let rest = visible(whole.slice(0, whole.length - half.length));
  let next: ReplyText = { ...reply, held: half };
  let shown = '';
  while (rest !== '') {
    const newline = rest.indexOf('\n');
    const line = newline === -1 ? rest : rest.slice(0, newline + 1);
    if (next.atLineStart && newline === -1 && !piece.over && options.labels && isOpen(line)) {
      return [{ ...next, held: line + half }, shown];
    }
    const [after, text] = showLine(next, line, options);
    next = after;
    shown += text;
    rest = rest.slice(line.length);
  }
  return [next, shown];
}

/** A line, or a piece of one. */
function showLine(reply: ReplyText, line: string, { style, labels }: ReplyTextOptions): readonly [ReplyText, string] {
  const label = reply.atLineStart && labels ? labelAt(line.trimEnd()) : null;
  const atLineStart = line.endsWith('\n');
  if (label === null) {
    const answer = reply.answer === null ? null : reply.answer + line;
    return [{ ...reply, atLineStart, answer }, shaded(style, textLooks, reply.under, line)];
  }
  const [head, text] = [line.slice(0, label.contentAt), line.slice(label.contentAt)];
  const drawn = label.kind === 'answer' && reply.answer === null;
  const answer = label.kind === 'answer' ? text : reply.answer === null ? null : reply.answer + line;
  const words = shaded(style, labelLooks, label.kind, head) + shaded(style, textLooks, label.kind, text);
  return [{ ...reply, atLineStart, under: label.kind, answer }, drawn ? `${style('dim', rule)}\n${words}` : words];
}

/** Whether the start of a line may still become a label, or has just become one. */
function isOpen(line: string): boolean {
  return (
    line.length <= longestLabel && labelAt(line) === null && /^[\s*_#`]*(?:[taofq思想行动操观最答问]|$)/i.test(line)
  );
}

/** Decoration, `Observation`, a number and more decoration. */
const longestLabel = 24;

const labelLooks = {
  question: 'dim',
  thought: 'thought',
  action: 'call',
  input: 'call',
  observation: 'observation',
  answer: 'answer',
} as const satisfies Record<LabelKind, Look>;

const textLooks: Partial<Record<LabelKind, Look>> = { answer: 'title' };

/** Spaces and line ends stay outside the colour. */
function shaded(style: Style, looks: Partial<Record<LabelKind, Look>>, kind: LabelKind | null, text: string): string {
  const look = kind === null ? undefined : looks[kind];
  if (look === undefined) return text;
  return text.replace(/[^\n]+/g, (line) => style(look, line));
}
