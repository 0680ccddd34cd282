import { describe, expect, it } from 'vitest';
import { dateDemoWith } from '../../src/cli/demos/date.ts';
import { type Demo, lastObservation } from '../../src/cli/demos/demo.ts';
import { demoModelFor, demoNamed, demos } from '../../src/cli/demos/demos.ts';
import { incidentDemo } from '../../src/cli/demos/incident.ts';
import { queryMetrics, readRepoFile, searchLogs } from '../../src/cli/demos/incident-tools.ts';
import type { Clock } from '../../src/core/clock.ts';
import { messageOf } from '../../src/core/message-of.ts';
import type { Message, Model, ModelEvent, ModelRequest } from '../../src/core/model.ts';
import type { AnyTool, ToolCallOptions } from '../../src/core/tool.ts';

const options: ToolCallOptions = {
  toolCallId: 'c1',
  idempotencyKey: 'run:c1',
  attempt: 1,
  abortSignal: new AbortController().signal,
  messages: [],
  context: undefined,
};

describe('the tools of the incident', () => {
  it('order-service fails from t-11m on', async () => {
    const input = { service: 'order-service', metric: '5xx_rate' };
    expect(await queryMetrics.execute(input, options)).toMatchObject({
      points: ['t-30m 0.10 %', 't-20m 0.10 %', 't-12m 0.11 %', 't-11m 0.90 %', 't-10m 4.20 %', 't-9m 12.0 %'],
    });
    expect(await queryMetrics.execute({ ...input, window: '10m' }, options)).toMatchObject({
      points: ['t-10m 4.20 %', 't-9m 12.0 %'],
    });
  });

  it('the gateway saw 192 connect errors and one deploy', async () => {
    expect(await searchLogs.execute({ service: 'gateway' }, options)).toMatchObject({
      matches: 192,
      lines: [/^t-11m 9×/, /^t-10m 51×/, /^t-9m 132×.*order-service/].map((line) => expect.stringMatching(line)),
      deployments: [expect.stringContaining('v2.14.0')],
    });
    expect(await searchLogs.execute({ service: 'gateway', since: '10m', limit: 1 }, options)).toMatchObject({
      matches: 183,
      lines: [expect.stringContaining('t-10m')],
      linesLeftOut: 1,
    });
  });

  it.each(['order-service', 'payment-service'])('%s shows the false trail and no deploy', async (service) => {
    expect(await searchLogs.execute({ service }, options)).toMatchObject({
      lines: [expect.stringContaining('connection pool exhausted')],
      deployments: [],
    });
  });

  it.each([
    ['v2.14.0', 10],
    ['v2.13.9', 50],
    ['v2.13.0', 50],
  ])('at %s the pool has %i connections', async (ref, connections) => {
    const text = await readRepoFile.execute({ path: 'order-service/config/pool.yaml', ref }, options);
    expect(text).toBe(`max_connections: ${connections}`);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['service', () => queryMetrics.execute({ service: 'x', metric: '5xx_rate' }, options), /Known: order-service, /],
    ['metric', () => queryMetrics.execute({ service: 'gateway', metric: 'cpu' }, options), /"cpu".*Known: 5xx_rate/],
    ['window', () => queryMetrics.execute({ service: 'gateway', metric: '5xx_rate', window: '1h' }, options), /30m/],
    ['logs', () => searchLogs.execute({ service: 'constructor' }, options), /Known: gateway, /],
    ['level', () => searchLogs.execute({ service: 'gateway', level: 'fatal' }, options), /Known: error, warn, info/],
    ['path', () => readRepoFile.execute({ path: 'pool.yaml', ref: 'v2.14.0' }, options), /Known: order-service\//],
    ['ref', () => readRepoFile.execute({ path: 'order-service/CHANGELOG.md', ref: 'main' }, options), /"main"/],
  ])('an unknown %s is answered with what is known', (_, call, message) => expect(call).toThrow(message));
});

describe('the scripts against their tools', () => {
  it('the incident: one reply without form, one tool error, nine steps, the cause', async () => {
    const { replies, observations, waitedMs } = await play(incidentDemo);
    expect(replies).toHaveLength(9);
    expect(observations.map((text) => /^\[\w+\]/.exec(text)?.[0] ?? 'ok')).toEqual([
      'ok',
      'ok',
      'ok',
      '[FormatError]',
      'ok',
      '[ToolError]',
      'ok',
      'ok',
    ]);
    expect(replies.at(-1)).toMatch(/Final Answer: .*v2\.14\.0.*from 50 to 10.*roll order-service back/s);
    expect(waitedMs).toBeGreaterThan(1_000);
    expect(waitedMs).toBeLessThan(8_000);
  });

  it('the calculator: the answer is the observation', async () => {
    const demo = calculatorFor('(23.5 × 6 + 12) ÷ 3');
    expect((await play(demo)).replies.at(-1)).toMatch(/Final Answer: .* = 51$/);
    expect((await play(demo, () => '777')).replies.at(-1)).toMatch(/ = 777$/);
    expect((await play(calculatorFor('1 / 0'))).replies.at(-1)).toMatch(/could not be calculated.*Division by zero/);
  });

  it.each([
    ['2026-11-30T12:00:00Z', '1 day'],
    ['2028-02-01T12:00:00Z', '29 days'],
    ['2026-12-05T12:00:00Z', '27 days'],
  ])('the date: at %s it is %s', async (iso, days) => {
    const { replies } = await play(dateDemoWith({ wallMs: () => Date.parse(iso) }));
    expect(replies).toHaveLength(4);
    expect(replies.at(-1)).toContain(`: ${days}.`);
  });
});

describe('the model for a task', () => {
  it.each([
    ...demos.map(({ name, task }): [string, string] => [` ${task.toUpperCase()}\n`, `${name}-demo`]),
    ['2 * (3 + 4)', 'calculator-demo'],
    ['sqrt(2)', 'calculator-demo'],
    ['Write a poem (a short one)', 'demos'],
    ['', 'demos'],
    ['42', 'demos'],
  ])('%s', (task, name) => expect(demoModelFor(task, waitless().clock).name).toBe(name));

  it('another task is refused, as often as it is asked, with the way to a real model', async () => {
    const model = demoModelFor('Write a poem.', waitless().clock);
    for (const step of [1, 2])
      expect(await eventsOf(model, requestOf([], step))).toEqual([
        {
          type: 'failed',
          failure: 'refused',
          message: expect.stringMatching(/scripted.*incident, calculator, date/),
          hint: expect.stringMatching(/OPENAI_API_KEY.*OPENAI_BASE_URL.*FUSELOOP_MODEL.*127\.0\.0\.1:11434/),
        },
      ]);
  });

  it('demos are found by name', () => {
    expect(demoNamed('incident')).toBe(incidentDemo);
    expect(demoNamed('constructor')).toBeUndefined();
  });
});

function calculatorFor(task: string): Demo {
  const demo = demoNamed('calculator');
  if (demo === undefined) throw new Error('There is no calculator demo.');
  return { ...demo, task, model: (clock) => demoModelFor(task, clock) };
}

type Observe = (tool: AnyTool, input: unknown) => unknown;

const runTool: Observe = ({ execute, ...tool }, input) => {
  if (execute === undefined) throw new Error('The tool cannot be run.');
  return Reflect.apply(execute, tool, [input, options]);
};

/** The barest loop: it reads the labels of the scripts, runs the call, and passes back what came of it. */
async function play(demo: Demo, observe: Observe = runTool) {
  const { clock, waited } = waitless();
  const model = demo.model(clock);
  const messages: Message[] = [{ role: 'user', content: demo.task }];
  const [replies, observations]: [string[], string[]] = [[], []];
  for (let step = 1; step <= 12 && !replies.at(-1)?.includes('Final Answer:'); step++) {
    const events = await eventsOf(model, requestOf(messages, step));
    const reply = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
    expect(events.length).toBeGreaterThan(5);
    replies.push(reply);
    if (reply.includes('Final Answer:')) break;
    const observation = await observationOf(demo, reply, observe);
    observations.push(observation);
    messages.push({ role: 'assistant', content: reply }, { role: 'user', content: `Observation: ${observation}` });
  }
  return { replies, observations, waitedMs: waited() };
}

async function observationOf(demo: Demo, reply: string, observe: Observe) {
  const [, name, input] = /^Action: (\w+)\nAction Input: (\{.*\})$/m.exec(reply) ?? [];
  if (name === undefined || input === undefined) return '[FormatError] The reply holds no step.';
  const tool = new Map(Object.entries(demo.tools)).get(name);
  if (tool === undefined) return `[ToolError] There is no tool ${name}.`;
  try {
    const output = await observe(tool, JSON.parse(input));
    return typeof output === 'string' ? output : JSON.stringify(output);
  } catch (thrown) {
    return `[ToolError] ${messageOf(thrown)}`;
  }
}

async function eventsOf(model: Model, request: ModelRequest): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.generate(request)) events.push(event);
  return events;
}

function requestOf(messages: readonly Message[], step: number): ModelRequest {
  const { signal } = new AbortController();
  return { messages: [...messages], stop: [], maxOutputTokens: 4_096, temperature: 0, step, attempt: 1, signal };
}

/** Fires at once and adds up what would have been waited. */
function waitless(): { readonly clock: Clock; waited(): number } {
  let waitedMs = 0;
  const setTimer = (delayMs: number, fire: () => void) => {
    waitedMs += delayMs;
    queueMicrotask(fire);
    return () => {};
  };
  return { clock: { monotonicMs: () => waitedMs, wallMs: () => waitedMs, setTimer }, waited: () => waitedMs };
}

it.each([
  ['Observation: 51', '51'],
  ['观察：51\n', '51'],
  ['51', '51'],
])('the last observation of %j', (content, text) => {
  expect(lastObservation(requestOf([{ role: 'user', content }], 1))).toBe(text);
});
