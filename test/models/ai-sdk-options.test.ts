/** What `aiSdk` takes: real models of the packages without a cast, and nothing else. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider';
import { gateway, type LanguageModel, simulateStreamingMiddleware, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, expectTypeOf, test } from 'vitest';
import type { AgentError } from '../../src/core/errors.ts';
import type { Model } from '../../src/core/model.ts';
import { type AiSdkLanguageModel, type AiSdkOptions, aiSdk } from '../../src/models/ai-sdk.ts';
import { fakeModel } from './ai-sdk-setup.ts';

test('models of the packages fit as they are, by type', () => {
  expectTypeOf<LanguageModelV2>().toExtend<AiSdkLanguageModel>();
  expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>();
  expectTypeOf<MockLanguageModelV3>().toExtend<AiSdkLanguageModel>();
  expectTypeOf<LanguageModel>().not.toExtend<AiSdkLanguageModel>();
  expectTypeOf(aiSdk).returns.toEqualTypeOf<Model>();
});

test('models of the packages say who they are', () => {
  const mock = new MockLanguageModelV3({ provider: 'mock.chat', modelId: 'mock-1' });
  const wrapped = wrapLanguageModel({ model: mock, middleware: simulateStreamingMiddleware() });
  const compatible = createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1:9/v1' });
  const models = [aiSdk(mock), aiSdk(wrapped), aiSdk(compatible('test-model')), aiSdk(gateway('openai/gpt-4o-mini'))];
  expect(models.map(({ provider, name }) => `${provider} ${name}`)).toEqual([
    'ai-sdk/mock.chat mock-1',
    'ai-sdk/mock.chat mock-1',
    'ai-sdk/local.chat test-model',
    'ai-sdk/gateway openai/gpt-4o-mini',
  ]);
});

const whole = fakeModel('v3', { generate: () => ({}) });

/** As it comes from a program without types. */
const untyped =
  (model: unknown, options: unknown = {}) =>
  () =>
    Reflect.apply(aiSdk, undefined, [model, options]);

const refused: readonly (readonly [string, () => unknown, RegExp, RegExp])[] = [
  ['a name alone', untyped('openai/gpt-4o-mini'), /the text "openai\/gpt-4o-mini"/, /gateway.*v2, v3, v4/],
  ['nothing', untyped(undefined), /no object/, /v2, v3, v4/],
  ['a function', untyped(() => {}), /no object/, /v2, v3, v4/],
  ['no version', untyped({ provider: 'a', modelId: 'b' }), /specificationVersion is missing/, /v2, v3, v4/],
  ['version 1', untyped({ ...whole, specificationVersion: 'v1' }), /specificationVersion is "v1"/, /v2, v3, v4/],
  ['version 5', untyped({ ...whole, specificationVersion: 'v5' }), /specificationVersion is "v5"/, /v2, v3, v4/],
  ['no name', untyped({ ...whole, modelId: undefined }), /modelId/, /language model/],
  [
    'an embedding model',
    untyped({ specificationVersion: 'v3', provider: 'a', modelId: 'b', doEmbed() {} }),
    /no doGenerate/,
    /doStream or doGenerate/,
  ],
  ['no stream where one is wanted', () => aiSdk(whole, { stream: true }), /no doStream/, /stream: false/],
  [
    'a misspelt option',
    untyped(whole, { streem: true }),
    /streem is not an option of aiSdk/,
    /stream, providerOptions/,
  ],
  ['options that are none', untyped(whole, null), /options is not an object/, /aiSdk takes an object/],
  ['stream that is no flag', untyped(whole, { stream: 'yes' }), /stream is "yes"/, /true or false/],
  [
    'options of the provider that are none',
    untyped(whole, { providerOptions: 7 }),
    /providerOptions is a number/,
    /object/,
  ],
];

test.each(refused)('%s is refused', (_, make, message, hint) => {
  expect(make).toThrow(
    expect.objectContaining<Partial<AgentError>>({
      code: 'invalid_option',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    }),
  );
});

test('options are of their type', () => {
  expectTypeOf<AiSdkOptions>().toHaveProperty('stream');
  // @ts-expect-error there is no such option
  expect(() => aiSdk(whole, { streams: true })).toThrow('streams is not an option of aiSdk');
});
