/** A run is left where it waits: `run.suspend()`, by whoever knows that nobody decides now. */
import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/core/snapshot.ts';
import type { Run } from '../../src/run.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, setup } from './setup.ts';

function sending() {
  const sent: unknown[] = [];
  const send = tool({
    inputSchema: anyInput,
    sideEffect: true,
    execute: (input) => {
      sent.push(input);
      return 'sent';
    },
  });
  return { sent, ...setup({ replies: [act('send', { to: 'a' }), answer('done')], tools: { send } }) };
}

const notAwaiting = expect.objectContaining({
  code: 'not_awaiting',
  message: expect.stringContaining('does not wait'),
});

async function suspended(made: ReturnType<typeof sending>, run: Run): Promise<Snapshot> {
  const outcome = await made.clock.until(run.outcome);
  if (outcome.ok || outcome.stopReason !== 'suspended' || outcome.snapshot === undefined)
    throw new Error(`it ended with ${outcome.stopReason}`);
  return JSON.parse(JSON.stringify(outcome.snapshot));
}

describe('suspend', () => {
  it('leaves what waits, and days later it is decided as if nothing had been', async () => {
    const made = sending();
    const run = made.start();
    await made.clock.calm();
    run.suspend();
    const snapshot = await suspended(made, run);
    expect(snapshot).toMatchObject({ state: { ACTION: 'awaitingApproval' }, context: { approvalUntilMs: null } });
    expect(made.clock.armed).toBe(0);
    await made.clock.pass(3 * 86_400_000);
    const again = made.agent.resume(snapshot);
    await made.clock.calm();
    again.approve('1.1');
    expect(await made.clock.until(again.outcome)).toMatchObject({ ok: true, answer: 'done' });
    expect(made.sent).toEqual([{ to: 'a' }]);
  });

  it.each<[string, (made: ReturnType<typeof sending>) => Promise<Run>]>([
    ['before a call waits', async ({ start }) => start()],
    [
      'when it is left already',
      async (made) => {
        const run = made.start();
        await made.clock.calm();
        run.suspend();
        await suspended(made, run);
        return run;
      },
    ],
    [
      'when it has ended',
      async ({ clock, start }) => {
        const run = start();
        run.abort('enough');
        await clock.until(run.outcome);
        return run;
      },
    ],
  ])('is refused %s', async (_when, reach) => {
    const run = await reach(sending());
    expect(() => run.suspend()).toThrow(notAwaiting);
    run.abort();
  });

  it('from an observer in the middle of an event, and twice, is the same', async () => {
    const made = sending();
    const run = made.start();
    for await (const event of run) {
      if (event.type !== 'approval.asked') continue;
      run.suspend();
      run.suspend();
    }
    expect(await suspended(made, run)).toMatchObject({ context: { approvalUntilMs: null } });
    expect(made.events.filter(({ type }) => type === 'run.ended')).toHaveLength(1);
  });

  it('behind a decision that came first, the decision stands', async () => {
    const made = sending();
    const run = made.start();
    await made.clock.calm();
    run.suspend();
    run.deny('1.1', 'no');
    expect(await made.clock.until(run.outcome)).toMatchObject({ ok: true });
    expect(made.sent).toEqual([]);
  });
});
