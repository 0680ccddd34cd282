/** `replayTrace`: what is as it was is found to be so, and what was changed since is found and named. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { demos } from '../../src/cli/demos/demos.ts';
import { AgentError, type AgentOptions, createAgent, type Outcome, type TraceEvent, tool } from '../../src/index.ts';
import { type ReplayTraceOptions, replayTrace } from '../../src/record.ts';
import type { Run } from '../../src/run.ts';
import { type ScriptEntry, scriptedModel, type VirtualClock, virtualClock } from '../../src/testing.ts';
import { newFile } from './files.ts';

const anyInput = { type: 'object' } as const;
const act = (name: string, input: object) =>
  `Thought: I look.\nAction: ${name}\nAction Input: ${JSON.stringify(input)}`;
const answer = (text: string) => `Thought: I know.\nFinal Answer: ${text}`;
const calling = '<tool_call>{"name":"look","arguments":{}}</tool_call>';
const look = tool({ inputSchema: anyInput, readOnly: true, execute: () => ({ stock: 3 }) });
const save = tool({ inputSchema: anyInput, sideEffect: true, execute: () => 'saved' });

type Setup = Omit<AgentOptions, 'model' | 'clock' | 'onEvent'>;

type During = (run: Run, clock: VirtualClock) => Promise<void>;

/** A trace, with a hand on the run. */
async function traceOf(
  replies: readonly ScriptEntry[],
  setup: Setup,
  during: During = async () => {},
): Promise<{ readonly trace: TraceEvent[]; readonly outcome: Outcome }> {
  const clock = virtualClock();
  const trace: TraceEvent[] = [];
  const agent = createAgent({
    ...setup,
    model: scriptedModel(replies, { clock }),
    clock,
    onEvent: (event) => trace.push(event),
  });
  const run = agent.start('the task', { context: { clock } });
  await during(run, clock);
  return { outcome: await clock.until(run.outcome), trace };
}

const asked = async (run: Run, clock: VirtualClock) => {
  await clock.calm();
  run.approve('1.1', { by: 'ada', input: { to: 'Bob' } });
  await clock.calm();
};

const failing = (thrown: unknown) =>
  tool({ inputSchema: anyInput, readOnly: true, retries: 1, execute: () => Promise.reject(thrown) });

/** It gives its result after 40 seconds. */
const taking = (timeoutMs: number | undefined) =>
  tool({
    inputSchema: anyInput,
    readOnly: true,
    timeoutMs,
    execute: (_, { context }) => {
      if (typeof context !== 'object' || context === null || !('clock' in context)) throw new Error('no clock');
      const { clock } = context as { readonly clock: VirtualClock };
      return new Promise((resolve) => clock.setTimer(40_000, () => resolve('done')));
    },
  });

const agentAsTool = () =>
  createAgent({
    model: scriptedModel([act('look', { n: 1 }), act('look', { n: 2 }), answer('1')]),
    tools: { look },
  }).asTool({ description: 'Does it.', readOnly: true, share: 1 });

