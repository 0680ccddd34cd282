/**
 * The one file that knows `@opentelemetry/api`: spans and histograms as few plain functions, none of which throws. What a tracer, an
 * exporter or a meter throws is told to OpenTelemetry's own `diag`, once.
 */
import {
  type Attributes,
  type Context,
  context,
  diag,
  type Histogram,
  type MeterProvider,
  metrics,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { messageOf } from '../../core/message-of.ts';
import type { Facts } from './facts.ts';
import { instruments, scopeName } from './names.ts';

export type { MeterProvider, SpanContext, Tracer, TracerProvider };

/** Where a span hangs: what the caller had active, with a span in it or without. */
export type Place = Context;

export type Instrument = keyof typeof instruments;

export interface SpanStart {
  readonly name: string;
  readonly kind: 'internal' | 'client';
  /** Milliseconds since 1970, as all times here. */
  readonly startMs: number;
  readonly facts: Facts;
  readonly parent: Place;
  /** The run that this one goes on with. */
  readonly link?: SpanContext | null;
}

export interface OpenSpan {
  /** For spans below it. */
  readonly place: Place;
  /** For links to it; null where there is nothing to link to. */
  readonly context: SpanContext | null;
  readonly startMs: number;
  rename(name: string): void;
  set(facts: Facts): void;
  mark(name: string, facts: Facts, atMs: number): void;
  fail(message: string | null): void;
  /** Never before its start. */
  end(atMs: number): void;
}

export interface Api {
  /** What is active where this is called. */
  here(): Place;
  start(span: SpanStart): OpenSpan;
  record(instrument: Instrument, value: number, facts: Facts, place: Place): void;
  /** Something of ours, or of theirs, threw. */
  tell(thrown: unknown): void;
}

export interface ApiOptions {
  readonly tracer: Tracer | null;
  readonly tracerProvider: TracerProvider | null;
  readonly meterProvider: MeterProvider | null;
}

export function createApi({ tracer, tracerProvider, meterProvider }: ApiOptions): Api {
  const guard = createGuard();
  const tracerNow = () => tracer ?? (tracerProvider ?? trace).getTracer(scopeName);
  const histograms = createHistograms(() => meterProvider ?? metrics.getMeterProvider());

  return {
    here: () => guard(() => context.active(), noPlace),
    start({ name, kind, startMs, facts, parent, link = null }) {
      const options = {
        kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        startTime: timeOf(startMs),
        attributes: attributesOf(facts),
        links: link === null ? [] : [{ context: link }],
      };
      const span = guard<Span | null>(() => tracerNow().startSpan(name, options, parent), null);
      return openSpan(span, parent, startMs, guard);
    },
    record: (instrument, value, facts, place) =>
      guard(() => histograms(instrument).record(value, attributesOf(facts), place), undefined),
    tell: (thrown) =>
      guard(() => {
        throw thrown;
      }, undefined),
  };
}

type Guard = <Value>(run: () => Value, otherwise: Value) => Value;

const noPlace: Place = {
  getValue: () => undefined,
  setValue: () => noPlace,
  deleteValue: () => noPlace,
};

function createGuard(): Guard {
  let isTold = false;
  return (run, otherwise) => {
    try {
      return run();
    } catch (thrown) {
      if (isTold) return otherwise;
      isTold = true;
      try {
        diag.warn(`fuseloop: spans or metrics are incomplete, since something threw: ${messageOf(thrown)}`);
      } catch {
        // A logger that throws as well: there is nobody left to tell.
      }
      return otherwise;
    }
  };
}

/** Without a span, since there was none to be had, everything below it hangs where it would have hung. */
function openSpan(span: Span | null, parent: Place, startMs: number, guard: Guard): OpenSpan {
  const act = (what: (span: Span) => unknown): void => {
    if (span !== null) guard<unknown>(() => what(span), undefined);
  };
  return {
    place: span === null ? parent : guard(() => trace.setSpan(parent, span), parent),
    context: span === null ? null : guard<SpanContext | null>(() => linkable(span.spanContext()), null),
    startMs,
    rename: (name) => act((it) => it.updateName(name)),
    set: (facts) => act((it) => it.setAttributes(attributesOf(facts))),
    mark: (name, facts, atMs) => act((it) => it.addEvent(name, attributesOf(facts), timeOf(Math.max(startMs, atMs)))),
    fail: (message) =>
      act((it) => it.setStatus({ code: SpanStatusCode.ERROR, ...(message === null ? {} : { message }) })),
    end: (atMs) => act((it) => it.end(timeOf(Math.max(startMs, atMs)))),
  };
}

function linkable(found: SpanContext): SpanContext | null {
  return trace.isSpanContextValid(found) ? found : null;
}

/** The API has no meter that waits for its provider: where one is registered later, instruments are made anew. */
function createHistograms(providerNow: () => MeterProvider): (instrument: Instrument) => Histogram {
  let provider: MeterProvider | null = null;
  const made = new Map<Instrument, Histogram>();
  return (instrument) => {
    const now = providerNow();
    if (now !== provider) made.clear();
    provider = now;
    const { name, description, unit, boundaries } = instruments[instrument];
    const advice = { explicitBucketBoundaries: [...boundaries] };
    const histogram =
      made.get(instrument) ?? now.getMeter(scopeName).createHistogram(name, { description, unit, advice });
    made.set(instrument, histogram);
    return histogram;
  };
}

/** In seconds and nanoseconds: a small number alone would be taken for a time since the process began. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))];
}

function attributesOf(facts: Facts): Attributes {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]],
    ),
  );
}
