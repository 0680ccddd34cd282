/**
 * `fuseloop/ai-sdk`: a language model of the AI SDK (https://ai-sdk.dev) as a Model. The package itself is not needed: the
 * model is known by its shape.
 */
import { isJsonObject } from '../core/json.ts';
import type { Model, ModelEvent, ModelFailed, ModelRequest } from '../core/model.ts';
import { brokeOff, failureOf, unreadable } from './ai-sdk/failures.ts';
import { type AiSdkLanguageModel, type AiSdkOptions, type AiSdkSettings, readModel } from './ai-sdk/model.ts';
import { type PartSource, partsOfResult, sourceOf } from './ai-sdk/parts.ts';
import { createProgress, type Progress } from './ai-sdk/progress.ts';
import { createSettings, type Settings } from './ai-sdk/settings.ts';
import { aborted } from './common/failed.ts';
import { createLeave, type Leave, leavable, unheeded } from './common/leave.ts';

export type { AiSdkLanguageModel, AiSdkOptions };

/**
 * A model of the specification version 2, 3 or 4 as the loop asks it: `aiSdk(anthropic('claude-…'))`. It is called
 * directly, so that no retries of the SDK's own are in play: `failed` says by `retry` whether another try may succeed, from
 * the error's `isRetryable` and its `retry-after`. Warnings about settings that the model does not take are not shown; one
 * that its server refuses by name (`temperature`, stop sequences) is left out from then on.
 *
 * Token counts are the provider's where it gives both, else null, and the loop estimates. Reasoning, and whatever else the
 * provider says it wants back, goes back with the message (`providerData`), to the same model alone. Tools that the
 * provider runs by itself, sources and files are passed over.
 *
 * Throws an AgentError (`invalid_option`) for the name of a model alone, what is no such model, and unknown options. After that it
 * never throws, whatever the model does: a promise that never settles is let go when the reply is left. Time limits are the loop's.
 * Source: https://ai-sdk.dev/providers/community-providers/custom-providers
 */
export function aiSdk(model: AiSdkLanguageModel, options: AiSdkOptions = {}): Model {
  const settings = readModel(model, options);
  const { provider, modelId } = settings;
  const sdk: Sdk = {
    ...settings,
    ask: settings.ask,
    settings: createSettings(settings),
    place: `${modelId} (${provider})`,
    origin: `${provider}/${modelId}`,
  };
  return {
    provider: `ai-sdk/${provider}`,
    name: modelId,
    generate(request) {
      const leave = createLeave();
      return leavable(answer(sdk, request, leave), leave.leave);
    },
  };
}

interface Sdk extends AiSdkSettings {
  readonly settings: Settings;
  readonly place: string;
  readonly origin: string;
}

async function* answer(sdk: Sdk, request: ModelRequest, leave: Leave): AsyncGenerator<ModelEvent> {
  const { signal } = request;
  const call = new AbortController();
  const stop = () => {
    leave.leave();
    call.abort(signal.reason);
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  let ended = false;
  try {
    const opened = await open(sdk, request, { leave, signal: call.signal });
    const events = 'failure' in opened ? [opened] : read(sdk, opened, leave);
    for await (const event of events) {
      ended ||= event.type === 'end';
      yield event;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Not after a good end: some would take it for a reply that was not wanted.
    if (!ended) call.abort();
  }
}

/** Ends: each turn but the last takes one name away from the settings that are sent. */
async function open(
  { ask, settings, stream, place, origin }: Sdk,
  request: ModelRequest,
  { leave, signal }: { readonly leave: Leave; readonly signal: AbortSignal },
): Promise<PartSource | ModelFailed> {
  for (;;) {
    const { options, adjustable } = settings.optionsFor(request, origin);
    const given = await leave.wait(() => ask({ ...options, abortSignal: signal }), closeLate);
    if (given.kind === 'left') return aborted(place);
    if (given.kind === 'thrown') {
      if (settings.learn(given.thrown, adjustable)) continue;
      return failureOf(place, given.thrown, { begun: false });
    }
    const source = stream ? sourceOf(given.value) : partsOfResult(given.value);
    return source ?? unreadable(place, stream ? 'has no stream' : 'has no content');
  }
}

/** A stream that comes after the reply was left is of no use to anybody. */
function closeLate(result: unknown): void {
  unheeded(() => sourceOf(result)?.close());
}

async function* read(sdk: Sdk, source: PartSource, leave: Leave): AsyncGenerator<ModelEvent> {
  const progress = createProgress({ ...sdk, isWhole: !sdk.stream });
  const quiet = createQuiet();
  try {
    for (;;) {
      const next = await leave.wait(source.next);
      if (next.kind === 'left') return yield aborted(sdk.place);
      if (next.kind === 'thrown') return yield failureOf(sdk.place, next.thrown, { begun: true });
      const events = take(sdk.place, progress, next.value);
      for (const event of quiet(events)) {
        yield event;
        if (event.type === 'end' || event.type === 'failed') return;
      }
    }
  } finally {
    unheeded(source.close);
  }
}

/** What is read of a stream: a part, or its end. Reading a part is foreign code where it has getters. */
function take(place: string, progress: Progress, result: unknown): readonly ModelEvent[] {
  if (!isJsonObject(result)) return [unreadable(place, 'has a stream that gives no parts')];
  if (result.done === true) return [brokeOff(place, 'its stream ended without a finish part')];
  try {
    return progress.take(result.value);
  } catch (thrown) {
    return [failureOf(place, thrown, { begun: true })];
  }
}

const quietParts = 256;

/**
 * Parts that tell nothing, without end and always at hand, would keep everything else from running: now and then an empty
 * piece lets the loop look at the clock.
 */
function createQuiet(): (events: readonly ModelEvent[]) => readonly ModelEvent[] {
  let silent = 0;
  return (events) => {
    silent = events.length > 0 ? 0 : silent + 1;
    if (silent < quietParts) return events;
    silent = 0;
    return [{ type: 'text', text: '' }];
  };
}