describe('agrees with itself', () => {
  it.each(demos)('demonstration $name', async ({ task, tools, model }) => {
    const clock = virtualClock();
    const trace: TraceEvent[] = [];
    const agent = createAgent({ model: model(clock), tools, clock, onEvent: (event) => trace.push(event) });
    await clock.until(agent.run(task));
    for (const options of [{}, { tools }]) {
      const replayed = await replayTrace(trace, options);
      expect(replayed).toMatchObject({ differences: [], agreed: replayed.compared, runs: [{ task, leftOut: null }] });
      expect(replayed.compared).toBeGreaterThan(4);
    }
  });

  const runs: readonly (readonly [name: string, replies: readonly ScriptEntry[], setup: Setup, during?: During])[] = [
    ['a person who edits', [act('save', { to: 'Ada' }), answer('1')], { tools: { save } }, asked],
    ['nobody who decides', [act('save', {}), answer('1')], { tools: { save } }],
    [
      'an abort',
      [{ hang: true }],
      {},
      async (run, clock) => {
        await clock.pass(500);
        run.abort('enough');
      },
    ],
    [
      'the end of its time',
      [act('hangs', {})],
      {
        tools: { hangs: tool({ inputSchema: anyInput, timeoutMs: 9_000, execute: () => new Promise(() => {}) }) },
        budget: { wallClockMs: 5_000 },
      },
    ],
    ['tries of a tool', [act('look', {}), answer('1')], { tools: { look: failing(new Error('The disk is full.')) } }],
    ['tries of the model', [{ failure: { failure: 'connection', message: 'no route' } }, answer('1')], {}],
    [
      'a tool with advice',
      [act('look', {}), answer('1')],
      { tools: { look: failing(Object.assign(new Error('no such file'), { code: 'ENOENT' })) } },
    ],
    ['a result that is refused', [act('look', {}), answer('1')], { tools: { look }, checkResult: () => 'too old' }],
    [
      'an input that is refused',
      [act('look', { n: 1 }), answer('1')],
      { tools: { look: { ...look, inputSchema: { type: 'object', required: ['name'] } } } },
    ],
    ['answers that are judged', [answer('1'), answer('2')], { checkAnswer: (text) => text === '2' || 'It is 2.' }],
    [
      'native calls',
      [{ calls: [{ tool: 'look', input: { n: 1 } }, { tool: 'nope' }] }, 'It is 3.'],
      { dialect: 'native', tools: { look } },
    ],
    ['Chinese', ['好的', answer('1')], { language: 'zh', tools: { look } }],
    ...(['en', 'zh'] as const).flatMap((language) =>
      [{ properties: { n: { type: 'number' } } }, {}].map(
        (form) =>
          [
            `an input that is refused (${language}), ${'properties' in form ? 'with' : 'without'} an example`,
            [act('look', { n: 'q' }), answer('1')],
            { language, tools: { look: { ...look, inputSchema: { type: 'object', ...form, required: ['n', 'm'] } } } },
          ] as const,
      ),
    ),
    ['a reply that is only thinking', ['<think>hm</think>', answer('1')], { tools: { look } }],
    [
      'thinking that is word for word what follows it',
      [`<think>${calling}</think>\n${calling}`, '<answer>1</answer>'],
      { dialect: 'tags', tools: { look } },
    ],
    [
      'a tool that is too late, and another that takes longer',
      [{ calls: [{ tool: 'late' }, { tool: 'slow' }] }, 'It is done.'],
      { dialect: 'native', tools: { late: taking(undefined), slow: taking(60_000) } },
    ],
    ...[{ maxSteps: 6 }, { maxToolCalls: 4 }, { maxTokens: 4_200 }].map(
      (budget) =>
        [
          `an agent as a tool, and ${Object.keys(budget)[0]} used up`,
          [act('ask', { task: 'do it' }), ...[3, 4, 5].map((n) => act('look', { n })), answer('2')],
          { tools: { look, ask: agentAsTool() }, budget },
        ] as const,
    ),
    ['secrets', [act('look', { note: 'hunter22' }), answer('hunter22')], { tools: { look }, redact: ['hunter22'] }],
    ['its budget of tokens', [act('look', {}), act('look', { n: 2 })], { tools: { look }, budget: { maxTokens: 900 } }],
  ];
  const named = runs.map(([name, replies, setup, during]) => ({ name, replies, setup, during }));
  it.each(named)('a run with $name', async ({ replies, setup, during }) => {
    const { trace } = await traceOf(replies, setup, during);
    const replayed = await replayTrace(trace);
    expect(replayed).toMatchObject({ differences: [], agreed: replayed.compared, runs: [{ leftOut: null }] });
  });

  it('a run that was suspended, and taken up by another process', async () => {
    const clock = virtualClock();
    const trace: TraceEvent[] = [];
    const agent = createAgent({
      model: scriptedModel([act('save', {}), answer('1')]),
      tools: { save },
      clock,
      onEvent: (event) => trace.push(event),
    });
    const suspended = await clock.until(agent.run('the task'));
    if (suspended.ok || suspended.snapshot === undefined) throw new Error('It was not suspended.');
    const run = agent.resume(suspended.snapshot);
    await clock.calm();
    run.approve('1.1');
    await clock.until(run.outcome);
    const replayed = await replayTrace(trace);
    expect(replayed).toMatchObject({ differences: [], agreed: replayed.compared, runs: [{ leftOut: null }] });
    expect(trace.some(({ type }) => type === 'approval.granted')).toBe(true);
  });

  it('what there is of a trace that breaks off, and says so', async () => {
    const { trace } = await traceOf([act('look', {}), answer('1')], { tools: { look } });
    const { differences, compared, runs } = await replayTrace(trace.slice(0, -3), { unfinished: true });
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(3);
    expect(runs).toMatchObject([{ leftOut: expect.stringContaining('ends before the run does') }]);
  });
});

