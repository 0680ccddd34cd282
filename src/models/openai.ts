/**
 * Models behind an OpenAI-compatible server (OpenAI, Azure, vLLM, llama.cpp, Ollama, OpenRouter and others) through
 * its chat completions. Source: https://platform.openai.com/docs/api-reference/chat
 */
import type { Model, ModelEvent, ModelRequest } from '../core/model.ts';
import { createFailures, type Failed, type Failures } from './openai-failures.ts';
import { type Dispatcher, type Http, type HttpReply, openHttp } from './openai-http.ts';
import { type OpenaiOptions as Options, readOptions } from './openai-options.ts';
import { createParameters, type Parameters } from './openai-parameters.ts';
import { readDocument, readRefusal, readStream } from './openai-reply.ts';

export type OpenaiOptions = Options<Dispatcher>;

export interface OpenaiModel extends Model {
  /** Closes its idle connections and breaks off replies that still stream. Not needed for the process to exit. */
  close(): Promise<void>;
}

/**
 * Throws an AgentError (`invalid_option`) for options that cannot be used. After that it never throws: a reply that
 * fails ends with a `failed` event whose message holds the server's words and never the key.
 *
 * A parameter that the server refuses by name (`stop`, `temperature`, `max_tokens`, `stream_options`) is left out or
 * renamed, at most once each, and stays so for this model object. Nothing else is tried again: retries are not part
 * of this version. Time limits are the caller's, through `request.signal`; only connecting is bounded here (10 s).
 */
export function openai(options: OpenaiOptions): OpenaiModel {
  const settings = readOptions(options);
  const http = openHttp(settings.url, settings.headers, options.pool);
  const server: Server = {
    http,
    stream: settings.stream,
    parameters: createParameters(settings),
    failures: createFailures(settings),
  };
  return {
    provider: 'openai',
    name: settings.model,
    generate: (request) => leavable((left) => answer(server, request, left)),
    close: () => http.close(),
  };
}

interface Server {
  readonly http: Http;
  readonly stream: boolean;
  readonly parameters: Parameters;
  readonly failures: Failures;
}

/** A generator's own `return()` waits for the `next()` before it, and so for the network; this one aborts first. */
function leavable(start: (left: AbortController) => AsyncGenerator<ModelEvent>): AsyncIterableIterator<ModelEvent> {
  const left = new AbortController();
  const events = start(left);
  return {
    next: () => events.next(),
    return() {
      left.abort();
      return events.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* answer(server: Server, request: ModelRequest, left: AbortController): AsyncGenerator<ModelEvent> {
  const { failures } = server;
  const leave = () => left.abort();
  const { signal } = request;
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  try {
    const reply = await ask(server, request, left.signal);
    if ('failure' in reply) return yield reply;
    const onBreak = (thrown: unknown) => (left.signal.aborted ? failures.aborted() : failures.brokeOff(thrown));
    yield* (isStream(reply, server.stream) ? readStream : readDocument)(reply, { failures, onBreak, leave });
  } catch (thrown) {
    yield left.signal.aborted ? failures.aborted() : failures.connection(thrown);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** Ends: each turn but the last takes one name away from the parameters that are sent. */
async function ask(server: Server, request: ModelRequest, signal: AbortSignal): Promise<HttpReply | Failed> {
  for (;;) {
    const { body, adjustable } = server.parameters.bodyFor(request);
    const reply = await server.http.post(body, signal);
    if (reply.status >= 200 && reply.status < 300) return reply;
    const refusal = await readRefusal(reply);
    if (signal.aborted) return server.failures.aborted();
    if (server.parameters.learn(reply.status, refusal, adjustable)) continue;
    return server.failures.status(reply.status, refusal, reply.retryAfter);
  }
}

/** What the server says it sends counts for more than what was asked for: some ignore `stream`. */
function isStream(reply: HttpReply, asked: boolean): boolean {
  if (reply.contentType.includes('event-stream')) return true;
  return asked && !/json|html/.test(reply.contentType);
}
