/** A reply while it is watched: how it streams, where it ends, and what of it is not used. Pure. */
import { countTokens } from '../context/tokens.ts';
import type { ReplyEnded, ReplyFailed, ReplyStopped, ReplyTruncated } from '../core/events.ts';
import { type TokenCount, totalTokens } from '../core/usage.ts';
import { sentence, shortened } from '../dispatch/brief.ts';
import { callLines, note, observation, repairNote } from './live-notes.ts';
import type { Live, LiveOptions, Shown } from './live-state.ts';
import { visible } from './plain-text.ts';
import { seconds } from './progress.ts';
import { feedReply, noReplyText, rule } from './reply-text.ts';

type Placed<Event> = Event & { readonly state: unknown };

/** White space before the first word is not shown. */
export function streamed(live: Live, piece: { text: string; over: boolean }, { style }: LiveOptions): Shown {
  const text = live.phase === 'thinking' ? piece.text.trimStart() : piece.text;
  const [reply, shown] = feedReply(live.reply, { ...piece, text }, { style, labels: live.labels });
  const next: Live = {
    ...live,
    reply,
    tokens: live.tokens + countTokens(piece.text),
    phase: text === '' ? live.phase : 'writing',
    inLine: shown === '' ? live.inLine : !shown.endsWith('\n'),
  };
  return [next, shown];
}

/** Our count of a reply that streamed gives way to what the event says of it. */
export function charged(live: Live, { tokens }: { readonly tokens: TokenCount }): Live {
  const reply = totalTokens(tokens);
  return reply === 0 ? live : { ...live, tokens: live.spent + reply };
}

/** Once the calls stand, the reply is left; what stands behind them may have been shown already. */
export function stopped(live: Live, event: Placed<ReplyStopped>, options: LiveOptions): Shown {
  if (!leadsToAction(event)) return [live, ''];
  const [next, text] = replyOver(live, options);
  const left = note(`Behind its call the model ${leftBehind[event.stop]}. That is cut, and not believed.`, options);
  return [acting(next, event), text + left + repairNote(event.calls, options)];
}

const leftBehind = {
  observation: 'began to invent an observation',
  thought: 'went on to another step',
  action: 'went on to another call',
  answer: 'went on to an answer without knowing the result',
} as const satisfies Record<ReplyStopped['stop'], string>;

export function ended(live: Live, event: Placed<ReplyEnded>, options: LiveOptions): Shown {
  if (event.state !== 'FINAL' && !leadsToAction(event)) return faulty(live, event, options);
  const [next, text] = replyOver(live, options);
  const left = event.dropped === null ? '' : note(`What the model wrote behind its step is not used.`, options);
  const made = live.native && event.dialect === undefined ? callLines(event.calls, options) : '';
  return [acting(next, event), text + made + left + repairNote(event.calls, options)];
}

/** A reply that breaks the form: the model is told so. */
export function faulty(live: Live, event: ReplyEnded | ReplyTruncated, options: LiveOptions): Shown {
  const [next, text] = replyOver(live, options);
  const left = note(`Violation (${event.violation ?? 'no_step'}): the reply is not used.`, options);
  return [next, text + left + observation({ text: formatError(event.hint ?? ''), tool: null }, options)];
}

/** Where another try follows, why, and when; an end is told by the outcome. */
export function failed(live: Live, event: Placed<ReplyFailed>, options: LiveOptions): Shown {
  const [next, text] = replyOver({ ...live, tokens: live.spent + totalTokens(event.tokens) }, options);
  if (event.retryAtMs === undefined || typeof event.state === 'string') return [next, text];
  const why = sentence(visible(shortened(event.message, 200)).replaceAll('\n', ' '));
  const shown = live.phase === 'writing' ? ' What it wrote so far does not count.' : '';
  const waitMs = event.retryAtMs - event.atMs;
  const when = waitMs < 100 ? 'Asking again.' : `Asking again in ${seconds(waitMs)} s.`;
  return [{ ...next, phase: 'thinking' }, text + note(`The reply failed: ${why}${shown} ${when}`, options)];
}

/** As the conversation has it. */
function formatError(hint: string): string {
  return hint.startsWith('[FormatError]') ? hint : `[FormatError] ${hint}`;
}

/** What was held back comes out, the line ends, and below an answer comes its second rule. */
export function replyOver(live: Live, options: LiveOptions): Shown {
  const [next, text] = streamed(live, { text: '', over: true }, options);
  const { answer } = next.reply;
  const lineEnd = next.inLine ? '\n' : '';
  const closing = answer === null ? '' : `${options.style('dim', rule)}\n`;
  return [{ ...next, reply: noReplyText, inLine: false, answerShown: answer }, text + lineEnd + closing];
}

function acting(live: Live, { calls }: Pick<ReplyEnded, 'calls'>): Live {
  return { ...live, phase: 'acting', calls: calls.map(({ tool, input }) => ({ callId: '', tool, input })) };
}

function leadsToAction({ state }: { readonly state: unknown }): boolean {
  return typeof state === 'object' && state !== null && 'ACTION' in state;
}