/** Changes one event of a trace, and must find it. */
const changed = <Type extends TraceEvent['type']>(
  trace: readonly TraceEvent[],
  type: Type,
  change: (event: Extract<TraceEvent, { type: Type }>) => object,
): TraceEvent[] => {
  const is = (event: TraceEvent): event is Extract<TraceEvent, { type: Type }> => event.type === type;
  const at = trace.findIndex(is);
  return trace.map((event, index) => (index === at && is(event) ? Object.assign({}, event, change(event)) : event));
};

describe('finds and names', () => {
  const replies = [act('look', { name: 'nut' }), 'Just talk.', answer('3')];
  type Case = readonly [string, (trace: readonly TraceEvent[]) => readonly TraceEvent[], ReplayTraceOptions, object];
  const same = (trace: readonly TraceEvent[]) => trace;
  it.each<Case>([
    [
      'another observation',
      (trace) => changed(trace, 'call.settled', () => ({ observation: '{"stock":4}' })),
      {},
      {
        step: 1,
        event: 'call.settled',
        message: 'what the model is told of call 1.1 differs: recorded "{\\"stock\\":4}", now "{\\"stock\\":3}"',
      },
    ],
    [
      'another rule for text without labels',
      same,
      { plainText: 'answer' },
      { step: 2, event: 'reply.ended', message: 'what the reply is differs: recorded "a violation", now "an answer"' },
    ],
    [
      'another limit of steps',
      same,
      { budget: { maxSteps: 2 } },
      { step: 3, event: 'prompt.sent', message: 'recorded the prompt of step 3, now the end of the run' },
    ],
    [
      'another limit of violations',
      same,
      { budget: { maxViolations: 1 } },
      { step: 3, event: 'prompt.sent', message: 'recorded the prompt of step 3, now the end of the run' },
    ],
    [
      'a schema that refuses the input',
      same,
      { tools: { look: { ...look, inputSchema: { type: 'object', required: ['id'] } } } },
      {
        step: 1,
        event: 'calls.checked',
        message: 'what the gates say of call 1.1 differs: recorded "run", now "refuse"',
      },
    ],
    [
      'a tool that is marked otherwise',
      same,
      { tools: { look: { ...look, readOnly: false, sideEffect: true } } },
      { step: 1, message: 'what the gates say of call 1.1 differs: recorded "run", now "ask"' },
    ],
    [
      'a tool that is gone',
      same,
      { tools: { save } },
      { step: 1, message: 'what the gates say of call 1.1 differs: recorded "run", now "refuse"' },
    ],
    [
      'a check that refuses the answer',
      same,
      { checkAnswer: () => 'No.' },
      { step: null, event: 'run.ended', message: 'recorded the end of the run, now a rejected answer' },
    ],
    [
      'another reading',
      (trace) =>
        trace.map((event) =>
          event.type === 'reply.ended' && event.answer === '3' ? { ...event, answer: '4' } : event,
        ),
      {},
      { step: 3, event: 'reply.ended', message: 'the answer differs: recorded "4", now "3"' },
    ],
    [
      'an end that comes twice',
      (trace) => [...trace, ...trace.slice(-1).map((event) => ({ ...event, sequence: event.sequence + 1 }))],
      {},
      { event: 'run.ended', message: "recorded the end of the run, and today's run was over before it" },
    ],
    [
      'another word in a hint, in quotes',
      (trace) =>
        trace.map((event) =>
          event.type === 'reply.ended' && event.hint !== null
            ? { ...event, hint: event.hint.replaceAll('"Final Answer:"', '"Result:"') }
            : event,
        ),
      {},
      { step: 2, event: 'reply.ended', message: expect.stringContaining('what the model is told of the violation') },
    ],
    [
      'another end',
      (trace) => changed(trace, 'run.ended', () => ({ stopReason: 'max_steps' })),
      {},
      { event: 'run.ended', message: 'how the run ends differs: recorded "max_steps", now "final"' },
    ],
  ])('%s', async (_, change, options, first) => {
    const { trace } = await traceOf(replies, { tools: { look } });
    const { differences, agreed, compared } = await replayTrace(change(trace), options);
    expect(differences[0]).toMatchObject(first);
    expect(agreed).toBeLessThan(compared);
  });

  it('another violation of a reply of which only the thinking was kept', async () => {
    const { trace } = await traceOf(['<think>hm</think>', answer('1')], { tools: { look } });
    const other = changed(trace, 'reply.ended', () => ({ violation: 'unreadable_input' }));
    expect((await replayTrace(other)).differences).toMatchObject([
      { step: 1, message: 'the violation differs: recorded "unreadable_input", now "thought_only"' },
    ]);
  });

  it('nothing is run: neither the tool of today, nor what it checks its result with', async () => {
    const { trace } = await traceOf(replies, { tools: { look } });
    let runs = 0;
    const never = tool({ inputSchema: anyInput, readOnly: true, execute: () => ++runs });
    expect((await replayTrace(trace, { tools: { look: never } })).differences).toEqual([]);
    expect(runs).toBe(0);
  });
});

