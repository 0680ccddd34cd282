// #region otel
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createAgent } from 'fuseloop';
import { openTelemetry } from 'fuseloop/otel';
import { scriptedModel } from 'fuseloop/testing';
import { calculator } from 'fuseloop/tools';

// In a service, the SDK for Node registers a provider with an exporter, and `tracerProvider` is left out.
const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const agent = createAgent({
  model: scriptedModel([
    'Thought: I calculate.\nAction: calculator\nAction Input: {"expression": "6 × 7"}',
    'I have it!',
    'Thought: I have it.\nFinal Answer: 42',
  ]),
  tools: { calculator },
  onEvent: openTelemetry({ agentName: 'clerk', tracerProvider }),
});
await agent.run('What is 6 × 7?');

// Spans are handed out as they end, so that the run's own is the last.
for (const { name, parentSpanContext, attributes, events } of exporter.getFinishedSpans()) {
  const tokens = attributes['gen_ai.usage.output_tokens'] ?? 0;
  const place = parentSpanContext === undefined ? '' : '  in the run: ';
  console.log(`${place}${name}, ${tokens} tokens out`);
  for (const event of events) console.log(`  ${event.name}`, event.attributes);
}
// #endregion
