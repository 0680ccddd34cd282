/** The SDK of OpenTelemetry with its exporter in memory, and what stands in it as a tree. */
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type OpenTelemetryOptions, openTelemetry } from '../../src/otel.ts';

export interface SpanTree {
  readonly name: string;
  readonly kind: string;
  /** `unset`, or `error` with its message. */
  readonly status: string;
  /** Milliseconds since 1970. */
  readonly time: readonly [start: number, end: number];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly SpanEvent[];
  /** Ids of the spans that it links to. */
  readonly links: readonly string[];
  readonly id: string;
  readonly parent: string | null;
  readonly below: readonly SpanTree[];
}

export interface SpanEvent {
  readonly name: string;
  readonly atMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export function memorySpans(options: OpenTelemetryOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return {
    exporter,
    tracerProvider,
    observer: openTelemetry({ tracerProvider, ...options }),
    finished: () => exporter.getFinishedSpans(),
    /** The spans that have no parent among them. */
    trees: () => treesOf(exporter.getFinishedSpans()),
  };
}

function treesOf(spans: readonly ReadableSpan[]): readonly SpanTree[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const tops = spans.filter(({ parentSpanContext: above }) => above === undefined || !ids.has(above.spanId));
  return tops.toSorted(byStart).map((span) => treeOf(span, spans));
}

function treeOf(span: ReadableSpan, all: readonly ReadableSpan[]): SpanTree {
  const id = span.spanContext().spanId;
  const { code, message } = span.status;
  return {
    name: span.name,
    kind: SpanKind[span.kind].toLowerCase(),
    status: `${SpanStatusCode[code].toLowerCase()}${message === undefined ? '' : `: ${message}`}`,
    time: [msOf(span.startTime), msOf(span.endTime)],
    attributes: span.attributes,
    events: span.events.map(({ name, time, attributes = {} }) => ({ name, atMs: msOf(time), attributes })),
    links: span.links.map(({ context }) => context.spanId),
    id,
    parent: span.parentSpanContext?.spanId ?? null,
    below: all
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === id)
      .toSorted(byStart)
      .map((child) => treeOf(child, all)),
  };
}

function byStart(one: ReadableSpan, other: ReadableSpan): number {
  return msOf(one.startTime) - msOf(other.startTime) || msOf(one.endTime) - msOf(other.endTime);
}

function msOf([seconds, nanos]: ReadableSpan['startTime']): number {
  return seconds * 1000 + nanos / 1e6;
}

/** `invoke_agent[chat m, execute_tool look]`: names alone. */
export function outline({ name, status, below }: SpanTree): string {
  const inside = below.length === 0 ? '' : `[${below.map(outline).join(', ')}]`;
  return `${name}${status.startsWith('error') ? '!' : ''}${inside}`;
}
