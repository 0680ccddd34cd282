/** Models of the AI SDK for tests, in each version of its specification: real streams of parts, nothing of a provider. */
import type { AiSdkLanguageModel } from '../../src/models/ai-sdk.ts';

export type Version = 'v2' | 'v3' | 'v4';

export const versions = ['v2', 'v3', 'v4'] as const;

export type Part = { readonly type: string } & Readonly<Record<string, unknown>>;

/** What a model was asked, one entry a call. */
export interface Asked {
  readonly options: Readonly<Record<string, unknown>> & { readonly abortSignal: AbortSignal };
}

export interface FakeModel extends AiSdkLanguageModel {
  readonly asked: Asked[];
}

export interface FakeScript {
  readonly stream?: (options: object) => unknown;
  readonly generate?: (options: object) => unknown;
}

/** What it gives may be anything: a test of hostile models needs just that. */
export function fakeModel(version: Version, { stream, generate }: FakeScript): FakeModel {
  const asked: Asked[] = [];
  const noting = (give: (options: object) => unknown) => async (options: object) => {
    asked.push({ options: checked(options) });
    const given = await give(options);
    if (typeof given !== 'object' || given === null) throw new Error('The script gave nothing.');
    return given;
  };
  return {
    specificationVersion: version,
    provider: 'fake.chat',
    modelId: 'fake-1',
    asked,
    ...(stream === undefined ? {} : { doStream: noting(stream) }),
    ...(generate === undefined ? {} : { doGenerate: noting(generate) }),
  };
}

function checked(options: object): Asked['options'] {
  if (!('abortSignal' in options) || !(options.abortSignal instanceof AbortSignal))
    throw new Error('The options have no signal.');
  return { ...options, abortSignal: options.abortSignal };
}

/** A stream of these parts; `end` says what comes behind them. It ends at once when the signal aborts, as `fetch` does. */
export function streamOf(
  parts: readonly unknown[],
  { end = 'close', signal }: { readonly end?: 'close' | 'hang' | Error; readonly signal?: AbortSignal } = {},
): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (end === 'close') return controller.close();
      if (end !== 'hang') return controller.error(end);
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
  });
}

/** A model that streams these parts, in version 3 unless said otherwise. */
export function streaming(parts: readonly unknown[], version: Version = 'v3'): FakeModel {
  return fakeModel(version, { stream: () => ({ stream: streamOf(parts) }) });
}

/** The end of a reply, as each version writes it. */
export function finishPart(version: Version, unified: string, raw?: string): Part {
  return { type: 'finish', finishReason: reasonOf(version, unified, raw), usage: usageOf(version, 7, 3) };
}

export function reasonOf(version: Version, unified: string, raw?: string): unknown {
  return version === 'v2' ? unified : { unified, raw };
}

export function usageOf(version: Version, input: number | undefined, output: number | undefined): object {
  if (version === 'v2') return { inputTokens: input, outputTokens: output, totalTokens: undefined };
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  };
}

export const stop = finishPart('v3', 'stop');

export const delta = (text: string, id = '0'): Part => ({ type: 'text-delta', id, delta: text });

export const call = (id: string, tool: string, input: string, more: object = {}): Part => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: tool,
  input,
  ...more,
});

/** A call in pieces, without the whole behind it. */
export function pieces(id: string, tool: string, ...inputs: readonly string[]): readonly Part[] {
  return [
    { type: 'tool-input-start', id, toolName: tool },
    ...inputs.map((input) => ({ type: 'tool-input-delta', id, delta: input })),
    { type: 'tool-input-end', id },
  ];
}
