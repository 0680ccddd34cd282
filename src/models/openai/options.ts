/** Reads what the user passed to `openai()` and the environment, once, when the model is created. */
import { checkKnown } from '../../core/known-options.ts';
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
 * `baseURL`: where `/chat/completions` is found; default OPENAI_BASE_URL, then https://api.openai.com/v1. `apiKey`: default
 * OPENAI_API_KEY, but only where OPENAI_BASE_URL, or without it openai.com, is asked; needed for openai.com only.
 */
export interface OpenaiOptions<Pool = unknown> extends HttpOptions<Pool> {
  /** The model's name as the server knows it, such as `gpt-4o-mini`. */
  readonly model: string;
  /** Default true. False asks for the reply in one piece, so that nothing is seen before it is complete. */
  readonly stream?: boolean | undefined;
  /** The body's name for stop sequences, default `stop`; false never sends them. */
  readonly stopParameter?: string | false | undefined;
  /** Default true: in the dialect `json` the server's own JSON mode is asked for, until it refuses that. */
  readonly jsonMode?: boolean | undefined;
  /**
   * Default false. True has the server hold its calls to the schemas of the tools (`strict`), for those tools whose schema means
   * the same then: no optional members, no open objects. The others are sent as they are.
   */
  readonly strictTools?: boolean | undefined;
  /**
   * Default true: `reasoning_content` and `reasoning_details` that came with calls go back to the server with them, as DeepSeek
   * and OpenRouter want it, until it refuses that. Only what came from this server and model.
   */
  readonly returnReasoning?: boolean | undefined;
}

export interface OpenaiSettings<Pool = unknown> extends HttpSettings<Pool> {
  readonly model: string;
  readonly stream: boolean;
  readonly stopParameter: string | false;
  readonly jsonMode: boolean;
  readonly strictTools: boolean;
  readonly returnReasoning: boolean;
}

export const openaiProvider: HttpProvider = Object.freeze({
  baseURLName: 'OPENAI_BASE_URL',
  apiKeyName: 'OPENAI_API_KEY',
  baseURL: 'https://api.openai.com/v1',
  path: '/chat/completions',
  keyDomain: 'openai.com',
  keyHeader: (apiKey: string) => ['authorization', `Bearer ${apiKey}`] as const,
});

const names = ['model', 'stream', 'stopParameter', 'jsonMode', 'strictTools', 'returnReasoning'];

export function readOptions<Pool>(options: OpenaiOptions<Pool>): OpenaiSettings<Pool> {
  checkKnown('openai', options, [...names, ...httpOptionNames]);
  const { stopParameter = 'stop' } = options;
  const model = readModelName(options.model, 'gpt-4o-mini');
  if (stopParameter !== false && (typeof stopParameter !== 'string' || stopParameter === ''))
    throw refuse(
      `stopParameter is ${JSON.stringify(stopParameter)}.`,
      "stopParameter is a name such as 'stop', or false.",
    );
  const flag = (name: 'stream' | 'jsonMode' | 'strictTools' | 'returnReasoning', byDefault: boolean): boolean => {
    const value: unknown = options[name] ?? byDefault;
    if (typeof value === 'boolean') return value;
    throw refuse(`${name} is ${JSON.stringify(value)}.`, `${name} is true or false; the default is ${byDefault}.`);
  };
  return {
    ...readHttpOptions('openai', options, openaiProvider),
    model,
    stopParameter,
    stream: flag('stream', true),
    jsonMode: flag('jsonMode', true),
    strictTools: flag('strictTools', false),
    returnReasoning: flag('returnReasoning', true),
  };
}
