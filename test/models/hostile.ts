/** What the suites of hostile servers need of an adapter over HTTP. */
import type { Model } from '../../src/core/model.ts';
import type { HttpOptions } from '../../src/models/http/options.ts';
import type { ModelServer, ServerOptions, ServerScript } from '../support/model-server.ts';

export interface Served {
  readonly server: ModelServer;
  readonly model: Model & { close(): Promise<void> };
}

/** `host` and `port`: as the base URL names the server, default 127.0.0.1 and its own. */
export type ServeOptions = Omit<HttpOptions<never>, 'baseURL' | 'pool'> &
  ServerOptions & { readonly stream?: boolean; readonly host?: string; readonly port?: number };

/** The origin of the server under the name that is wanted. */
export function originOf(server: ModelServer, { host, port }: ServeOptions): string {
  const url = new URL(server.origin);
  if (host !== undefined) url.hostname = host;
  if (port !== undefined) url.port = `${port}`;
  return url.origin;
}

/** A server with this script, in the adapter's form, and a model that asks it; both are closed when the test is over. */
export type Serve = (script: ServerScript, options?: ServeOptions) => Promise<Served>;
