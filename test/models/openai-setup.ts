/** A server and a model that asks it, both closed when the test is over. */
import { onTestFinished } from 'vitest';
import { type OpenaiModel, type OpenaiOptions, openai } from '../../src/models/openai.ts';
import { type OpenaiServer, type ServerScript, startOpenaiServer } from '../support/openai-server.ts';
import { originOf, type ServeOptions } from './hostile.ts';

export const apiKey = 'sk-test-0123456789';

export async function serve(
  script: ServerScript,
  options: Partial<OpenaiOptions> & ServeOptions = {},
): Promise<{ readonly server: OpenaiServer; readonly model: OpenaiModel }> {
  const { seed, tls, host, port, ...given } = options;
  const server = await startOpenaiServer(script, seed, { tls });
  onTestFinished(() => server.close());
  const model = openai({ model: 'test-model', baseURL: `${originOf(server, options)}/v1`, apiKey, ...given });
  onTestFinished(() => model.close());
  return { server, model };
}

/** The text of a stream made of these data lines. */
export function sse(...data: readonly (string | object)[]): string {
  return data.map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`).join('');
}

export function delta(content: string, finishReason: string | null = null): object {
  return { choices: [{ index: 0, delta: { content }, finish_reason: finishReason }] };
}
