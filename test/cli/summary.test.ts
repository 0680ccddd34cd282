import { describe, expect, it } from 'vitest';
import { styleFor } from '../../src/cli/style.ts';
import { summary } from '../../src/cli/summary.ts';
import { AgentError } from '../../src/core/errors.ts';
import type { Answered, Outcome, StepCall, Unanswered } from '../../src/core/outcome.ts';
import { type StopReason, stopReasons } from '../../src/core/stop-reasons.ts';

const usage = {
  inputTokens: 1_200,
  outputTokens: 34,
  estimated: true,
  totalTokens: 1_234,
  overrun: 0,
  steps: 2,
  toolCalls: 3,
};
const common = { runId: 'run-1', steps: [], usage, violations: 0, unknown: [], startedAtMs: 1_000, endedAtMs: 3_340 };
const answered: Answered = { ok: true, stopReason: 'final', answer: 'It is 42.', notes: [], ...common };
const unanswered: Unanswered = { ok: false, stopReason: 'aborted', partial: 'Half a thought', ...common };

function table(outcome: Outcome, answerShown: string | null = null): string {
  const limits = { maxSteps: 12, maxTokens: 300_000 };
  return summary(outcome, { style: styleFor(false), limits, answerShown, trace: undefined, next: null });
}

const call: StepCall = {
  toolCallId: '1.1',
  tool: 'read',
  input: {},
  repaired: false,
  status: 'succeeded',
  empty: false,
  output: null,
  observation: '',
  startedAtMs: 0,
  endedAtMs: 1,
};
const stepOf = (calls: readonly StepCall[]) => ({
  ...{ number: 1, thought: null, calls, answer: null, violation: null },
  ...{ tokens: usage, startedAtMs: 0, endedAtMs: 1 },
});

describe('the closing table', () => {
  it('of an answer', () => {
    expect(table(answered, ' It is 42.\n')).toBe(`
Result      answered
Steps       2 of 12
Tool calls  0
Violations  0
Tokens      1,234 of 300,000 (1,200 read, 34 written; estimated)
Time        2.3 s
Run         run-1
`);
  });

  it('shows an answer that was not shown as it streamed', () => {
    expect(table(answered)).toMatch(/─\nAnswer: It is 42\.\n─+\n\nResult/);
    expect(table(answered, 'It is 41.')).toContain('Answer: It is 42.');
  });

  it('shows what the checks noted', () => {
    const notes = ['In no observation: 12', 'odd\u001b[31m'];
    const shown = table({ ...answered, notes });
    expect(shown).toMatch(/^Result {6}answered\nNote {8}In no observation: 12\nNote {8}odd/m);
    expect(shown).not.toContain('\u001b');
  });

  it('never calls a part an answer', () => {
    expect(table(unanswered)).toMatch(/─\nNot answered\. The last that the model wrote: Half a thought\n─/);
    expect(table(unanswered)).not.toMatch(/^Answer/m);
    expect(table({ ...unanswered, partial: null })).toMatch(/^\nResult {6}not answered: aborted$/m);
  });

  it.each(stopReasons.filter((reason): reason is Exclude<StopReason, 'final'> => reason !== 'final'))(
    'says in words what %s is',
    (stopReason) => {
      const result = /^Result {6}not answered: (.*)$/m.exec(table({ ...unanswered, stopReason }))?.[1];
      expect(result).toMatch(stopReason === 'aborted' ? /^aborted$/ : new RegExp(`^[a-z ]{10,} \\(${stopReason}\\)$`));
    },
  );

  it('says of empty results that they were empty, and what to do', () => {
    const told = table({ ...unanswered, stopReason: 'no_progress' });
    expect(told).toContain('Result      not answered: too many results in a row were empty (no_progress)\n');
    expect(told).toMatch(/^Next {8}.*maxEmptyResults/m);
  });

  it('tells the error, the tools, what is unknown, and what exceeds the budget', () => {
    const outcome: Unanswered = {
      ...unanswered,
      stopReason: 'model_error',
      error: new AgentError('model_failed', 'It answered 401.', { hint: 'Check the key.' }),
      steps: [stepOf([call, { ...call, status: 'failed' }, { ...call, tool: 'wipe', status: 'unknown' }])],
      unknown: [{ toolCallId: '1.3', tool: 'wipe', input: { all: true } }],
      usage: { ...usage, estimated: false, overrun: 34 },
    };
    expect(table(outcome)).toMatch(/^Reason {6}It answered 401\.\nNext {8}Check the key\.$/m);
    expect(table(outcome)).toMatch(/^Tool calls {2}3: read 2 \(1 failed\), wipe 1 \(1 unknown\)$/m);
    expect(table(outcome)).toMatch(/^Unknown {5}wipe \{"all":true\} was started; nobody knows/m);
    expect(table(outcome)).toMatch(/counted by the provider; 34 above the budget\)$/m);
  });
});
