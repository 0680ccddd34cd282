/** Whole runs through the real shell: random replies, tools, aborts and clocks. Whatever happens, every promise is kept. */
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { defaults } from '../../src/core/limits.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import type { ScriptEntry, ScriptedReply } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { isTooLate } from '../../src/verify/too-late.ts';
import { act, answer, anyInput, setup } from '../shell/setup.ts';
import { fold } from './fold.ts';

const toolName = fc.constantFrom('ok', 'ok', 'throws', 'hangs', 'slow', 'send', 'flood', 'unknown', 'constructor');
const text = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(toolName, fc.nat(3)).map(([name, n]) => act(name, { n })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(answer('42'), answer(''), 'Thought: only that.', 'Just talk.', '', 'Action: None'),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(toolName, fc.nat(2))
      .map(([name, n]) => `${act(name, { n })}\nObservation: made up\n${answer('made up')}`),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 60, unit: 'binary' }) },
);
const reply: fc.Arbitrary<ScriptEntry> = fc.oneof(
  { weight: 4, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.record<ScriptedReply>(
      {
        text,
        delayMs: fc.constantFrom(0, 10, 70_000),
        betweenMs: fc.constantFrom(0, 40_000),
        finish: fc.constantFrom('stop', 'stop', 'length', 'content_filter'),
        usage: fc.constantFrom(null, { inputTokens: 10, outputTokens: 10 }),
        failure: fc.constantFrom({ failure: 'connection', message: 'no route' }),
        hang: fc.constant(true),
      },
      { requiredKeys: ['text'] },
    ),
  },
);
const budget = fc.record({
  maxSteps: fc.nat(8),
  maxTokens: fc.constantFrom(0, 50, 400, 100_000),
  maxToolCalls: fc.nat(6),
  maxViolations: fc.nat(4),
  maxToolErrors: fc.nat(4),
  wallClockMs: fc.constantFrom(0, 5, 20_000, 1_000_000),
});
const outside = fc.record({
  abortAtMs: fc.option(fc.constantFrom(0, 5, 30_000), { freq: 3 }),
  decide: fc.constantFrom('approve', 'deny', 'nothing', 'nobody'),
  wallJumpMs: fc.constantFrom(0, -3_600_000, 3_600_000),
  chunkSize: fc.constantFrom(1, 7, 10_000),
});
type Outside = typeof outside extends fc.Arbitrary<infer Value> ? Value : never;

const tools = () => ({
  ok: tool({ inputSchema: anyInput, readOnly: true, execute: ({ n }) => `seen ${n}` }),
  throws: tool({ inputSchema: anyInput, execute: () => Promise.reject(new Error('no')) }),
  hangs: tool({ inputSchema: anyInput, execute: () => new Promise(() => {}) }),
  slow: tool({
    inputSchema: anyInput,
    readOnly: true,
    timeoutMs: 30_000,
    execute: (_input, { abortSignal }) => new Promise((_, reject) => abortSignal.addEventListener('abort', reject)),
  }),
  send: tool({ inputSchema: anyInput, sideEffect: true, execute: () => 'sent' }),
  flood: tool({ inputSchema: anyInput, execute: () => 'x'.repeat(100_000) }),
});

async function play(
  replies: readonly ScriptEntry[],
  limits: typeof budget extends fc.Arbitrary<infer B> ? B : never,
  { abortAtMs, decide, wallJumpMs, chunkSize }: Outside,
) {
  const long = replies.map((entry) =>
    typeof entry === 'string'
      ? { text: entry, chunks: entry.match(new RegExp(`[\\s\\S]{1,${chunkSize}}`, 'g')) ?? [] }
      : entry,
  );
  const { clock, agent, events, model } = setup({
    replies: long,
    tools: tools(),
    agent: { budget: limits, system: 'Be brief.' },
  });
  const run = decide === 'nobody' ? null : agent.start('the task');
  const outcome: Promise<Outcome> = run?.outcome ?? agent.run('the task');
  if (run !== null && abortAtMs !== null) clock.setTimer(abortAtMs, () => run.abort('enough'));
  clock.setTimer(1, () => clock.setWall(clock.wallMs() + wallJumpMs));
  const decideAll = () => {
    if (run === null || events.at(-1)?.type === 'run.ended') return;
    const waiting = run.snapshot().context.calls.filter(({ status }) => status === 'asking');
    // The clock may have been put on meanwhile.
    for (const { callId } of waiting) isTooLate(() => (decide === 'approve' ? run.approve(callId) : run.deny(callId)));
  };
  if (decide === 'approve' || decide === 'deny') watch(events, decideAll, clock.setTimer);
  return { outcome: await clock.until(outcome), events, clock, model };
}

