/**
 * The models of Anthropic, and servers that speak its Messages API.
 * Source: https://docs.anthropic.com/en/api/messages
 */
import type { Model, ModelFailed, ModelRequest } from '../core/model.ts';
import { type Bodies, createBodies } from './anthropic/body.ts';
import { type AnthropicOptions as Options, readOptions } from './anthropic/options.ts';
import { readReply } from './anthropic/reply.ts';
import { anthropicWords, withWait } from './anthropic/words.ts';
import { readRefusal } from './http/body.ts';
import { exchange } from './http/exchange.ts';
import { createFailures, type Failures } from './http/failures.ts';
import { readEither } from './http/reading.ts';
import { type Dispatcher, type Http, type HttpReply, openHttp } from './http/send.ts';

export type AnthropicOptions = Options<Dispatcher>;

export interface AnthropicModel extends Model {
  /** Closes its idle connections and breaks off replies that still stream. Not needed for the process to exit. */
  close(): Promise<void>;
}

/**
 * Throws an AgentError (`invalid_option`) for options that cannot be used. After that it never throws: a reply that
 * fails ends with a `failed` event whose message holds the server's words and never the key.
 *
 * Thinking comes as `reasoning`; what of it the API signed is given back with the message that the reply became. A
 * parameter that the model refuses by name (`temperature`, `stop_sequences`, `thinking`, `cache_control`) is left out,
 * `thinking` with a budget becomes adaptive where the model wants that, and `max_tokens` is made smaller, at most once
 * each; it stays so for this model object. Nothing else is tried again here: `failed.retry` says where another try may
 * succeed, and the loop asks. Connecting is bounded (10 s), and so is the reply where `timeouts` says so;
 * `request.signal` ends it at any time.
 */
export function anthropic(options: AnthropicOptions): AnthropicModel {
  const settings = readOptions(options);
  const http = openHttp(settings);
  const { model, timeouts } = settings;
  const failures = createFailures(settings, anthropicWords);
  const server: Server = { http, failures, bodies: createBodies(settings) };
  return {
    provider: 'anthropic',
    name: model,
    generate: (request) =>
      exchange(request, {
        failures,
        timeouts,
        ask: (signal) => ask(server, request, signal),
        read: (reply, reading) =>
          readEither(reply, settings.stream, {
            stream: (begun) => readReply(begun, reading, { model, streams: true }),
            document: (begun) => readReply(begun, reading, { model, streams: false }),
          }),
      }),
    close: () => http.close(),
  };
}

interface Server {
  readonly http: Http;
  readonly bodies: Bodies;
  readonly failures: Failures;
}

/** Ends: each turn but the last takes something away from what is sent. */
async function ask(server: Server, request: ModelRequest, signal: AbortSignal): Promise<HttpReply | ModelFailed> {
  let giveBack = true;
  for (;;) {
    const sent = server.bodies.bodyFor(request, giveBack);
    const reply = await server.http.post(sent.body, signal);
    if (reply.status >= 200 && reply.status < 300) return reply;
    const refusal = await readRefusal(reply.bytes);
    signal.throwIfAborted();
    const lesson = server.bodies.learn(reply.status, refusal, sent);
    if (lesson === 'refused') return server.failures.status(withWait(reply, Date.now()), refusal);
    if (lesson === 'ask_without_thinking') giveBack = false;
  }
}
