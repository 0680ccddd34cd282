/** A run as it is watched: each event gives the text that is printed for it. A pure fold; `screen.ts` prints. */
import type { CallSettled } from '../core/events.ts';
import type { PromptSent } from '../core/journal.ts';
import { isTraceEvent, type LiveEvent } from '../core/trace.ts';
import { totalTokens } from '../core/usage.ts';
import { checked, decided, resumed, retried, settled } from './live-calls.ts';
import { charged, ended, failed, faulty, replyOver, stopped, streamed } from './live-reply.ts';
import type { Live, LiveOptions, Shown } from './live-state.ts';
import { progressLine } from './progress.ts';
import { noReplyText } from './reply-text.ts';

export function show(before: Live, event: LiveEvent, options: LiveOptions): Shown {
  if (event.type === 'reply.delta') return streamed(before, { text: event.text, over: false }, options);
  if (!isTraceEvent(event) || event.ignored === true) return [before, ''];
  const isWaiting = typeof event.state === 'object' && event.state.ACTION === 'awaitingApproval';
  const live: Live = { ...before, isWaiting, ...('atMs' in event ? { atMs: event.atMs } : {}) };
  switch (event.type) {
    case 'run.started':
      return [
        {
          ...live,
          limits: event.limits,
          policy: event.policy,
          labels: event.dialect === 'labelled',
          native: event.dialect === 'native',
        },
        '',
      ];
    case 'run.resumed':
      return [resumed(live, event), ''];
    case 'prompt.sent':
      return nextStep(live, event, options);
    case 'reply.stopped':
      return stopped(charged(live, event), event, options);
    case 'reply.ended':
      return ended(charged(live, event), event, options);
    case 'reply.truncated':
      return faulty(charged(live, event), event, options);
    case 'reply.failed':
      return failed(live, event, options);
    case 'reply.filtered':
    case 'run.aborted':
    case 'clock.expired':
    case 'store.failed':
      return replyOver(charged(live, event), options);
    case 'calls.checked':
      return checked(live, event, options);
    case 'approval.asked':
      return [{ ...live, untilMs: event.untilMs }, ''];
    case 'approval.granted':
    case 'approval.denied':
      return decided(live, event, options);
    case 'call.retried':
      return [live, retried(live, event, options)];
    case 'call.settled':
      return settled(spentBy(live, event), event, options);
    case 'run.ended':
      return over(live, options);
    default:
      return [live, ''];
  }
}

/** What an agent that ran as the tool spent is spent in this run. */
function spentBy(live: Live, { spent }: CallSettled): Live {
  const tokens = spent === undefined ? 0 : totalTokens(spent.tokens);
  return { ...live, tokens: live.tokens + tokens, spent: live.spent + tokens };
}

/** Another try of a step goes on where the last one left off. */
function nextStep(live: Live, { step, attempt, promptTokens }: PromptSent, options: LiveOptions): Shown {
  const begun: Live = {
    ...live,
    step,
    spent: live.tokens,
    tokens: live.tokens + promptTokens,
    phase: 'thinking',
    reply: noReplyText,
    calls: [],
    asking: [],
    untilMs: null,
  };
  if (attempt !== undefined) return [begun, ''];
  return [begun, `${live.step === 0 ? '' : stepLine(live, options)}\n`];
}

function over(live: Live, options: LiveOptions): Shown {
  const lineEnd = live.inLine ? '\n' : '';
  return [
    { ...live, phase: 'over', inLine: false, asking: [] },
    lineEnd + (live.step === 0 ? '' : stepLine(live, options)),
  ];
}

function stepLine(live: Live, { style, stepLines }: LiveOptions): string {
  return stepLines ? `${style('dim', progressLine(live))}\n` : '';
}
