/** `fuseloop/otel`: a run as spans of OpenTelemetry, with the GenAI names. Needs `@opentelemetry/api`. */
export {};