describe('what a trace lacks is a difference', () => {
  const replies = [act('look', {}), 'Just talk.', answer('3')];
  const whole = async () => (await traceOf(replies, { tools: { look } })).trace;

  it('each event between the first and the last, by its number', async () => {
    const trace = await whole();
    for (let at = 1; at < trace.length - 1; at++) {
      const { differences } = await replayTrace(trace.toSpliced(at, 1), { unfinished: true });
      expect(differences).toContainEqual(
        expect.objectContaining({
          sequence: at + 1,
          event: trace[at + 1]?.type,
          message: `event ${at} is missing before it`,
        }),
      );
    }
  });

  it('each end, unless a crash is expected', async () => {
    const trace = await whole();
    for (let length = 1; length < trace.length; length++) {
      const cut = trace.slice(0, length);
      const { differences } = await replayTrace(cut);
      expect(differences).toEqual([expect.objectContaining({ event: 'run.ended', sequence: null })]);
      expect(differences[0]?.message).toContain('ends before the run does');
      expect((await replayTrace(cut, { unfinished: true })).differences).toEqual([]);
    }
  });

  const told = async (trace: readonly TraceEvent[], options: ReplayTraceOptions = {}) =>
    (await replayTrace(trace, options)).differences.map(({ sequence, message }) => `${sequence}: ${message}`);

  it('several events, the end of a run before another, and lines in another order', async () => {
    const trace = await whole();
    expect(await told(trace.toSpliced(4, 3))).toContain('7: events 4 to 6 are missing before it');
    expect(await told([...trace.slice(0, -1), ...trace])).toEqual([
      expect.stringMatching(/^null: the trace ends before/),
    ]);
    const [first, second, third, ...rest] = trace;
    if (first === undefined || second === undefined || third === undefined) throw new Error('There is no run.');
    expect(await told([first, third, second, ...rest])).toContain(
      '1: it stands behind event 2: lines changed places, or several runs were mixed',
    );
  });

  it('of a file: a line that breaks off, also behind a whole run', async () => {
    const trace = await whole();
    const file = newFile();
    writeFileSync(file, `${trace.map((event) => JSON.stringify(event)).join('\n')}\n{"sequence":0,"type":"run.sta`);
    expect((await replayTrace(file)).differences).toMatchObject([
      { event: 'run.ended', message: expect.stringContaining('behind its end a line breaks off') },
    ]);
    expect((await replayTrace(pathToFileURL(file), { unfinished: true })).differences).toEqual([]);
  });

  it('what was suspended and taken up where it was not', async () => {
    const clock = virtualClock();
    const trace: TraceEvent[] = [];
    const onEvent = (event: TraceEvent) => trace.push(event);
    const agent = createAgent({
      model: scriptedModel([act('save', {}), answer('1')]),
      tools: { save },
      clock,
      onEvent,
    });
    const suspended = await clock.until(agent.run('the task'));
    if (suspended.ok || suspended.snapshot === undefined) throw new Error('It was not suspended.');
    const run = agent.resume(suspended.snapshot);
    await clock.calm();
    run.approve('1.1');
    await clock.until(run.outcome);
    const later = trace.map((event, index) =>
      index < trace.findIndex(({ type }) => type === 'run.resumed')
        ? event
        : { ...event, sequence: event.sequence + 2 },
    );
    expect(await told(later)).toContainEqual(expect.stringMatching(/^\d+: events \d+ to \d+ are missing before it$/));
  });
});

