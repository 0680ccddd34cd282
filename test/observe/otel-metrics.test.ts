/** The histograms of the conventions, as a meter of the API is told of them; and the names of providers. */
import { type Attributes, createNoopMeter, type MeterProvider, type MetricOptions, metrics } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import { openTelemetry } from '../../src/otel.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { answer } from '../shell/setup.ts';
import { runOf, runs } from './otel-runs.ts';
import { memorySpans } from './otel-setup.ts';

interface Recorded {
  readonly name: string;
  readonly value: number;
  readonly attributes: Attributes;
}

/** No package of ours: a meter that writes down what it is told. */
function recordingMeters() {
  const recorded: Recorded[] = [];
  const made = new Map<string, MetricOptions>();
  const meterProvider: MeterProvider = {
    getMeter: () =>
      Object.assign(createNoopMeter(), {
        createHistogram: (name: string, options: MetricOptions = {}) => {
          made.set(name, options);
          return { record: (value: number, attributes: Attributes = {}) => recorded.push({ name, value, attributes }) };
        },
      }),
  };
  return { meterProvider, recorded, made };
}

afterEach(() => metrics.disable());

const usage = { inputTokens: 90, outputTokens: 10 };
const made = {
  ...runs['a call, then an answer'],
  replies: [
    { text: 'Thought: x\nAction: look\nAction Input: {}', delayMs: 2_000, usage },
    { text: answer('42'), delayMs: 500 },
  ],
};

test('durations in seconds, and tokens that the provider counted', async () => {
  const { meterProvider, recorded, made: histograms } = recordingMeters();
  await runOf(made, memorySpans({ meterProvider, agentName: 'sailor' }).observer);
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.request.model': 'm',
  };
  expect(recorded).toEqual([
    { name: 'gen_ai.client.operation.duration', value: 2, attributes: chat },
    { name: 'gen_ai.client.token.usage', value: 90, attributes: { ...chat, 'gen_ai.token.type': 'input' } },
    { name: 'gen_ai.client.token.usage', value: 10, attributes: { ...chat, 'gen_ai.token.type': 'output' } },
    {
      name: 'gen_ai.execute_tool.duration',
      value: 0.01,
      attributes: {
        'gen_ai.tool.name': 'look',
        'gen_ai.tool.type': 'function',
        'gen_ai.agent.name': 'sailor',
      },
    },
    { name: 'gen_ai.client.operation.duration', value: 0.5, attributes: chat },
    {
      name: 'gen_ai.invoke_agent.duration',
      value: 2.51,
      attributes: { 'gen_ai.agent.name': 'sailor', 'gen_ai.request.model': 'm' },
    },
  ]);
  const units = [...histograms].map(([name, { unit, advice }]) => [name, unit, advice?.explicitBucketBoundaries?.[0]]);
  expect(units).toEqual([
    ['gen_ai.client.operation.duration', 's', 0.01],
    ['gen_ai.client.token.usage', '{token}', 1],
    ['gen_ai.execute_tool.duration', 's', 0.01],
    ['gen_ai.invoke_agent.duration', 's', 0.1],
  ]);
});

test('what failed says so', async () => {
  const { meterProvider, recorded } = recordingMeters();
  const failed = runs['a model that fails'];
  if (failed === undefined) throw new Error('It is gone.');
  await runOf(failed, memorySpans({ meterProvider }).observer);
  expect(recorded.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
    ['gen_ai.client.operation.duration', 'connection'],
    ['gen_ai.invoke_agent.duration', 'model_error'],
  ]);
});

test('a provider of meters that is registered later, and one that throws', async () => {
  const observer = openTelemetry();
  expect((await runOf(made, observer)).outcome.ok).toBe(true);
  const { meterProvider, recorded } = recordingMeters();
  metrics.setGlobalMeterProvider(meterProvider);
  await runOf(made, observer);
  expect(recorded).toHaveLength(6);
  const broken = openTelemetry({
    meterProvider: {
      getMeter: () => {
        throw new Error('boom');
      },
    },
  });
  expect((await runOf(made, broken)).outcome.ok).toBe(true);
});

const providers = [
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['ai-sdk/openai.responses', 'openai'],
  ['ai-sdk/anthropic.messages', 'anthropic'],
  ['ai-sdk/amazon-bedrock', 'aws.bedrock'],
  ['ai-sdk/azure.chat', 'azure.ai.openai'],
  ['ai-sdk/google.generative-ai', 'gcp.gemini'],
  ['ai-sdk/google.vertex.chat', 'gcp.vertex_ai'],
  ['ai-sdk/mistral.chat', 'mistral_ai'],
  ['ai-sdk/xai.chat', 'x_ai'],
  ['ai-sdk/deepseek.chat', 'deepseek'],
  ['ai-sdk/', ''],
  ['my.own', 'my.own'],
  ['constructor', 'constructor'],
] as const;

test.each(providers)('the provider %s is %s', async (provider, expected) => {
  const { observer, trees } = memorySpans();
  const clock = virtualClock();
  const model = {
    provider,
    name: 'n',
    async *generate() {
      yield { type: 'text', text: answer('42') } as const;
      yield { type: 'end', finish: 'stop', usage: null } as const;
    },
  };
  await clock.until(createAgent({ model, clock, onEvent: observer }).run('the task'));
  expect(trees()[0]?.attributes['gen_ai.provider.name']).toBe(expected);
});
