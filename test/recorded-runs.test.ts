/**
 * Whole recorded runs through the whole library, over real HTTP: the server answers with the recorded replies in turn,
 * the tools return the recorded observations, and outcome, tools and inputs must be the recorded ones. The recordings are
 * not part of the project; where they are absent, this is skipped.
 *
 * What a recorded outcome asks of the loop, which has no environment that could end a run:
 * - `final`: the last reply is the answer, and the run ends with it. An answer that the environment sent back, and on which
 *   the recording goes on, is sent back here too. Where the last reply is a call (the environment saw that the task was
 *   done), as below.
 * - `ended by submit`, `ended by the environment`: the last reply is a call that ends the run over there. Here every reply
 *   is taken as a step, the last call is made, and the run ends at its budget, which is as many steps as were recorded.
 * - `halted`: the program stopped the run. Every reply is taken as a step, none as an accepted answer.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent } from '../src/agent.ts';
import type { Outcome, Step } from '../src/core/outcome.ts';
import { openai } from '../src/models/openai.ts';
import { tool } from '../src/tool.ts';
import { wrongLabels } from './corpus-labels.ts';
import { type OpenaiServer, startOpenaiServer } from './support/openai-server.ts';
import { areRecordingsHere, type LabelledReply, recordings, sameInput, trimmed } from './support/recordings.ts';

interface RecordedRun {
  readonly id: string;
  readonly dialect: string;
  readonly task: string | null;
  readonly tools: readonly string[];
  readonly turns: readonly { readonly reply: string; readonly observation: string | null }[];
  readonly outcome: string;
}

const runs = recordings<RecordedRun>('trajectories.jsonl');
const keyOf = (dialect: string, reply: string) => `${dialect} ${reply.trim()}`;
/** Without those that are contested, or that we hold wrong. */
const labels = new Map(
  recordings<LabelledReply>('outputs.jsonl')
    .filter(({ id, notes = '' }) => !notes.includes('contested') && !Object.hasOwn(wrongLabels, id))
    .map((row) => [keyOf(row.dialect, row.raw), row.expect]),
);

/** A run while it is replayed; the server knows it by the name of the model. */
interface Replay {
  readonly run: RecordedRun;
  served: number;
  /** The answers that were proposed, by step; a step whose answer was sent back does not hold it. */
  readonly proposed: Map<number, string>;
}

const replays = new Map<unknown, Replay>();

describe.skipIf(!areRecordingsHere)('recorded runs', () => {
  let server: OpenaiServer;
  let compared = 0;

  beforeAll(async () => {
    server = await startOpenaiServer(({ model }) => {
      const replay = replays.get(model);
      return { text: replay?.run.turns[replay.served++]?.reply ?? '' };
    });
  });

  afterAll(async () => {
    await server.close();
    console.log(`Recorded runs: ${runs.length}, turns compared with their labels: ${compared}.`);
  });

  it('are all there are', () => {
    expect(runs.length).toBeGreaterThanOrEqual(466);
  });

  it.concurrent.each(runs.map((run) => [run.id, run] as const))('%s', async (id, run) => {
    const replay: Replay = { run, served: 0, proposed: new Map() };
    replays.set(id, replay);
    const outcome = await play(replay, server.baseURL);

    const isReached = reaches(run, outcome);
    expect(isReached, `${outcome.ok ? 'an answer' : outcome.stopReason} in ${outcome.steps.length} steps`).toBe(true);
    for (const [index, { reply }] of run.turns.entries()) {
      const label = labels.get(keyOf(run.dialect, reply));
      if (label === undefined) continue;
      compared++;
      expectStep(outcome.steps[index], label, replay.proposed.get(index));
    }
  });
});

async function play(replay: Replay, baseURL: string): Promise<Outcome> {
  const { run, proposed } = replay;
  const model = openai({ model: run.id, baseURL, apiKey: 'none' });
  /** What the environment said to the reply that was served last. */
  const observed = () => run.turns[replay.served - 1]?.observation ?? '';
  const recorded = tool({ inputSchema: {}, readOnly: true, execute: observed });
  const most = 1_000_000;
  // The programs that made the recordings had no guard against loops, and none against replies without a step.
  const agent = createAgent({
    model,
    dialect: run.dialect === 'zh' ? 'labelled' : run.dialect,
    loopGuard: 'off',
    budget: {
      maxSteps: run.turns.length,
      maxTokens: most,
      maxToolCalls: most,
      maxViolations: most,
      maxToolErrors: most,
    },
    tools: Object.fromEntries(run.tools.map((name) => [name, recorded])),
    checkAnswer(answer) {
      proposed.set(replay.served - 1, answer);
      return replay.served < run.turns.length && observed() !== '' ? observed() : true;
    },
  });
  const outcome = await agent.run(run.task?.trim() || 'the task');
  await model.close();
  return outcome;
}

/** See the words at the head of this file. */
function reaches({ dialect, outcome: recorded, turns }: RecordedRun, outcome: Outcome): boolean {
  if (outcome.steps.length !== turns.length) return false;
  const last = turns.at(-1);
  const label = labels.get(keyOf(dialect, last?.reply ?? ''));
  const isAnswered = recorded === 'final' && (label?.kind ?? (last?.observation ? 'action' : 'final')) === 'final';
  if (isAnswered) return outcome.ok;
  return !outcome.ok && outcome.stopReason === 'max_steps';
}

function expectStep(step: Step | undefined, label: LabelledReply['expect'], proposed: string | undefined): void {
  if (label.kind === 'violation') return expect(step?.violation).not.toBeNull();
  if (label.kind === 'final') return expect(trimmed(proposed)).toBe(trimmed(label.answer));
  expect(step?.calls.map(({ tool: name }) => name)).toEqual([label.tool]);
  const input = step?.calls[0]?.input;
  expect(sameInput(label.input, input), `${JSON.stringify(label.input)} ≠ ${JSON.stringify(input)}`).toBe(true);
}
