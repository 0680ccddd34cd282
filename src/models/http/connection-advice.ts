/** What to do about a connection that failed, and whether another try may succeed, by the code of Node or undici. Pure. */
import type { ModelFailure } from '../../core/model.ts';
import { type Retry, retryAtWill } from './retry.ts';

export interface Advice {
  readonly hint: string;
  /** Null where the same request would fail again. */
  readonly retry: Retry | null;
}

/** What is not named here is a connection that did not come about, or broke. */
export function connectionAdvice(thrown: unknown): Advice & { readonly failure: ModelFailure } {
  const code = codeOf(thrown);
  const failure = 'connection';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    // A name that does not exist will not exist in a second; a name server that is out of reach may be.
    const retry = code === 'EAI_AGAIN' ? retryAtWill : null;
    return { failure, hint: 'Check the host in the base URL, and the name server.', retry };
  }
  if (code === 'ECONNREFUSED')
    return {
      failure,
      hint: 'Check host and port in the base URL, and that the server is running.',
      retry: retryAtWill,
    };
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(code)) {
    const hint = 'Check https or http in the base URL, and the certificate (NODE_EXTRA_CA_CERTS).';
    return { failure, hint, retry: null };
  }
  if (code.startsWith('HPE_'))
    return {
      failure: 'unreadable',
      hint: 'What answered does not speak HTTP: check port, and https or http.',
      retry: null,
    };
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    const hint = 'The model (or its pool) was closed. Create a new one, or close it later.';
    return { failure: 'refused', hint, retry: null };
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return { failure: 'timeout', hint: 'Check the network and the proxy, and ask again.', retry: retryAtWill };
  const retry = code === '' || code === 'UND_ERR_INVALID_ARG' ? null : retryAtWill;
  return { failure, hint: 'Check the network and the proxy, and ask again.', retry };
}

export function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  // undici's error for bytes that are no HTTP has a code only where its parser gave one.
  return thrown.name === 'HTTPParserError' ? 'HPE_' : '';
}
