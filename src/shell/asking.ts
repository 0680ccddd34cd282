/** Asks the model: counts the prompt against the budget, sends it, and has the reply read. */
import type { Command } from '../../machines/commands.ts';
import { tokensOfUnits, tokenUnits } from '../context/tokens.ts';
import { fractionOf } from '../core/fingerprint.ts';
import { noTokens, type TokenCount } from '../core/usage.ts';
import { type Cutter, cut } from '../dispatch/cut.ts';
import { ofTry, type Reply, readReply } from './reply.ts';
import type { ReplyOptions } from './reply-options.ts';
import type { RunScope } from './scope.ts';
import { armTimer } from './timer.ts';

type AskModel = Extract<Command, { type: 'askModel' }>;

export interface Asking {
  /** Sends the prompt, now or when its time has come. */
  ask(command: AskModel): void;
  cancel(): void;
  /** Tokens of the reply that is being read. */
  tokens(): TokenCount;
  /** Of a reply that was left before its end: what may be shown of it. */
  partial(): string | null;
}

/** A model or tool that always answers at once would starve every timer: after so many pieces others get their turn. */
const piecesPerTurn = 64;

/** Between tries, where the server does not say: the most for the first wait, and for any. In milliseconds. */
const backOffMs = { first: 500, longest: 8_000 } as const;

/** Anything up to twice as long each time: runs that failed together do not come back together. */
function backOff(attempt: number, key: string): number {
  return Math.round(Math.min(backOffMs.first * 2 ** (attempt - 1), backOffMs.longest) * fractionOf(key));
}

export function createAsking(scope: RunScope, cutter: Cutter): Asking {
  const { plan, history, nowMs, send } = scope;
  const { requestTools } = plan;
  const isSeen = plan.held || plan.observers.length > 0;
  const toolTokens = requestTools === null ? 0 : tokensOfUnits(tokenUnits(JSON.stringify(requestTools)));
  let cancelWait = () => {};
  let reply: Reply | null = null;
  let lastReply: Reply | null = null;
  let pieces = 0;
  let told = 0;

  const begin = (command: AskModel) => {
    const { step, tokensLeft } = command;
    const promptTokens = history.promptTokens() + toolTokens;
    const room = tokensLeft - promptTokens;
    const atMs = nowMs();
    if (room < 1) return send({ type: 'prompt.refused', step, atMs, promptTokens });
    const messages = history.messages.length;
    const added = isSeen ? { added: history.messages.slice(told) } : {};
    told = messages;
    scope.record({ type: 'prompt.sent', ...ofTry(command), step, atMs, promptTokens, messages, ...added });
    const giveWay = () => ++pieces % piecesPerTurn === 0;
    reply = readReply({ ...optionsFor(scope, cutter, { command, promptTokens, room }), giveWay });
  };

  return {
    ask(command) {
      if (nowMs() >= command.atMs) return begin(command);
      cancelWait = armTimer(
        plan.clock,
        nowMs,
        () => command.atMs,
        () => scope.hold(() => begin(command)),
      );
    },
    cancel() {
      cancelWait();
      reply?.cancel();
      lastReply = reply ?? lastReply;
      reply = null;
    },
    tokens: () => reply?.tokens() ?? noTokens,
    partial: () => lastReply?.partial() ?? null,
  };
}

interface Prompt {
  readonly command: AskModel;
  readonly promptTokens: number;
  /** Tokens that are left for the reply. */
  readonly room: number;
}

function optionsFor(
  scope: RunScope,
  cutter: Cutter,
  { command, promptTokens, room }: Prompt,
): Omit<ReplyOptions, 'giveWay'> {
  const { plan, nowMs } = scope;
  const { sizes } = plan;
  const { step, attempt } = command;
  return {
    model: plan.model,
    request: requestFor(scope, command, Math.min(sizes.maxReplyTokens, room)),
    promptTokens,
    // The server was asked for `maxReplyTokens`; our count of the same text may differ by half either way.
    mostTokens: Math.min(room, 2 * sizes.maxReplyTokens),
    scanner: plan.createReader(),
    cutHint: plan.cutHint,
    cutText: (text) => cut(plan.messages.redactor.text(text), cutter, plan.messages),
    timeouts: plan.timeouts,
    clock: plan.clock,
    nowMs,
    send: scope.send,
    onDelta: (text) => scope.onDelta(step, text),
    onModel: ({ type: _, ...named }) =>
      scope.record({ type: 'model.asked', ...ofTry(command), step, atMs: nowMs(), ...named }),
    backOffMs: () => backOff(attempt, `${plan.runId} ${step} ${attempt}`),
  };
}

function requestFor(
  { plan, history }: RunScope,
  { step, attempt }: AskModel,
  maxOutputTokens: number,
): ReplyOptions['request'] {
  const { dialect, requestTools, temperature } = plan;
  return {
    messages: history.shown(),
    ...(requestTools === null ? {} : { tools: requestTools }),
    ...(dialect.json === true ? { json: true } : {}),
    stop: dialect.serverStops,
    maxOutputTokens,
    temperature,
    step,
    attempt,
  };
}