/** Decides a moment after each time a person is asked. */
function watch(events: TraceEvent[], decide: () => void, setTimer: (ms: number, fire: () => void) => () => void) {
  const push = events.push.bind(events);
  events.push = (...added) => {
    if (added.some(({ type }) => type === 'approval.asked')) setTimer(5, decide);
    return push(...added);
  };
}

test.prop([fc.array(reply, { maxLength: 10 }), budget, outside], { numRuns: 400 })(
  'every run ends, honestly, within its budget',
  async (replies, limits, world) => {
    const { outcome, events, clock, model } = await play(replies, limits, world);

    expect(clock.armed).toBeLessThanOrEqual(2); // the test's own abort and clock change
    expect(events.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
    expect(events.at(-1)?.type).toBe('run.ended');
    await clock.pass(10_000_000);
    expect(events.at(-1)?.type).toBe('run.ended');

    expect(outcome.ok).toBe(outcome.stopReason === 'final');
    if (outcome.ok) expect(outcome.answer.trim()).not.toBe('');
    expect(JSON.parse(JSON.stringify(outcome)).stopReason).toBe(outcome.stopReason);

    const { usage } = outcome;
    expect(usage.steps).toBeLessThanOrEqual(limits.maxSteps);
    expect(model.requests.length).toBeLessThanOrEqual(limits.maxSteps * (defaults.modelRetries + 1));
    expect(usage.toolCalls).toBeLessThanOrEqual(limits.maxToolCalls);
    const counted = replies.some(
      (entry) => typeof entry === 'object' && entry !== null && 'usage' in entry && entry.usage !== null,
    );
    if (!counted) expect(usage).toMatchObject({ overrun: 0 });
    expect(usage.totalTokens - usage.overrun).toBeLessThanOrEqual(limits.maxTokens);
    expect(outcome.steps.length).toBeLessThanOrEqual(usage.steps);

    const { context } = fold(events);
    expect(context.stopReason ?? 'suspended').toBe(outcome.stopReason);
    expect(context.tokens).toEqual({
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      estimated: usage.estimated,
    });
  },
);

/** V: a violation. F: a step whose tool fails. S: one whose tool succeeds. */
const kinds = { V: 'Just talk.', F: act('throws'), S: act('ok') };

/** How the fuses should behave, said in the plainest way. */
function expectedEnd(
  steps: readonly (keyof typeof kinds)[],
  most: number,
): { readonly calls: number; readonly reason: string } {
  let [violations, failures] = [0, 0];
  for (const [index, step] of steps.entries()) {
    if (step === 'S') [violations, failures] = [0, 0];
    if (step === 'V') violations++;
    if (step === 'F') failures++;
    if (violations === most) return { calls: index + 1, reason: 'violations_exhausted' };
    if (failures === most) return { calls: index + 1, reason: 'tool_errors_exhausted' };
  }
  return { calls: steps.length + 1, reason: 'final' };
}

test.prop(
  [fc.array(fc.constantFrom<keyof typeof kinds>('V', 'F', 'S'), { maxLength: 15 }), fc.integer({ min: 1, max: 4 })],
  { numRuns: 300 },
)('a fuse blows on exactly the Nth fault in a row, and only a success resets it', async (steps, most) => {
  const replies = [...steps.map((step) => kinds[step]), answer('42')];
  const { run, model } = setup({
    replies,
    tools: tools(),
    agent: { loopGuard: 'off', budget: { maxSteps: 20, maxViolations: most, maxToolErrors: most } },
  });
  const { stopReason } = await run();
  expect({ calls: model.requests.length, reason: stopReason }).toEqual(expectedEnd(steps, most));
});

test.prop([fc.array(reply, { maxLength: 8 }), fc.nat(30)], { numRuns: 150 })(
  'the journal folded to any point is the live state at that point',
  async (replies, at) => {
    const { agent, clock, events } = setup({ replies, tools: tools() });
    const run = agent.start('the task');
    let turns = 0;
    let checked = false;
    const look = () => {
      if (turns++ < at) return void clock.setTimer(1_000, look);
      if (events.at(-1)?.type === 'run.ended') return;
      const snapshot = run.snapshot();
      expect(fold(events).context).toEqual(snapshot.context);
      checked = true;
    };
    clock.setTimer(0, look);
    await clock.until(run.outcome);
    fc.pre(checked || events.length > 0);
  },
);
