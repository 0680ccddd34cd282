/**
 * The body of a request, without what this model has refused before: models differ in what they accept, and say so only
 * when they are asked. Source: https://docs.anthropic.com/en/api/messages
 */
import type { JsonObject } from '../../core/json.ts';
import type { ModelRequest } from '../../core/model.ts';
import { wireText } from '../http/body.ts';
import { markLast, markTurns } from './cache.ts';
import { type Conversation, conversationOf, isThinking, type Turn, toolOnWire } from './messages.ts';
import { type AnthropicSettings, leastThinkingTokens } from './options.ts';
import { createRefusals, type Refusals } from './refusals.ts';

/** What was sent, as far as a refusal may be about it. */
export interface Sent {
  readonly body: string;
  /** The names in it that could be left out. */
  readonly names: readonly string[];
  readonly thinking: 'enabled' | 'adaptive' | null;
  readonly maxTokens: number;
  /** Whether signed thinking of earlier replies is in it. */
  readonly givesBack: boolean;
}

export type Lesson = 'ask_again' | 'ask_without_thinking' | 'refused';

export interface Bodies {
  /** `giveBack` false leaves out what was thought in earlier replies. */
  bodyFor(request: ModelRequest, giveBack: boolean): Sent;
  /**
   * What to do about a status other than 2xx. `ask_again`: what was refused by name is left out from now on, or made
   * smaller, so that asking again is worthwhile; each only once.
   */
  learn(status: number, answer: string, sent: Sent): Lesson;
}

type Settings = Pick<AnthropicSettings, 'model' | 'stream' | 'maxOutputTokens' | 'thinking' | 'cacheControl'>;

export function createBodies(settings: Settings): Bodies {
  const refusals = createRefusals();
  return {
    bodyFor: (request, giveBack) => bodyFor({ settings, refusals, request }, giveBack),
    learn: refusals.learn,
  };
}

interface Asked {
  readonly settings: Settings;
  readonly refusals: Refusals;
  readonly request: ModelRequest;
}

function bodyFor(asked: Asked, giveBack: boolean): Sent {
  const { settings, refusals, request } = asked;
  const { maxOutputTokens } = request;
  const maxTokens = Math.min(maxOutputTokens, settings.maxOutputTokens ?? maxOutputTokens, refusals.mostTokens());
  const whole = conversationOf(request.messages, giveBack ? settings.model : null);
  const thinking = thinkingFor(asked, maxTokens, whole);
  const conversation = thinking.isLeftOut ? conversationOf(request.messages, null) : whole;
  const isCached = settings.cacheControl && !refusals.has('cache_control');
  const options = optional(request, thinking).filter(([name]) => !refusals.has(name));
  const body = {
    model: settings.model,
    max_tokens: maxTokens,
    ...Object.fromEntries(options),
    ...promptOf(conversation, request, isCached),
    stream: settings.stream,
  };
  return {
    body: wireText(body),
    names: [...options.map(([name]) => name), ...(isCached ? ['cache_control'] : [])],
    thinking: thinking.type,
    maxTokens,
    givesBack: conversation.turns.some(({ content }) => content.some(isThinking)),
  };
}

function promptOf(
  { system, turns }: Conversation,
  { tools = [] }: ModelRequest,
  isCached: boolean,
): JsonObject | object {
  const described = tools.map(toolOnWire);
  const said = system === '' ? [] : [{ type: 'text' as const, text: system }];
  return {
    ...(described.length === 0 ? {} : { tools: isCached ? markLast(described) : described }),
    ...(said.length === 0 ? {} : { system: isCached ? markLast(said) : system }),
    messages: isCached ? markTurns(turns) : turns,
  };
}

type Optional = readonly (readonly [name: string, value: unknown])[];

function optional({ stop, temperature }: ModelRequest, thinking: ThinkingSent): Optional {
  const stops = stop.filter((text) => text.trim() !== '');
  return [
    ...(stops.length === 0 ? [] : [['stop_sequences', stops] as const]),
    // More than 1 is refused, and with thinking on any other than the default.
    ...(thinking.type === null ? [['temperature', Math.min(temperature, 1)] as const] : []),
    ...thinking.members,
  ];
}

interface ThinkingSent {
  readonly type: Sent['thinking'];
  readonly members: Optional;
  /** It is on, and yet not for this request, which then must hold none of earlier replies. */
  readonly isLeftOut: boolean;
}

const noThinking: ThinkingSent = Object.freeze({ type: null, members: Object.freeze([]), isLeftOut: false });

function thinkingFor({ settings, refusals }: Asked, maxTokens: number, { turns }: Conversation): ThinkingSent {
  const { thinking } = settings;
  if (thinking === null || refusals.has('thinking')) return noThinking;
  if (thinking.adaptive || refusals.wantsAdaptive()) {
    const { effort, display } = thinking;
    const members = [
      ['thinking', { type: 'adaptive', ...(display === undefined ? {} : { display }) }] as const,
      ...(effort === undefined ? [] : [['output_config', { effort }] as const]),
    ];
    return { type: 'adaptive', members, isLeftOut: false };
  }
  const budget = Math.min(thinking.budgetTokens, maxTokens - leastThinkingTokens);
  if (budget < leastThinkingTokens || lacksThinking(turns)) return { ...noThinking, isLeftOut: true };
  return { type: 'enabled', members: [['thinking', { type: 'enabled', budget_tokens: budget }]], isLeftOut: false };
}

/**
 * With thinking on, the API refuses calls whose turn did not begin with thinking. A turn goes from a user's text to the
 * next: results in between do not end it, and what is called after them need not be thought of anew.
 */
function lacksThinking(turns: readonly Turn[]): boolean {
  const asked = turns.findLastIndex(
    ({ role, content }) => role === 'user' && !content.some(({ type }) => type === 'tool_result'),
  );
  const first = turns[asked + 1]?.content[0];
  return first !== undefined && !isThinking(first);
}
