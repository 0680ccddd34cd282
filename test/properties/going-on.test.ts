/**
 * A run that a limit ended and that goes on with a larger budget is as one that had it from the start: the same answer, the
 * same executions in the same order, the same conversation. Left out is what cannot be the same: time-outs, and tokens, of
 * which the size of a reply depends on what is left.
 */
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Agent, createAgent } from '../../src/agent.ts';
import { AgentError } from '../../src/core/errors.ts';
import type { Budget } from '../../src/core/limits.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import type { Run } from '../../src/run.ts';
import { tool } from '../../src/tool.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { anyInput } from '../shell/setup.ts';

const call = fc.record({
  tool: fc.constantFrom('look', 'send', 'fails', 'nothing'),
  input: fc.record({ n: fc.nat(3) }),
});
const reply: fc.Arbitrary<ScriptEntry> = fc.oneof(
  { weight: 6, arbitrary: fc.array(call, { minLength: 1, maxLength: 3 }).map((calls) => ({ calls })) },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constant('the answer') },
);
const limit = (most: number) => fc.nat(most);
const budgets = fc.record({
  maxSteps: limit(5),
  maxToolCalls: limit(6),
  maxViolations: limit(3),
  maxToolErrors: limit(3),
});
const large: Partial<Budget> = { maxSteps: 20, maxToolCalls: 100, maxViolations: 20, maxToolErrors: 20 };
const limits: ReadonlySet<string> = new Set([
  'max_steps',
  'max_tool_calls',
  'violations_exhausted',
  'tool_errors_exhausted',
]);

interface World {
  readonly agent: Agent;
}

/** One agent with its own world. */
function world(replies: readonly ScriptEntry[]) {
  const ran: string[] = [];
  const clock = virtualClock();
  const model = scriptedModel(replies, { clock });
  const noted = (name: string, give: () => unknown, marks: object) =>
    tool({
      inputSchema: anyInput,
      execute: (input) => {
        ran.push(`${name} ${JSON.stringify(input)}`);
        return give();
      },
      ...marks,
    });
  const fails = () => {
    throw new Error('no');
  };
  const tools = {
    look: noted('look', () => 'seen', { readOnly: true }),
    send: noted('send', () => 'sent', { sideEffect: true, needsApproval: false }),
    fails: noted('fails', fails, {}),
  };
  const agent = createAgent({ model, tools, dialect: 'native', clock, loopGuard: 'off', plainText: 'answer' });
  return { agent, clock, model, ran };
}

test.prop([fc.array(reply, { maxLength: 8 }), budgets, fc.boolean()], { numRuns: 300 })(
  'a larger budget later is a larger budget from the start',
  async (replies, small, stepwise) => {
    const whole = world(replies);
    const expected = await whole.clock.until(whole.agent.run('the task', { budget: large, runId: 'run' }));
    const parts = world(replies);
    let outcome: Outcome = await parts.clock.until(parts.agent.run('the task', { budget: small, runId: 'run' }));
    for (let turn = 0; !outcome.ok && limits.has(outcome.stopReason) && outcome.snapshot !== undefined; turn++) {
      expect(turn).toBeLessThan(100);
      const snapshot: Snapshot = JSON.parse(JSON.stringify(outcome.snapshot));
      const run = stepwise && turn < 20 ? enough(parts, snapshot, {}) : parts.agent.resume(snapshot, { budget: large });
      outcome = await parts.clock.until(run.outcome);
    }
    expect(told(outcome)).toEqual(told(expected));
    expect(parts.ran).toEqual(whole.ran);
    expect(parts.model.requests.map(({ messages }) => messages)).toEqual(
      whole.model.requests.map(({ messages }) => messages),
    );
  },
);

/** By as little as lets it go on: the refusal names the field, and its hint the least. */
function enough({ agent }: World, snapshot: Snapshot, budget: Partial<Budget>): Run {
  try {
    return agent.resume(snapshot, { budget });
  } catch (thrown) {
    if (!(thrown instanceof AgentError) || thrown.code !== 'invalid_option') throw thrown;
    const field = /^budget\.(\w+) is/.exec(thrown.message)?.[1] ?? '';
    const least = Number(/\d+/.exec(thrown.hint ?? '')?.[0]);
    const before = Number(Reflect.get({ ...snapshot.context.limits, ...budget }, field));
    expect(least).toBeGreaterThan(before);
    return enough({ agent }, snapshot, { ...budget, [field]: least });
  }
}

/** Without what says when, and under which budget. */
function told(outcome: Outcome): unknown {
  const { ok, stopReason, steps, unknown, violations, usage } = outcome;
  const { overrun: _, ...used } = usage;
  return { ok, stopReason, steps, unknown, violations, used, answer: outcome.ok ? outcome.answer : null };
}
