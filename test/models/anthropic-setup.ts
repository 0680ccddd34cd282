/** A server and a model that asks it, both closed when the test is over. */
import { onTestFinished } from 'vitest';
import { type AnthropicModel, type AnthropicOptions, anthropic } from '../../src/models/anthropic.ts';
import {
  type AnthropicScript,
  type AnthropicServer,
  type Content,
  startAnthropicServer,
} from '../support/anthropic-server.ts';
import type { ServerOptions } from '../support/model-server.ts';

export const apiKey = 'sk-ant-test-0123456789';

export async function serve(
  script: AnthropicScript,
  options: Partial<AnthropicOptions> & ServerOptions = {},
): Promise<{ readonly server: AnthropicServer; readonly model: AnthropicModel }> {
  const { seed, tls, ...given } = options;
  const server = await startAnthropicServer(script, { seed, tls });
  const model = anthropic({ model: 'claude-test', baseURL: server.baseURL, apiKey, ...given });
  onTestFinished(async () => {
    await model.close();
    await server.close();
  });
  return { server, model };
}

export const text = (text: string): Content => ({ type: 'text', text });
export const thought = (thinking: string, signature = `signed: ${thinking}`): Content => ({
  type: 'thinking',
  thinking,
  signature,
});
export const hidden = (data: string): Content => ({ type: 'redacted_thinking', data });
export const call = (name: string, json: string, id = `toolu_${name}`): Content => ({
  type: 'tool_use',
  id,
  name,
  json,
});
