/** A chat completions server on the loopback for tests. */
import { type ModelServer, type ServerOptions, type ServerScript, startModelServer } from './model-server.ts';
import { openaiForm } from './openai-bytes.ts';

export type { RequestBody, ServerRequest, ServerScript } from './model-server.ts';
export type { ServerAnswer } from './server-answer.ts';

export interface OpenaiServer extends ModelServer {
  readonly baseURL: string;
}

export async function startOpenaiServer(
  script: ServerScript,
  seed?: number,
  options: ServerOptions = {},
): Promise<OpenaiServer> {
  const server = await startModelServer(script, openaiForm, { ...options, seed });
  // The getters of `sockets` live in an object of their own, so that they stay live.
  return { ...server, baseURL: `${server.origin}/v1` };
}