describe('options that cannot be used are refused', () => {
  it.each([
    [{ unfinishd: true }, /unfinishd is not an option of replayTrace/],
    [{ unfinished: 'yes' }, /unfinished is a string/],
    [null, /options is not an object/],
    [{ maxParallel: 'two' }, /maxParallel/],
  ])('%j', async (options, message) => {
    const { trace } = await traceOf([answer('1')], {});
    await expect(Reflect.apply(replayTrace, undefined, [trace, options])).rejects.toThrow(message);
  });
});

describe('what is no trace is refused, and says why', () => {
  it('a recording', async () => {
    const file = newFile();
    writeFileSync(file, '{"format":"fuseloop.recording/1","provider":"a"}\n');
    await expect(replayTrace(file)).rejects.toThrow('This is a recording, of what a model said');
  });

  it.each<readonly [string, (trace: readonly TraceEvent[]) => readonly unknown[], RegExp]>([
    ['nothing', () => [], /holds no events/],
    [
      'the middle of a run',
      (trace) => trace.slice(1),
      /Event 1 \(prompt\.sent\) is of a run whose beginning is not in the trace/,
    ],
    [
      'an event without what is read of it',
      (trace) => trace.map((event) => (event.type === 'reply.ended' ? { ...event, text: undefined } : event)),
      /Event \d+ of the trace cannot be replayed: text is missing/,
    ],
    [
      'a later format',
      (trace) => [{ ...trace[0], format: 'fuseloop.trace/2' }, ...trace.slice(1)],
      /Event 1 .*format is not fuseloop\.trace\/1/,
    ],
    [
      'a dialect that does not ship',
      (trace) => [{ ...trace[0], dialect: 'mine' }, ...trace.slice(1)],
      /in the dialect "mine", which does not ship/,
    ],
  ])('%s', async (_, change, told) => {
    const { trace } = await traceOf([answer('1')], {});
    const file = newFile();
    writeFileSync(
      file,
      change(trace)
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
    );
    const refused = replayTrace(file);
    await expect(refused).rejects.toThrow(AgentError);
    await expect(refused).rejects.toThrow(_ === 'nothing' ? /holds no trace/ : told);
  });
});
