/**
 * The call options, without those that this model has refused before. Most provider packages leave out what a model does
 * not take, and only warn of it; others send it, and the server refuses.
 */
import { read } from '../../core/error-text.ts';
import type { ModelRequest } from '../../core/model.ts';
import { firstNameIn, soundsRefused } from '../common/refused-name.ts';
import type { AiSdkSettings } from './model.ts';
import { promptOf, toolsOf } from './prompt.ts';

export interface Settings {
  optionsFor(
    request: ModelRequest,
    origin: string,
  ): { readonly options: object; readonly adjustable: readonly string[] };
  /** True where what was thrown refuses one of `adjustable` by name: it is left out from now on, so at most once each. */
  learn(thrown: unknown, adjustable: readonly string[]): boolean;
}

export function createSettings({ providerOptions }: AiSdkSettings): Settings {
  const refused = new Set<string>();
  return {
    optionsFor(request, origin) {
      const { stop, temperature, messages, maxOutputTokens, json } = request;
      const all: readonly (readonly [string, unknown])[] = [
        ...(stop.length > 0 ? [['stopSequences', [...stop]] as const] : []),
        ['temperature', temperature],
      ];
      const sent = all.filter(([name]) => !refused.has(name));
      const options = {
        prompt: promptOf(messages, origin),
        maxOutputTokens,
        ...Object.fromEntries(sent),
        ...toolsOf(request),
        ...(json === true ? { responseFormat: { type: 'json' } } : {}),
        ...(providerOptions === null ? {} : { providerOptions }),
      };
      return { options, adjustable: sent.map(([name]) => name) };
    },
    learn(thrown, adjustable) {
      const name = refusedName(thrown, adjustable);
      if (name !== null) refused.add(name);
      return name !== null;
    },
  };
}

/** As the servers call them. */
const names: ReadonlyMap<string, string> = new Map([
  ['temperature', 'temperature'],
  ['stop', 'stopSequences'],
  ['stop_sequences', 'stopSequences'],
  ['stopSequences', 'stopSequences'],
]);

function refusedName(thrown: unknown, adjustable: readonly string[]): string | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  const status = read(thrown, 'statusCode');
  if (status !== 400 && status !== 422) return null;
  const texts = [read(thrown, 'message'), read(thrown, 'responseBody')].filter((text) => typeof text === 'string');
  const said = texts.map((text) => text.slice(0, 4_000)).join(' ');
  return soundsRefused(said) ? firstNameIn(said, adjustable, (word) => names.get(word)) : null;
}
