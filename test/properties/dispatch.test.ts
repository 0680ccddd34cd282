/** Whatever tools, a person and fate do: one result a call, in time, nothing behind the end, and no effect twice. */
import { setImmediate } from 'node:timers/promises';
import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, expect } from 'vitest';
import type { StepCall } from '../../src/core/outcome.ts';
import { arbitraries } from '../../src/testing.ts';
import { mustKeepContract } from '../dispatch/contract-laws.ts';
import { type Drawn, type Execution, type Ledger, playDrawn, tools } from './dispatch-play.ts';

const { toolBehaviour } = arbitraries(fc);
const name = fc.constantFrom('look', 'put', 'poke', 'poke', 'send', 'send', 'tell', 'constructor', '__proto__', 'snd');
const call = fc.record({ tool: name, input: fc.record({ n: fc.nat(1) }) });
const often = <Value>(usual: Value, other: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const drawn = fc.record<Drawn>({
  replies: fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  behaviours: fc.array(toolBehaviour, { maxLength: 8 }),
  policy: often<Drawn['policy']>(
    null,
    fc.constantFrom<Drawn['policy'][]>('readOnly', 'dryRun', 'ask', 'all', { allow: ['send'] }),
  ),
  attended: fc.boolean(),
  decisions: fc.array(fc.constantFrom('approve', 'approve', 'deny', 'edit', 'never'), { maxLength: 6 }),
  abortAfterEvents: often<number | null>(null, fc.integer({ min: 1, max: 25 })),
  deaths: fc.array(
    fc.record({ afterEvents: fc.integer({ min: 1, max: 25 }), when: fc.constantFrom('at_once', 'later') }),
    { maxLength: 2 },
  ),
});

const unheard: unknown[] = [];
const hear = (reason: unknown) => unheard.push(reason);
/** What was really met: a property about what never happens says nothing. */
const met = new Set<string>();

beforeAll(() => {
  process.on('unhandledRejection', hear);
});
afterAll(async () => {
  await setImmediate(); // they are told of when the microtasks are done
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
  expect([...met]).toEqual(
    expect.arrayContaining([
      'succeeded',
      'failed',
      'unknown',
      'refused',
      'cancelled',
      'late',
      'resumed',
      'tried again',
    ]),
  );
});

test.prop([drawn], { numRuns: 300 })('each call has one result, and no effect happens twice', async (given) => {
  const ledger = await playDrawn(given);
  const { outcome, executions, processes, trace } = ledger;
  mustKeepContract({
    ...ledger,
    row: {
      what: 'drawn',
      tools: Object.fromEntries(Object.entries(tools).map(withDoes)),
      says: [],
      calls: [],
      started: '',
    },
    // A process that died told nobody anything.
    started: executions.filter(({ process }) => process === processes),
    effects: 0,
  });
  expect(outcome.stopReason).not.toBe('internal_error');
  expect(outcome.stopReason).not.toBe('suspended');
  mustNotBeDoneTwice(ledger);
  mustBeKnown(ledger);
  mustBeAllowed(ledger, given.policy);

  for (const { calls } of outcome.steps) for (const { status } of calls) met.add(status);
  if (processes > 1) met.add('resumed');
  if (trace.some(({ type, ignored }) => type === 'call.settled' && ignored === true)) met.add('late');
  if (trace.some(({ type }) => type === 'call.retried')) met.add('tried again');
});

function withDoes([tool, marks]: [string, object]): [string, { readonly does: () => void }] {
  return [tool, { ...marks, does: () => {} }];
}

const isEffect = ({ tool }: Pick<Execution, 'tool'>) => tool === 'poke' || tool === 'send' || tool === 'tell';

/** Again may be done what a person allowed, what failed by its own word, and of an unmarked tool what succeeded before. */
function mustNotBeDoneTwice({ outcome, executions, approved }: Ledger): void {
  const calls = outcome.steps.flatMap((step) => step.calls);
  const statusOf = (callId: string) => calls.find(({ toolCallId }) => toolCallId === callId)?.status;
  const stepOf = (callId: string) => callId.split('.')[0];
  const effects = executions.filter(isEffect);
  for (const [at, { tool, input, options }] of effects.entries()) {
    const callId = options.toolCallId;
    const before = effects.slice(0, at).filter((one) => one.tool === tool && one.input === input);
    expect(
      before.some((one) => one.options.toolCallId === callId),
      `${callId} of ${tool} was started twice`,
    ).toBe(false);
    if (approved.has(callId)) continue;
    for (const { options: earlier } of before) {
      const status = statusOf(earlier.toolCallId);
      const mayRepeat = status === 'failed' || (tool === 'poke' && status === 'succeeded');
      const isLater = stepOf(earlier.toolCallId) !== stepOf(callId);
      expect(mayRepeat && isLater, `${callId} did again what ${earlier.toolCallId} did (${status})`).toBe(true);
    }
  }
}

/** What these do is never a failure by the tool's own word in time. */
const neverFails: readonly Execution['does'][] = ['returns', 'floods', 'changes_input', 'hangs', 'stops_on_abort'];

/** Of each effect that was started, the caller knows what came of it, or that nobody knows. */
function mustBeKnown({ outcome, executions }: Ledger): void {
  const known: readonly StepCall['status'][] = ['succeeded', 'failed'];
  const calls = outcome.steps.flatMap((step) => step.calls);
  for (const { options, does } of executions.filter(isEffect)) {
    const call = calls.find(({ toolCallId }) => toolCallId === options.toolCallId);
    if (neverFails.includes(does)) expect(call?.status).not.toBe('failed');
    if (call !== undefined && known.includes(call.status)) continue;
    expect(outcome.unknown.map(({ toolCallId }) => toolCallId)).toContain(options.toolCallId);
  }
}

/** Beside reads, nothing runs that the policy, the tool's mark or a person did not allow, and no tool above its limit. */
function mustBeAllowed({ executions, approved }: Ledger, policy: Drawn['policy']): void {
  for (const { tool, options } of executions) {
    if (tool === 'look') continue;
    expect(['readOnly', 'dryRun']).not.toContain(policy);
    const asks = policy === null ? tool === 'send' : typeof policy === 'object' ? tool !== 'send' : policy === 'ask';
    if (asks) expect(approved, `${options.toolCallId} of ${tool}`).toContain(options.toolCallId);
  }
  const told = executions.filter(({ tool }) => tool === 'tell').map(({ options }) => options.toolCallId);
  expect(new Set(told).size).toBeLessThanOrEqual(tools.tell.maxCallsPerRun);
}
