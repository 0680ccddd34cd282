/** `expectEnds`, as a user's test would call it. */
import { describe, expect, it } from 'vitest';
import { createAgent, tool } from '../../src/index.ts';
import { createReactMachine } from '../../src/machine.ts';
import { dialectNames } from '../../src/protocol/read.ts';
import { tags } from '../../src/protocol/tags.ts';
import { expectEnds, scriptedModel } from '../../src/testing.ts';

const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 5 } },
  required: ['city'],
} as const;
const seen: unknown[] = [];
const tools = {
  weather: tool({ inputSchema, readOnly: true, execute: (input) => seen.push(input) && 'sunny' }),
  book: tool({ inputSchema, sideEffect: true, execute: () => 'booked' }),
};

describe('expectEnds', () => {
  it('holds for an agent of ours, and really calls its tools with inputs that fit', async () => {
    await expectEnds(({ model, clock }) => createAgent({ model, clock, tools }), { seed: 1, runs: 200, tools });
    expect(seen.length).toBeGreaterThan(50);
  });

  const own = tags({ thought: ['plan'], call: ['do'], answer: ['done'] });
  const dialects = [...dialectNames.map((name) => [name, name] as const), ['of own tags', own] as const];

  it.each(dialects)('holds in the dialect %s, and hears its calls and its answers', async (_name, dialect) => {
    const answers: string[] = [];
    const before = seen.length;
    const make: Parameters<typeof expectEnds>[0] = ({ model, clock }) =>
      createAgent({ model, clock, tools, dialect, checkAnswer: (answer) => answers.push(answer) > 0 || 'no' });
    await expectEnds(make, { seed: 2, runs: 60, tools, dialect });
    expect(seen.length - before).toBeGreaterThan(10);
    expect(answers.length).toBeGreaterThan(10);
  });

  it('holds for a tool whose effect nobody ever hears of', async () => {
    const silent = {
      send: tool({ inputSchema, sideEffect: true, needsApproval: false, execute: () => new Promise(() => {}) }),
    };
    await expectEnds(({ model, clock }) => createAgent({ model, clock, tools: silent }), {
      seed: 4,
      runs: 100,
      tools: silent,
    });
  });

  it('says what broke, with the smallest script, and how to see it again', async () => {
    const machine = createReactMachine().provide({ guards: { stepsSpent: () => false } });
    const make: Parameters<typeof expectEnds>[0] = ({ model, clock }) =>
      createAgent({ model, clock, tools, machine, checkLaws: false, budget: { maxSteps: 2 } });
    const message = await expectEnds(make, { seed: 3, tools }).then(String, (thrown: Error) => thrown.message);
    expect(message).toMatch(/^The agent broke a promise\.\n/);
    expect(message).toContain('it stays within its budget');
    expect(message).toContain('"replies": [');
    const path = /path: '([\d:]+)'/.exec(message)?.[1] ?? '';
    await expect(expectEnds(make, { seed: 3, path, tools })).rejects.toThrow(message);
  });

  it('takes an agent as it is, for one run in real time', async () => {
    await expectEnds(createAgent({ model: scriptedModel(['Final Answer: 42']) }));
    const broken = createReactMachine().provide({ guards: { answered: () => false } });
    const agent = createAgent({ model: scriptedModel(['Final Answer: 42']), machine: broken, checkLaws: true });
    await expect(expectEnds(agent)).rejects.toThrow(/the loop has a defect: .*an answer ends the run/);
  });
});
