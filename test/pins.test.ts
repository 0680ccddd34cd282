/** What others rely on, frozen as literals: a change here is a change for users. */
import { expect, it } from 'vitest';
import { laws } from '../machines/laws.ts';
import * as surface from '../src/index.ts';
import * as machine from '../src/machine.ts';
import * as aiSdk from '../src/models/ai-sdk.ts';
import * as anthropic from '../src/models/anthropic.ts';
import * as openai from '../src/models/openai.ts';
import * as models from '../src/models.ts';
import * as observe from '../src/observe.ts';
import * as record from '../src/record.ts';
import * as store from '../src/store.ts';
import * as testing from '../src/testing.ts';
import * as tools from '../tools/shipped.ts';

it.each([
  [
    'fuseloop',
    surface,
    'AgentError ToolError createAgent defaults errorCodes readReply stopReasons tags tool violationCodes',
  ],
  ['fuseloop/machine', machine, 'admit checkLaws createPort createReactMachine initialContext isDone laws stateOf'],
  ['fuseloop/ai-sdk', aiSdk, 'aiSdk'],
  ['fuseloop/anthropic', anthropic, 'anthropic'],
  ['fuseloop/models', models, 'fallback routeBy'],
  [
    'fuseloop/observe',
    observe,
    'auditOf createAudit createMetrics metricsOf outcomeOfTrace outcomeOfView runViews viewAfter',
  ],
  ['fuseloop/openai', openai, 'openai'],
  ['fuseloop/record', record, 'record replay replayTrace'],
  ['fuseloop/store', store, 'blobFiles fileStore journalFormat memoryStore prune runStatuses spilled sqliteStore'],
  [
    'fuseloop/testing',
    testing,
    'arbitraries certificate cutInto drawPath expectEnds explore foldTrace fuzz scriptedModel simulate toolOf virtualClock',
  ],
  ['fuseloop/tools', tools, 'calculator clockTool groundedNumbers joinTools looksLikeError withJsonSchema'],
])('%s exports', (_path, module, names) => {
  expect(Object.keys(module).sort().join(' ')).toBe(names);
});

it('stop reasons', () => {
  expect(surface.stopReasons.join(' ')).toBe(
    'final max_steps max_tool_calls token_budget cost_budget timeout violations_exhausted tool_errors_exhausted ' +
      'loop_detected no_progress aborted model_error content_filter store_error internal_error suspended',
  );
});

it('violation codes', () => {
  expect(surface.violationCodes.join(' ')).toBe(
    'empty no_step thought_only unreadable_input missing_input no_tool truncated too_long',
  );
});

it('error codes', () => {
  expect(surface.errorCodes.join(' ')).toBe(
    'invalid_option invalid_snapshot invalid_journal store_failed run_held not_awaiting model_failed internal',
  );
});

it('limits', () => {
  expect(surface.defaults).toEqual({
    budget: {
      maxSteps: 12,
      maxTokens: 300_000,
      wallClockMs: 180_000,
      maxToolCalls: 100,
      maxViolations: 3,
      maxToolErrors: 3,
    },
    timeouts: {
      toolMs: 15_000,
      modelCallMs: 120_000,
      firstTokenMs: 60_000,
      betweenTokensMs: 30_000,
      hookMs: 10_000,
      approvalMs: 600_000,
    },
    sizes: { maxReplyTokens: 4_096, maxObservationTokens: 1_200, maxObservationChars: 1_000_000 },
    loopGuard: { warnAt: 2, endAt: 4, cycleMax: 4 },
    maxParallel: 8,
    modelRetries: 2,
    temperature: 0,
  });
  expect(Object.isFrozen(surface.defaults) && Object.isFrozen(surface.defaults.budget)).toBe(true);
});

it('the laws', () => {
  expect(Object.keys(laws)).toHaveLength(33);
});

it('the machine: a hash that changes with its states, events, guards and actions', () => {
  expect(machine.createPort().machineHash).toMatchInlineSnapshot(`"iwqiqho4v5nnk559ev58"`);
});
