/** `record` and `replay` through whole runs: what is written, what is told, and what nobody may ever read. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { demos } from '../../src/cli/demos/demos.ts';
import type { Model } from '../../src/core/model.ts';
import { type AgentOptions, createAgent, type Outcome, type TraceEvent } from '../../src/index.ts';
import { record, replay } from '../../src/record.ts';
import { scriptedModel, toolOf, type VirtualClock, virtualClock } from '../../src/testing.ts';
import { type RunScript, runScripts } from '../../src/verify/fuzz-runs.ts';
import { exchangesIn, newFile } from './files.ts';

interface Told {
  readonly outcome: Outcome;
  readonly trace: readonly TraceEvent[];
}

type ModelOf = (clock: VirtualClock) => Model;
type Setup = (clock: VirtualClock) => Omit<AgentOptions, 'model' | 'clock' | 'onEvent'>;

async function play(task: string, modelOf: ModelOf, setup: Setup): Promise<Told> {
  const clock = virtualClock();
  const trace: TraceEvent[] = [];
  const onEvent = (event: TraceEvent) => trace.push(event);
  const agent = createAgent({ ...setup(clock), model: modelOf(clock), clock, onEvent });
  return { outcome: await clock.until(agent.run(task, { runId: 'run-1' })), trace };
}

/** A run, and the file in which its model was recorded. */
async function recorded(task: string, modelOf: ModelOf, setup: Setup): Promise<Told & { readonly file: string }> {
  const file = newFile();
  const recordings: { close(): Promise<void> }[] = [];
  const told = await play(
    task,
    (clock) => {
      const model = record(modelOf(clock), file, { clock });
      recordings.push(model);
      return model;
    },
    setup,
  );
  for (const recording of recordings) await recording.close();
  return { ...told, file };
}

/** A stack names the line from which a tool was called. */
const plain = (told: Told) => JSON.parse(JSON.stringify(told, (key, value) => (key === 'stack' ? null : value)));
const toldOf = ({ outcome, trace }: Told) => plain({ outcome, trace });

describe('what was recorded replays to an equal outcome and an equal trace', () => {
  it.each(demos)('demonstration $name', async ({ task, tools, model }) => {
    const first = await recorded(task, model, () => ({ tools, policy: 'all' }));
    const second = await play(
      task,
      (clock) => replay(first.file, { pace: 'recorded', clock }),
      () => ({ tools, policy: 'all' }),
    );
    expect(toldOf(second)).toEqual(toldOf(first));
    const atOnce = await play(
      task,
      () => replay(first.file),
      () => ({ tools, policy: 'all' }),
    );
    expect(atOnce.outcome).toMatchObject({ ok: true, answer: first.outcome.ok && first.outcome.answer });
    expect(exchangesIn(first.file)).toHaveLength(first.outcome.usage.steps);
  });

  const setupOf = ({ dialect, budget, order, send }: RunScript): Setup => {
    return (clock) => ({
      tools: {
        look: toolOf({ does: 'returns', afterMs: 1, value: 1 }, clock, { readOnly: true }),
        fetch_order: toolOf(order, clock),
        send: toolOf(send, clock),
      },
      dialect,
      budget,
    });
  };

  test.prop([runScripts(fc)], { numRuns: 150 })('any scripted run', async (script) => {
    const setup = setupOf(script);
    const first = await recorded('the task', (clock) => scriptedModel(script.replies, { clock }), setup);
    fc.pre(first.trace.some(({ type }) => type === 'prompt.sent'));
    const second = await play('the task', (clock) => replay(first.file, { pace: 'recorded', clock }), setup);
    expect(toldOf(second)).toEqual(toldOf(first));
  });
});
