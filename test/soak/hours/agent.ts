/** The agent of one process: its model says what the story of the run wants, its tools do it in a world that outlives them. */
import { type Agent, createAgent, type Model, type ModelEvent, type ToolRecord, tool } from '../../../src/index.ts';
import { labelled } from '../../../src/protocol/labelled.ts';
import type { Process } from './machine-room.ts';
import { ample, answerOf, type Deed, type Story } from './story.ts';

/** How often each effect was done, by its idempotency key. No crash erases it. */
export type World = Map<string, number>;

/** Stands before the number of the run in its task. */
export const taskWords = 'story ';

const hourMs = 3_600_000;
const longest = { replyMs: 10_000, toolMs: 60_000 } as const;

interface Given {
  readonly stories: ReadonlyMap<number, Story>;
  readonly world: World;
  /** A person's time for an answer. */
  readonly approvalMs: number;
}

export function agentOf(process: Process, { stories, world, approvalMs }: Given): Agent {
  return createAgent({
    model: modelOf(process, stories),
    tools: toolsOf(process, world),
    store: process.store,
    clock: process.clock,
    budget: ample,
    loopGuard: 'off',
    timeouts: { toolMs: 2 * hourMs, approvalMs },
    system: 'Be brief.',
  });
}

function modelOf(process: Process, stories: ReadonlyMap<number, Story>): Model {
  return {
    provider: 'simulated',
    name: 'story',
    generate: ({ messages, step, attempt }) => {
      const words = messages.find(({ role }) => role === 'user')?.content ?? '';
      const story = stories.get(Number(words.slice(words.indexOf(taskWords) + taskWords.length)));
      if (story === undefined) throw new Error(`No story has the task ${JSON.stringify(words)}.`);
      return reply(process, story, { step, attempt });
    },
  };
}

async function* reply(
  process: Process,
  story: Story,
  { step, attempt }: { readonly step: number; readonly attempt: number },
): AsyncGenerator<ModelEvent> {
  await process.sleep(1 + process.random(longest.replyMs));
  if (attempt <= (story.failures[step - 1] ?? 0)) {
    yield { type: 'failed', failure: 'rate_limited', message: 'Not now.', hint: 'Later.', retry: { afterMs: null } };
    return;
  }
  yield { type: 'text', text: textOf(story, story.deeds[step - 1], step) };
  yield { type: 'end', finish: 'stop', usage: { inputTokens: 100, outputTokens: 20 } };
}

function textOf({ id }: Story, deed: Deed | undefined, step: number): string {
  if (deed === 'nonsense') return 'Hm.';
  if (deed === undefined) return labelled.form.answer('I know.', answerOf(id));
  return labelled.form.call('I want it, 我要.', deed, { n: step });
}

function toolsOf(process: Process, world: World): ToolRecord {
  const { sleep, random, isDead } = process;
  const before = () => sleep(random(longest.toolMs / 2));
  /** The process may die before it, behind it, and before its result is told. */
  const effect = async (key: string) => {
    await before();
    world.set(key, 1 + (world.get(key) ?? 0));
    await before();
    return 'done';
  };
  const described = (description: Deed) => ({
    description,
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  });
  const doing = { execute: (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => effect(idempotencyKey) };
  return {
    read: tool({ ...described('read'), readOnly: true, execute: () => before().then(() => '18 °C') }),
    long: tool({ ...described('long'), readOnly: true, execute: () => sleep(hourMs / 4).then(() => 'at last') }),
    fail: tool({
      ...described('fail'),
      readOnly: true,
      async execute() {
        await before();
        throw new Error('the disk is full');
      },
    }),
    effect: tool({ ...described('effect'), ...doing }),
    keyed: tool({ ...described('keyed'), ...doing, idempotent: true }),
    ask: tool({ ...described('ask'), ...doing, sideEffect: true }),
    probed: tool({
      ...described('probed'),
      ...doing,
      async probe(_, { idempotencyKey }) {
        await before();
        if (isDead()) return null;
        return world.has(idempotencyKey) ? { happened: true, output: 'done' } : { happened: false };
      },
    }),
  };
}
