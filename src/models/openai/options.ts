/** Reads what the user passed to `openai()` and the environment, once, when the model is created. */
import {
  type HttpOptions,
  type HttpProvider,
  type HttpSettings,
  readHttpOptions,
  readModelName,
  refuse,
} from '../http/options.ts';

/**
 * `baseURL`: where `/chat/completions` is found; default OPENAI_BASE_URL, then https://api.openai.com/v1. `apiKey`: default
 * OPENAI_API_KEY; needed for openai.com only.
 */
export interface OpenaiOptions<Pool = unknown> extends HttpOptions<Pool> {
  /** The model's name as the server knows it, such as `gpt-4o-mini`. */
  readonly model: string;
  /** Default true. False asks for the reply in one piece, so that nothing is seen before it is complete. */
  readonly stream?: boolean | undefined;
  /** The body's name for stop sequences, default `stop`; false never sends them. */
  readonly stopParameter?: string | false | undefined;
}

export interface OpenaiSettings<Pool = unknown> extends HttpSettings<Pool> {
  readonly model: string;
  readonly stream: boolean;
  readonly stopParameter: string | false;
}

export const openaiProvider: HttpProvider = Object.freeze({
  baseURLName: 'OPENAI_BASE_URL',
  apiKeyName: 'OPENAI_API_KEY',
  baseURL: 'https://api.openai.com/v1',
  path: '/chat/completions',
  keyDomain: 'openai.com',
  keyHeader: (apiKey: string) => ['authorization', `Bearer ${apiKey}`] as const,
});

export function readOptions<Pool>(options: OpenaiOptions<Pool>): OpenaiSettings<Pool> {
  const { stream = true, stopParameter = 'stop' } = options;
  const model = readModelName(options.model, 'gpt-4o-mini');
  if (typeof stream !== 'boolean')
    throw refuse(`stream is ${JSON.stringify(stream)}.`, 'stream is true or false; the default is true.');
  if (stopParameter !== false && (typeof stopParameter !== 'string' || stopParameter === ''))
    throw refuse(
      `stopParameter is ${JSON.stringify(stopParameter)}.`,
      "stopParameter is a name such as 'stop', or false.",
    );
  return { ...readHttpOptions(options, openaiProvider), model, stream, stopParameter };
}
