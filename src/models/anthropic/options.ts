/** Reads what the user passed to `anthropic()` and the environment, once, when the model is created. */
import { checkKnown } from '../../core/known-options.ts';
import { readCountFromOne } from '../../core/limits.ts';
import {
  type HttpOptions,
  type HttpProvider,
  type HttpSettings,
  httpOptionNames,
  readHttpOptions,
  readModelName,
  refuse,
} from '../http/options.ts';

/**
 * Whether and how the model thinks before it writes. `budgetTokens`: the most tokens of thinking, at least 1,024. They
 * are part of the reply and of `sizes.maxReplyTokens`: 1,024 of those stay for what is written, and where less than
 * 1,024 would remain for the thinking, a request goes without. `adaptive`: the model decides, which is the only way of
 * the newer ones; `effort` and `display` are sent as they are.
 * Source: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
export type Thinking =
  | {
      readonly budgetTokens: number;
      readonly adaptive?: undefined;
      readonly effort?: undefined;
      readonly display?: undefined;
    }
  | {
      readonly adaptive: true;
      readonly effort?: string | undefined;
      readonly display?: string | undefined;
      readonly budgetTokens?: undefined;
    };

/**
 * `baseURL`: where `/v1/messages` is found, with or without its `/v1`; default ANTHROPIC_BASE_URL, then
 * https://api.anthropic.com. `apiKey`: default ANTHROPIC_API_KEY, but only where ANTHROPIC_BASE_URL, or without it
 * anthropic.com, is asked; needed for anthropic.com only.
 */
export interface AnthropicOptions<Pool = unknown> extends HttpOptions<Pool> {
  /** The model's name as the server knows it, such as `claude-sonnet-4-5`. */
  readonly model: string;
  /** Default true. False asks for the reply in one piece, so that nothing is seen before it is complete. */
  readonly stream?: boolean | undefined;
  /** The header `anthropic-version`. Default `2023-06-01`. */
  readonly version?: string | undefined;
  /** The most tokens that this model may be asked for; the run's own limit holds where it is smaller. */
  readonly maxOutputTokens?: number | undefined;
  readonly thinking?: Thinking | undefined;
  /** Default true: the tools, the system text and the conversation but its newest message are marked for the cache. */
  readonly cacheControl?: boolean | undefined;
}

export interface AnthropicSettings<Pool = unknown> extends HttpSettings<Pool> {
  readonly model: string;
  readonly stream: boolean;
  readonly maxOutputTokens: number | null;
  readonly thinking: Thinking | null;
  readonly cacheControl: boolean;
}

/** The least budget that the API takes. */
export const leastThinkingTokens = 1_024;

export const anthropicProvider: Omit<HttpProvider, 'path' | 'headers'> = Object.freeze({
  baseURLName: 'ANTHROPIC_BASE_URL',
  apiKeyName: 'ANTHROPIC_API_KEY',
  baseURL: 'https://api.anthropic.com',
  keyDomain: 'anthropic.com',
  keyHeader: (apiKey: string) => ['x-api-key', apiKey] as const,
});

const names = ['model', 'stream', 'version', 'maxOutputTokens', 'thinking', 'cacheControl'];

export function readOptions<Pool>(options: AnthropicOptions<Pool>): AnthropicSettings<Pool> {
  checkKnown('anthropic', options, [...names, ...httpOptionNames]);
  const { stream = true, version = '2023-06-01', maxOutputTokens, cacheControl = true } = options;
  const model = readModelName(options.model, 'claude-sonnet-4-5');
  for (const [name, value] of Object.entries({ stream, cacheControl }))
    if (typeof value !== 'boolean')
      throw refuse(`${name} is ${JSON.stringify(value)}.`, `${name} is true or false; the default is true.`);
  if (typeof version !== 'string' || !/^[\w.-]{1,40}$/.test(version))
    throw refuse(`version is ${JSON.stringify(version)}.`, "version is a date such as '2023-06-01'.");
  const thinking = readThinking(options.thinking);
  const path = endsWithVersion(options.baseURL) ? '/messages' : '/v1/messages';
  const provider = { ...anthropicProvider, path, headers: { 'anthropic-version': version } };
  return {
    ...readHttpOptions('anthropic', options, provider),
    model,
    stream,
    maxOutputTokens: maxOutputTokens === undefined ? null : readCountFromOne('maxOutputTokens', maxOutputTokens),
    thinking,
    cacheControl,
  };
}

/** Some write the base URL as others of their kind are written, with the version. */
function endsWithVersion(given: string | undefined): boolean {
  const base = given ?? process.env[anthropicProvider.baseURLName] ?? '';
  return URL.canParse(base) && /\/v1\/{0,9}$/.test(new URL(base).pathname);
}

function readThinking(given: unknown): Thinking | null {
  if (given === undefined) return null;
  const hint = `thinking is { budgetTokens: N }, N at least ${leastThinkingTokens}, or { adaptive: true } with effort and display.`;
  if (typeof given !== 'object' || given === null) throw refuse('thinking is no object.', hint);
  checkKnown('thinking', given, ['budgetTokens', 'adaptive', 'effort', 'display']);
  const { budgetTokens, ...rest } = membersOf(given);
  const others = Object.keys(rest);
  if (budgetTokens !== undefined && others.length > 0)
    throw refuse(`thinking has budgetTokens and ${others.join(', ')}, and it is either.`, hint);
  if (budgetTokens !== undefined) return { budgetTokens: readBudget(budgetTokens, hint) };
  if (rest.adaptive !== true) throw refuse('thinking has neither budgetTokens nor adaptive: true.', hint);
  return { adaptive: true, effort: readWord('effort', rest.effort), display: readWord('display', rest.display) };
}

/** Those that are not undefined. */
function membersOf(given: object): Readonly<Partial<Record<keyof Thinking, unknown>>> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function readBudget(tokens: unknown, hint: string): number {
  if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= leastThinkingTokens) return tokens;
  throw refuse(`thinking.budgetTokens is ${JSON.stringify(tokens)}.`, hint);
}

function readWord(name: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw refuse(`thinking.${name} is ${JSON.stringify(value)}.`, `thinking.${name} is a word of the API.`);
}
