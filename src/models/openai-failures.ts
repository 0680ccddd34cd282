/**
 * Everything that can go wrong with a reply, as the `failed` event it becomes. Pure. A message says what happened in
 * the provider's own words (at most 300 characters, without the secrets), a hint what to do next.
 */
import { messageOf } from '../core/message-of.ts';
import type { ModelEvent, ModelFailure } from '../core/model.ts';
import { createRedactor } from '../core/redact.ts';
import { errorOf, parseObject } from './openai-chunk.ts';

export type Failed = Extract<ModelEvent, { type: 'failed' }>;

export interface Failures {
  /** A status other than 2xx. */
  status(status: number, body: string, retryAfter: string | null): Failed;
  /** No reply began: `thrown` came from undici. */
  connection(thrown: unknown): Failed;
  /** The reply began and its end never came: what was thrown, or how it looked. */
  brokeOff(thrown: unknown): Failed;
  /** An error inside a reply with status 200. */
  error(message: string): Failed;
  /** `excerpt`: what was read, where that tells something. */
  unreadable(what: string, excerpt?: string): Failed;
  finishReason(word: string): Failed;
  aborted(): Failed;
}

export function createFailures(server: {
  readonly url: URL;
  readonly model: string;
  readonly secrets: readonly string[];
}): Failures {
  const place = `${server.url.origin}${server.url.pathname}`;
  const redactor = createRedactor(server.secrets);
  // Every text from outside passes here. Secrets go first: a cut one would no longer be found.
  function quote(text: string): string {
    return excerptOf(redactor.text(text));
  }
  function describe(thrown: unknown): string {
    const code = codeOf(thrown);
    const message = quote(messageOf(thrown));
    // Errors of several addresses tried at once have a code and no message.
    return code === '' || message.includes(code) ? message : `${message} (${code})`;
  }
  return {
    status(status, body, retryAfter) {
      const document = parseObject(body);
      const words = quote((document === null ? null : errorOf(document)) ?? body);
      const failure = status === 429 ? 'rate_limited' : 'refused';
      const hint = refusesTools(status, words)
        ? toolsHint
        : statusHint(status, server.model, retryAfter === null ? null : quote(retryAfter));
      return failed(failure, `${place} answered ${status}: ${words}`, hint);
    },
    connection(thrown) {
      const { failure, hint } = connectionHint(codeOf(thrown));
      return failed(failure, `No reply from ${place}: ${describe(thrown)}.`, hint);
    },
    brokeOff(thrown) {
      const hint = 'Ask again. If it happens often, look for a proxy or a server that cuts long replies.';
      return failed('broke_off', `The reply from ${place} broke off: ${describe(thrown)}.`, hint);
    },
    error(message) {
      const hint = "The error is the server's own; its message says what it wants.";
      return failed('refused', `${place} sent an error in place of a reply: ${quote(message)}`, hint);
    },
    unreadable(what, excerpt) {
      const hint = 'Check that the base URL is that of an OpenAI-compatible server and ends before /chat/completions.';
      return failed(
        'unreadable',
        `The reply from ${place} ${what}${excerpt === undefined ? '.' : `: ${quote(excerpt)}`}`,
        hint,
      );
    },
    finishReason(word) {
      const message = `${place} ended the reply with finish_reason ${JSON.stringify(quote(word))}.`;
      return failed('broke_off', message, 'Known are stop, length, content_filter and their synonyms; ask again.');
    },
    aborted() {
      const hint = 'Nothing to do: whoever owns the signal no longer wanted the reply.';
      return failed('aborted', `The request to ${place} was aborted.`, hint);
    },
  };
}

function failed(failure: ModelFailure, message: string, hint: string): Failed {
  return { type: 'failed', failure, message, hint };
}

/** Such as `gemma does not support tools` of Ollama, and vLLM and llama.cpp without the flag for them. */
function refusesTools(status: number, words: string): boolean {
  if (![400, 404, 422, 500, 501].includes(status) || !/\btools?\b/i.test(words)) return false;
  return /\b(?:un)?support|\brequires --/i.test(words);
}

const toolsHint =
  "The server or the model takes no tools as it is set up: use a text dialect, such as dialect: 'labelled', or another model.";

function statusHint(status: number, model: string, retryAfter: string | null): string {
  if (status === 401 || status === 403)
    return 'Check the API key (OPENAI_API_KEY or apiKey), its rights, and that it belongs to this base URL.';
  if (status === 404) return `Check the model name (${model}) and the base URL; it usually ends in /v1.`;
  if (status === 429)
    return retryAfter === null
      ? 'Wait and ask again, or check the quota of the account.'
      : `Wait as long as the server asks (retry-after: ${retryAfter}), or check the quota of the account.`;
  if (status === 413) return 'The prompt is too long for this server: give fewer or shorter messages.';
  if (status >= 500) return 'The server failed; ask again later.';
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: set the base URL to where the server really is.';
  return 'The server refused the request; its message says why. Usual reasons are the context length and parameters.';
}

/** Codes of Node and undici. All that is not named here is a connection that did not come about. */
function connectionHint(code: string): { readonly failure: ModelFailure; readonly hint: string } {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { failure: 'connection', hint: 'Check the host in the base URL, and the name server.' };
  if (code === 'ECONNREFUSED')
    return { failure: 'connection', hint: 'Check host and port in the base URL, and that the server is running.' };
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(code))
    return {
      failure: 'connection',
      hint: 'Check https or http in the base URL, and the certificate (NODE_EXTRA_CA_CERTS).',
    };
  if (code.startsWith('HPE_'))
    return { failure: 'unreadable', hint: 'What answered does not speak HTTP: check port, and https or http.' };
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
    return { failure: 'refused', hint: 'The model (or its pool) was closed. Create a new one, or close it later.' };
  return { failure: 'connection', hint: 'Check the network and the proxy, and ask again.' };
}

function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  // undici's error for bytes that are no HTTP has a code only where its parser gave one.
  return thrown.name === 'HTTPParserError' ? 'HPE_' : '';
}

/** At most 300 characters in one line, and no half character at the end. */
function excerptOf(text: string): string {
  const line = text.slice(0, 2_000).replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length <= 300 ? line : `${line.slice(0, 300).replace(/[\ud800-\udbff]$/, '')}…`;
}
