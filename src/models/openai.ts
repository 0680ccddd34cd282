/**
 * Models behind an OpenAI-compatible server (OpenAI, Azure, vLLM, llama.cpp, Ollama, OpenRouter and others) through
 * its chat completions. Source: https://platform.openai.com/docs/api-reference/chat
 */
import type { Model, ModelFailed, ModelRequest } from '../core/model.ts';
import { readRefusal } from './http/body.ts';
import { exchange } from './http/exchange.ts';
import { createFailures, type Failures } from './http/failures.ts';
import { readEither } from './http/reading.ts';
import { type Dispatcher, type Http, type HttpReply, openHttp } from './http/send.ts';
import { type OpenaiOptions as Options, readOptions } from './openai/options.ts';
import { createParameters, type Parameters } from './openai/parameters.ts';
import { markOf } from './openai/reasoning.ts';
import { readDocument, readStream } from './openai/reply.ts';
import { openaiWords } from './openai/words.ts';

export type OpenaiOptions = Options<Dispatcher>;

export interface OpenaiModel extends Model {
  /** Closes its idle connections and breaks off replies that still stream. Not needed for the process to exit. */
  close(): Promise<void>;
}

/**
 * Throws an AgentError (`invalid_option`) for options that cannot be used. After that it never throws: a reply that
 * fails ends with a `failed` event whose message holds the server's words and never the key.
 *
 * What the server refuses by name (`stop`, `temperature`, `max_tokens`, `stream_options`, `response_format`, `strict`,
 * `reasoning_content`, `reasoning_details`) is left out or renamed, at most once each, and stays so for this model object.
 * Nothing else is tried again here: `failed.retry` says where another try may succeed, and the loop asks. Connecting is
 * bounded (10 s), and so is the reply where `timeouts` says so; `request.signal` ends it at any time.
 */
export function openai(options: OpenaiOptions): OpenaiModel {
  const settings = readOptions(options);
  const http = openHttp(settings);
  const { timeouts } = settings;
  const mark = markOf(settings);
  const failures = createFailures(settings, openaiWords);
  const server: Server = { http, failures, parameters: createParameters(settings) };
  return {
    provider: 'openai',
    name: settings.model,
    generate: (request) =>
      exchange(request, {
        failures,
        timeouts,
        ask: (signal) => ask(server, request, signal),
        read: (reply, reading) =>
          readEither(reply, settings.stream, {
            stream: (begun) => readStream(begun, reading, mark),
            document: (begun) => readDocument(begun, reading, mark),
          }),
      }),
    close: () => http.close(),
  };
}

interface Server {
  readonly http: Http;
  readonly parameters: Parameters;
  readonly failures: Failures;
}

/** Ends: each turn but the last takes one name away from the parameters that are sent. */
async function ask(server: Server, request: ModelRequest, signal: AbortSignal): Promise<HttpReply | ModelFailed> {
  for (;;) {
    const { body, adjustable } = server.parameters.bodyFor(request);
    const reply = await server.http.post(body, signal);
    if (reply.status >= 200 && reply.status < 300) return reply;
    const refusal = await readRefusal(reply.bytes);
    signal.throwIfAborted();
    if (server.parameters.learn(reply.status, refusal, adjustable)) continue;
    return server.failures.status(reply, refusal);
  }
}
