/**
 * Every name that leaves this process: of spans, attributes, span events and metrics. `gen_ai.*` and `error.type` are those of the
 * GenAI conventions as they stand beside version 1.42 of the others; `fuseloop.*` are our own.
 * Source: https://github.com/open-telemetry/semantic-conventions-genai/tree/main/docs/gen-ai (gen-ai-spans.md,
 * gen-ai-agent-spans.md, gen-ai-metrics.md), published at https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */

/** Of the tracer and of the meter. */
export const scopeName = 'fuseloop';

export const operations = { agent: 'invoke_agent', chat: 'chat', tool: 'execute_tool' } as const;

export const names = {
  errorType: 'error.type',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  callId: 'gen_ai.tool.call.id',
  tokenType: 'gen_ai.token.type',
} as const;

/** What people and models wrote: only where it was asked for. */
export const contentNames = {
  system: 'gen_ai.system_instructions',
  input: 'gen_ai.input.messages',
  output: 'gen_ai.output.messages',
  arguments: 'gen_ai.tool.call.arguments',
  result: 'gen_ai.tool.call.result',
} as const;

export const own = {
  stopReason: 'fuseloop.stop_reason',
  dialect: 'fuseloop.dialect',
  steps: 'fuseloop.steps',
  toolCalls: 'fuseloop.tool_calls',
  violations: 'fuseloop.violations',
  resumed: 'fuseloop.resumed',
  abandoned: 'fuseloop.abandoned',
  step: 'fuseloop.step',
  attempt: 'fuseloop.attempt',
  violation: 'fuseloop.violation',
  estimated: 'fuseloop.tokens.estimated',
  savedTokens: 'fuseloop.tokens.saved',
  repaired: 'fuseloop.repaired',
  callStatus: 'fuseloop.call.status',
  effect: 'fuseloop.call.effect',
  gate: 'fuseloop.gate',
  cause: 'fuseloop.cause',
  decision: 'fuseloop.decision',
  edited: 'fuseloop.edited',
  by: 'fuseloop.by',
  waitMs: 'fuseloop.wait_ms',
  contentCut: 'fuseloop.content.cut',
} as const;

/** Of span events. */
export const marks = {
  violation: 'fuseloop.violation',
  modelRetry: 'fuseloop.model.retry',
  modelFallback: 'fuseloop.model.fallback',
  callRetry: 'fuseloop.call.retry',
  callRefused: 'fuseloop.call.refused',
  approvalAsked: 'fuseloop.approval.asked',
  approvalDecided: 'fuseloop.approval.decided',
  loopWarned: 'fuseloop.loop.warned',
} as const;

/** An error of which nothing better is known. */
export const otherError = '_OTHER';

/** There was no result in time. */
export const timeoutError = 'timeout';

const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92] as const;

/** Histograms, with the boundaries that the conventions advise. */
export const instruments = {
  chatDuration: {
    name: 'gen_ai.client.operation.duration',
    description: 'Duration of one request to a model.',
    unit: 's',
    boundaries: seconds,
  },
  tokenUsage: {
    name: 'gen_ai.client.token.usage',
    description: 'Tokens of one request to a model, as its provider counted them.',
    unit: '{token}',
    boundaries: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
  },
  agentDuration: {
    name: 'gen_ai.invoke_agent.duration',
    description: 'Duration of one run of an agent.',
    unit: 's',
    boundaries: [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6],
  },
  toolDuration: {
    name: 'gen_ai.execute_tool.duration',
    description: 'Duration of one call of a tool.',
    unit: 's',
    boundaries: seconds,
  },
} as const;

/** What the conventions call a provider that others call otherwise. */
const registered: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['azure-openai', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['google', 'gcp.gemini'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['gemini', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['moonshotai', 'moonshot_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['watsonx', 'ibm.watsonx.ai'],
  ['xai', 'x_ai'],
]);

const aiSdk = 'ai-sdk/';

/** Such as `anthropic` for `ai-sdk/anthropic.messages`. What the conventions do not know stays as it is. */
export function providerName(provider: string): string {
  if (!provider.startsWith(aiSdk)) return registered.get(provider) ?? provider;
  const bare = provider.slice(aiSdk.length);
  const [family = bare] = bare.split('.', 1);
  const name = bare.startsWith('google.vertex') ? 'vertex' : family;
  return registered.get(name) ?? name;
}
