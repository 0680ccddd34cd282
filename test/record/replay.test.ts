/** `replay`: what is told of a request that was not recorded, and what each option does. */
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelFailed, ModelRequest } from '../../src/core/model.ts';
import { createAgent } from '../../src/index.ts';
import { type ReplayOptions, type RequestDifference, record, replay } from '../../src/record.ts';
import { scriptedModel, virtualClock } from '../../src/testing.ts';
import { newFile } from './files.ts';

const first: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'How many days are left this year? Say it in one word, and nothing else at all.' },
  ],
  tools: [{ name: 'clock', description: 'Knows the date.', inputSchema: { type: 'object' } }],
  stop: ['\nObservation:'],
  maxOutputTokens: 100,
  temperature: 0,
  step: 1,
  attempt: 1,
  signal: new AbortController().signal,
};
const call = { toolCallId: 'c1', tool: 'clock', input: { operation: 'today' } };
const second: ModelRequest = {
  ...first,
  messages: [
    ...first.messages,
    { role: 'assistant', content: 'I look.', calls: [call] },
    { role: 'tool', content: '2026-01-31', toolCallId: 'c1' },
  ],
  step: 2,
};

async function all(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const seen: ModelEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

async function said(events: AsyncIterable<ModelEvent>): Promise<string> {
  const [event] = await all(events);
  if (event?.type === 'text') return event.text;
  return event?.type === 'failed' ? `failed: ${event.message}` : 'nothing';
}

/** The first request, asked twice, then the second. */
async function recording(): Promise<string> {
  const file = newFile();
  const model = record(scriptedModel(['one', 'two', 'three']), file);
  for (const request of [first, first, second]) await all(model.generate(request));
  await model.close();
  return file;
}

const withMessage = (index: number, change: object): ModelRequest => ({
  ...second,
  messages: second.messages.map((message, at) => (at === index ? { ...message, ...change } : message)),
});

describe('a request that was not recorded is failed, and says where it differs from the nearest', () => {
  it.each<readonly [string, ModelRequest, string]>([
    [
      'a text in its middle',
      withMessage(1, { content: 'How many days are left this month? Say it in one word, and nothing else at all.' }),
      'The nearest is exchange 3 (step 2), and message 2 (user) differs at character 29: recorded …" days are left this year? Say it',
    ],
    [
      'a text that is longer',
      withMessage(0, { content: 'Be brief. Be kind.' }),
      'message 1 (system) differs at character 10: recorded nothing more (it ends behind "Be brief."), now "Be brief. Be kind."',
    ],
    [
      'a result',
      withMessage(3, { content: '2026-02-01' }),
      'message 4 (tool) differs at character 7: recorded "2026-01-31", now "2026-02-01"',
    ],
    [
      'a role',
      withMessage(2, { role: 'user', calls: undefined }),
      'message 3 (user) differs in its role: recorded assistant, now user',
    ],
    [
      'the input of a call',
      withMessage(2, { calls: [{ ...call, input: { operation: 'now' } }] }),
      'message 3 (assistant) differs in its calls: at character',
    ],
    [
      'whether a call succeeded',
      withMessage(3, { isError: true }),
      'message 4 (tool) differs in its isError: recorded nothing, now true',
    ],
    [
      'what an adapter wants back',
      withMessage(2, { providerData: { signed: 'x' } }),
      'message 3 (assistant) differs in its providerData: recorded nothing, now {"signed":"x"}',
    ],
    [
      'one message more',
      { ...second, messages: [...second.messages, { role: 'user', content: 'And?' }] },
      'the number of messages differs: recorded 4, now 5',
    ],
    [
      'one message less',
      { ...second, messages: second.messages.slice(0, 3) },
      'The nearest is exchange 3 (step 2), and the number of messages differs: recorded 4, now 3',
    ],
    ['no tools', { ...second, tools: [] }, 'the tool clock is missing'],
    [
      'another tool',
      { ...second, tools: [...(first.tools ?? []), { name: 'save', description: '', inputSchema: null }] },
      'the tool save is new',
    ],
    [
      'what a tool is told to be',
      { ...second, tools: [{ name: 'clock', description: 'Knows the time.', inputSchema: null }] },
      'the tool clock differs at character 11: recorded "Knows the date.", now "Knows the time."',
    ],
    [
      'the schema of a tool',
      { ...second, tools: [{ name: 'clock', description: 'Knows the date.', inputSchema: {} }] },
      'the tool clock differs recorded {"type":"object"}, now {}',
    ],
    ['a stop sequence', { ...second, stop: [] }, 'stop differs: recorded ["\\nObservation:"], now []'],
    ['a limit', { ...second, maxOutputTokens: 99 }, 'maxOutputTokens differs: recorded 100, now 99'],
    ['the temperature', { ...second, temperature: 0.5 }, 'temperature differs: recorded 0, now 0.5'],
    ['JSON', { ...second, json: true }, 'json differs: recorded nothing, now true'],
  ])('%s', async (_, request, difference) => {
    const file = await recording();
    const [failed, ...more] = await all(replay(file).generate(request));
    const told: Partial<ModelFailed> = { type: 'failed', failure: 'refused' };
    expect([failed, more]).toEqual([expect.objectContaining(told), []]);
    expect(failed).toMatchObject({
      message: expect.stringContaining(difference),
      hint: expect.stringContaining('record anew'),
    });
  });

  it('a run ends with model_error, and says it', async () => {
    const file = await recording();
    const outcome = await createAgent({ model: replay(file) }).run('Another task');
    expect(outcome).toMatchObject({
      stopReason: 'model_error',
      error: { message: expect.stringContaining('message 1 (system) differs at') },
    });
  });
});

describe('equal requests', () => {
  it.each<readonly [string, ReplayOptions, readonly string[]]>([
    ['one recorded reply after the other, and then a failure', {}, ['one', 'two', 'failed: The recording']],
    ['the last again', { whenUsedUp: 'last' }, ['one', 'two', 'two']],
  ])('get %s', async (_, options, expected) => {
    const model = replay(await recording(), options);
    const told = [];
    // Which step and which try it is makes no other request of it.
    for (const step of [1, 2, 3])
      told.push((await said(model.generate({ ...first, step, attempt: step }))).slice(0, 21));
    expect(told).toEqual(expected.map((text) => text.slice(0, 21)));
  });
});

describe('strict: false', () => {
  it('gives replies in the order of the steps, and reports what differs', async () => {
    const differences: RequestDifference[] = [];
    const model = replay(await recording(), {
      strict: false,
      onDifference: (difference) => differences.push(difference),
    });
    const changed = { ...first, temperature: 1 };
    expect(await said(model.generate({ ...second, temperature: 1 }))).toBe('three');
    expect(await said(model.generate(first))).toBe('one');
    expect(await said(model.generate(changed))).toBe('two');
    expect(await said(model.generate(first))).toMatch(/^failed: The recording .* holds no reply that is left/);
    expect(differences).toEqual([
      { step: 2, difference: 'temperature differs: recorded 0, now 1' },
      { step: 1, difference: 'temperature differs: recorded 0, now 1' },
      { step: 1, difference: 'no reply to this step is left in the recording' },
    ]);
  });
});

describe('pace', () => {
  it('gives each piece at its time, leaves on the signal, and leaves no timer', async () => {
    const clock = virtualClock();
    const file = newFile();
    const model = record(scriptedModel([{ chunks: ['a', 'b'], delayMs: 100, betweenMs: 50 }], { clock }), file, {
      clock,
    });
    await clock.until(all(model.generate(first)));
    await model.close();
    const startMs = clock.monotonicMs();
    const abort = new AbortController();
    const stream = replay(file, { pace: 'recorded', clock })
      .generate({ ...first, signal: abort.signal })
      [Symbol.asyncIterator]();
    expect(await clock.until(stream.next())).toMatchObject({ value: { text: 'a' } });
    expect(clock.monotonicMs() - startMs).toBe(100);
    const next = stream.next();
    abort.abort();
    expect(await next).toMatchObject({ value: { type: 'failed', failure: 'aborted' } });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(clock.armed).toBe(0);
  });

  it('at once, also what the server asked to wait for; as recorded, the loop waits', async () => {
    const busy = { failure: { failure: 'rate_limited', message: 'Too many.', retry: { afterMs: 2_500 } } } as const;
    const file = newFile();
    const clock = virtualClock();
    const model = record(scriptedModel([busy, 'Final Answer: 1'], { clock }), file, { clock });
    await clock.until(createAgent({ model, clock }).run('the task'));
    await model.close();
    for (const [pace, waitMs] of [
      ['at once', 0],
      ['recorded', 2_500],
    ] as const) {
      const startMs = clock.monotonicMs();
      const agent = createAgent({ model: replay(file, { pace, clock }), clock });
      expect(await clock.until(agent.run('the task'))).toMatchObject({ ok: true, answer: '1' });
      expect(clock.monotonicMs() - startMs).toBe(waitMs);
    }
  });
});

describe('what cannot be used is refused', () => {
  it.each<readonly [string, object | null, string]>([
    ['a pace of its own', { pace: 'slow' }, 'pace is "slow"'],
    ['another word', { whenUsedUp: 'again' }, 'whenUsedUp is "again"'],
    ['a misspelt option', { stict: false }, 'stict is not an option of replay'],
    ['a flag that is none', { strict: 'false' }, 'strict is a string'],
    ['a listener that is none', { onDifference: [] }, 'onDifference is a list'],
    ['secrets that are no list', { redact: { env: 'KEY' } }, 'redact is an object'],
    ['options that are none', null, 'options is not an object'],
  ])('%s', async (_, options, message) => {
    const file = await recording();
    expect(() => Reflect.apply(replay, undefined, [file, options])).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(message) }),
    );
  });

  it.each([[undefined], [''], [{}], [new URL('https://example.org/a.jsonl')]])('%s in place of a file', (file) => {
    expect(() => Reflect.apply(replay, undefined, [file])).toThrow('in place of a file');
  });
});
