/** What `openTelemetry` is given, checked. */
import { AgentError } from '../../core/errors.ts';
import { checkKnown } from '../../core/known-options.ts';
import type { ApiOptions, MeterProvider, Tracer, TracerProvider } from './api.ts';

export interface OpenTelemetryOptions {
  /** Names the agent in its spans: `invoke_agent weather`. An agent that is a tool of another one has the tool's name. */
  readonly agentName?: string;
  /** Whose spans they are; default: a tracer `fuseloop` of `tracerProvider`. */
  readonly tracer?: Tracer;
  /** Default: the one that is registered with `@opentelemetry/api`, at any time; without one there are no spans. */
  readonly tracerProvider?: TracerProvider;
  /** Of the histograms; default: the one that is registered. */
  readonly meterProvider?: MeterProvider;
  /**
   * Whether what people, models and tools wrote goes into the attributes: prompts, replies, inputs and results of calls, the words
   * of errors, who approved. Default false. What the agent redacts is redacted there too.
   */
  readonly captureContent?: boolean;
  /** The most that one attribute of it holds, in UTF-16 code units, from 1,000; default 65,536. Of a prompt, the last messages. */
  readonly maxContentLength?: number;
}

export interface Settings extends ApiOptions {
  readonly agentName: string | null;
  /** The most that one attribute of content holds; null where there is none. */
  readonly contentLength: number | null;
}

const known = ['agentName', 'tracer', 'tracerProvider', 'meterProvider', 'captureContent', 'maxContentLength'];

export function readSettings(options: OpenTelemetryOptions): Settings {
  checkKnown('openTelemetry', options, known);
  const {
    agentName,
    tracer,
    tracerProvider,
    meterProvider,
    captureContent = false,
    maxContentLength = 65_536,
  } = options;
  if (agentName !== undefined && (typeof agentName !== 'string' || agentName === ''))
    throw refused(`agentName is ${String(agentName)}.`, 'It is a text that is not empty.');
  checkMethod('tracer', tracer, 'startSpan');
  checkMethod('tracerProvider', tracerProvider, 'getTracer');
  checkMethod('meterProvider', meterProvider, 'getMeter');
  if (tracer !== undefined && tracerProvider !== undefined)
    throw refused('tracer and tracerProvider are both given.', 'Give one: a tracer is of one provider already.');
  if (typeof captureContent !== 'boolean') throw refused('captureContent is no boolean.', 'It is true or false.');
  if (!Number.isSafeInteger(maxContentLength) || maxContentLength < 1_000)
    throw refused(`maxContentLength is ${String(maxContentLength)}.`, 'It is a whole number from 1,000.');
  return {
    agentName: agentName ?? null,
    tracer: tracer ?? null,
    tracerProvider: tracerProvider ?? null,
    meterProvider: meterProvider ?? null,
    contentLength: captureContent ? maxContentLength : null,
  };
}

function checkMethod(name: string, given: unknown, method: string): void {
  if (given === undefined) return;
  const found: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, method) : undefined;
  if (typeof found !== 'function')
    throw refused(
      `${name} has no ${method}().`,
      `It is one of @opentelemetry/api, such as a package of the SDK makes.`,
    );
}

function refused(message: string, hint: string): AgentError {
  return new AgentError('invalid_option', message, { hint });
}
