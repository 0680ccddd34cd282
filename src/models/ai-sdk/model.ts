/**
 * What a model of the AI SDK looks like, by shape: no package of it is imported. The versions 2, 3 and 4 of its specification
 * differ in the finish reason, in the usage, and in parts that are of no use here; all else is read the same way.
 * Source: https://ai-sdk.dev/providers/community-providers/custom-providers
 */
import { AgentError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { checkKnown } from '../../core/known-options.ts';

export const versions = ['v2', 'v3', 'v4'] as const;

/** A language model of the AI SDK, such as `anthropic('claude-…')` gives. At least one of the two functions is there. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: (typeof versions)[number];
  readonly provider: string;
  readonly modelId: string;
  doStream?(options: object): PromiseLike<object>;
  doGenerate?(options: object): PromiseLike<object>;
}

export interface AiSdkOptions {
  /** Default true where the model can. False asks for the reply in one piece: nothing is seen before it is complete. */
  readonly stream?: boolean | undefined;
  /** Sent with every request: options of one provider under its name, such as `{ anthropic: { thinking: … } }`. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject } | undefined;
}

/** The model and the options as they are used: complete and checked. */
export interface AiSdkSettings {
  readonly provider: string;
  readonly modelId: string;
  readonly stream: boolean;
  readonly providerOptions: JsonObject | null;
  /** `doStream` or `doGenerate`. May throw, reject, or never settle. */
  ask(options: object): unknown;
}

/** Throws an AgentError (`invalid_option`) for what is no such model, and for options that cannot be used. */
export function readModel(model: AiSdkLanguageModel, options: AiSdkOptions): AiSdkSettings {
  const given: unknown = model;
  if (typeof given === 'string')
    throw refuse(`aiSdk was given the text ${JSON.stringify(given.slice(0, 100))}.`, textHint);
  if (!isJsonObject(given)) throw refuse('aiSdk was given no object.', allowed);
  const version: unknown = given.specificationVersion;
  if (!versions.some((known) => known === version))
    throw refuse(`The model's specificationVersion is ${wordOf(version)}.`, allowed);
  if (typeof model.provider !== 'string' || typeof model.modelId !== 'string')
    throw refuse('The model does not say its provider and its modelId.', allowed);
  checkKnown('aiSdk', options, ['stream', 'providerOptions']);
  const { stream: wanted, providerOptions = null } = options;
  if (wanted !== undefined && typeof wanted !== 'boolean')
    throw refuse(`stream is ${wordOf(wanted)}.`, 'stream is true or false; the default is true.');
  if (providerOptions !== null && !isJsonObject(providerOptions))
    throw refuse(
      `providerOptions is ${wordOf(providerOptions)}.`,
      'providerOptions is an object such as { openai: { … } }.',
    );
  const stream = wanted ?? typeof model.doStream === 'function';
  const name = stream ? 'doStream' : 'doGenerate';
  if (typeof model[name] !== 'function')
    throw refuse(`The model ${model.modelId} has no ${name}.`, stream ? `Pass { stream: false }. ${allowed}` : allowed);
  const { provider, modelId } = model;
  // Called on the model itself: it may be an object of a class.
  return { provider, modelId, stream, providerOptions, ask: (call) => model[name]?.(call) };
}

const allowed = `aiSdk takes a language model of the AI SDK: an object with specificationVersion ${versions.join(', ')} and doStream or doGenerate.`;

const textHint = `A name alone stands for the gateway of the AI SDK, which is not used here: pass a model, such as gateway('…') or openai('…') of its packages. ${allowed}`;

function refuse(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}

function wordOf(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : `a ${typeof value}`;
}
