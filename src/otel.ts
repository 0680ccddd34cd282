/** `fuseloop/otel`: runs as spans of OpenTelemetry, with the names of its GenAI conventions. Needs `@opentelemetry/api`. */
export { openTelemetry } from './observe/otel/observer.ts';
export type { OpenTelemetryOptions } from './observe/otel/settings.ts';
