/** The first model of a server that speaks chat completions. Source: https://platform.openai.com/docs/api-reference/models/list */
import { isJsonObject } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import { misuse } from './misuse.ts';

/** A server that is there answers at once; a person waits for this. */
const answersMs = 5_000;

/** One request. Throws misuse where the server does not say. Redirects are not followed, as the key would go with them. */
export async function firstModel(baseURL: string, apiKey: string): Promise<string> {
  const url = new URL(baseURL);
  url.pathname = `${url.pathname.replace(/\/{0,9}$/, '')}/models`;
  const said = await ask(url, apiKey);
  if ('name' in said) return said.name;
  throw misuse(
    `No model is named, and ${url.origin}${url.pathname} does not say which there are: ${said.why}.`,
    'Name one, with --model or in FUSELOOP_MODEL, and check --base-url or OPENAI_BASE_URL.',
  );
}

async function ask(url: URL, apiKey: string): Promise<{ readonly name: string } | { readonly why: string }> {
  try {
    const headers = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
    const signal = AbortSignal.timeout(answersMs);
    const reply = await fetch(url, { headers, signal, redirect: 'manual' });
    if (!reply.ok) {
      await reply.body?.cancel();
      return { why: `it answered ${reply.status}` };
    }
    const name = firstIn(JSON.parse(await reply.text()));
    return name === null ? { why: 'its answer is no list of models, or an empty one' } : { name };
  } catch (thrown) {
    return { why: whyOf(thrown) };
  }
}

function firstIn(list: unknown): string | null {
  if (!isJsonObject(list) || !Array.isArray(list.data)) return null;
  const first: unknown = list.data[0];
  return isJsonObject(first) && typeof first.id === 'string' && first.id !== '' ? first.id : null;
}

/** `fetch` says only that it failed; its cause says how. */
function whyOf(thrown: unknown): string {
  if (thrown instanceof SyntaxError) return 'its answer is no JSON';
  if (!(thrown instanceof Error)) return messageOf(thrown);
  if (thrown.name === 'TimeoutError') return `it did not answer within ${answersMs / 1_000} s`;
  const cause = thrown.cause ?? thrown;
  // Errors of several addresses tried at once have a code and no message.
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return cause instanceof Error && cause.message === '' && code !== '' ? code : messageOf(cause);
}
