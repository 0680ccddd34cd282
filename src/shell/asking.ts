/** Asks the model: counts the prompt against the budget, sends it, and has the reply read. */
import type { Command } from '../../machines/commands.ts';
import { tokensOfUnits, tokenUnits } from '../context/tokens.ts';
import { noTokens, type TokenCount } from '../core/usage.ts';
import { type Cutter, cut } from '../dispatch/cut.ts';
import { type Reply, readReply } from './reply.ts';
import type { RunScope } from './scope.ts';

export interface Asking {
  ask(command: Extract<Command, { type: 'askModel' }>): void;
  cancel(): void;
  /** Tokens of the reply that is being read. */
  tokens(): TokenCount;
  /** Of a reply that was left before its end: what may be shown of it. */
  partial(): string | null;
}

/** A model or tool that always answers at once would starve every timer: after so many pieces others get their turn. */
const piecesPerTurn = 64;

export function createAsking(scope: RunScope, cutter: Cutter): Asking {
  const { plan, history, nowMs, send } = scope;
  const { dialect, sizes, requestTools } = plan;
  const toolTokens = requestTools === null ? 0 : tokensOfUnits(tokenUnits(JSON.stringify(requestTools)));
  let reply: Reply | null = null;
  let lastReply: Reply | null = null;
  let pieces = 0;

  const read = (step: number, promptTokens: number, room: number): Reply =>
    readReply({
      model: plan.model,
      request: {
        messages: history.messages.slice(),
        ...(requestTools === null ? {} : { tools: requestTools }),
        stop: dialect.serverStops,
        maxOutputTokens: Math.min(sizes.maxReplyTokens, room),
        temperature: plan.temperature,
        step,
        attempt: 1,
      },
      promptTokens,
      // The server was asked for `maxReplyTokens`; our count of the same text may differ by half either way.
      mostTokens: Math.min(room, 2 * sizes.maxReplyTokens),
      scanner: plan.createReader(),
      cutHint: plan.cutHint,
      cutText: (text) => cut(plan.messages.redactor.text(text), cutter, plan.messages),
      timeouts: plan.timeouts,
      clock: plan.clock,
      nowMs,
      giveWay: () => ++pieces % piecesPerTurn === 0,
      send,
      onDelta: (text) => scope.onDelta(step, text),
    });

  return {
    ask({ step, tokensLeft }) {
      const promptTokens = history.promptTokens() + toolTokens;
      const room = tokensLeft - promptTokens;
      const atMs = nowMs();
      if (room < 1) return send({ type: 'prompt.refused', step, atMs, promptTokens });
      scope.record({ type: 'prompt.sent', step, atMs, promptTokens, messages: history.messages.length });
      history.open(step, atMs);
      reply = read(step, promptTokens, room);
    },
    cancel() {
      reply?.cancel();
      lastReply = reply ?? lastReply;
      reply = null;
    },
    tokens: () => reply?.tokens() ?? noTokens,
    partial: () => lastReply?.partial() ?? null,
  };
}
