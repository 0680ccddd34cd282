/** The file of a recording: what is in it, what is never in it, and what is made of one that is damaged. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Model, ModelEvent, ModelRequest } from '../../src/core/model.ts';
import { AgentError, createAgent, tool } from '../../src/index.ts';
import { record, replay } from '../../src/record.ts';
import { type ScriptEntry, scriptedModel, virtualClock } from '../../src/testing.ts';
import { exchangesIn, folder, linesIn, newFile } from './files.ts';

const request = (parts: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'What is it?' }],
  stop: ['\nObservation:'],
  maxOutputTokens: 100,
  temperature: 0,
  step: 1,
  attempt: 1,
  signal: new AbortController().signal,
  ...parts,
});

async function all(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const seen: ModelEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const model = (...replies: readonly ScriptEntry[]): Model => scriptedModel(replies);

/** A file with one exchange in which `text` was said. */
async function recorded(text: string): Promise<string> {
  const file = newFile();
  const recording = record(model(text), file);
  await all(recording.generate(request()));
  await recording.close();
  return file;
}

describe('what is written', () => {
  it('is one line for each exchange: the request, the events with their time, and how it ended', async () => {
    const file = newFile();
    const clock = virtualClock();
    const replies = [{ chunks: ['It ', 'is.'], delayMs: 10, betweenMs: 5 }];
    const recording = record(scriptedModel(replies, { clock }), file, { clock });
    await clock.until(all(recording.generate(request())));
    await recording.close();
    const { signal: _, ...asked } = request();
    expect(exchangesIn(file)).toEqual([
      {
        format: 'fuseloop.recording/1',
        provider: 'scripted',
        name: 'script',
        request: asked,
        events: [
          { ms: 10, event: { type: 'text', text: 'It ' } },
          { ms: 15, event: { type: 'text', text: 'is.' } },
          { ms: 20, event: { type: 'end', finish: 'stop', usage: null } },
        ],
        ended: 'end',
        why: '',
      },
    ]);
  });

  const yielding = (event: unknown): Model => ({
    provider: 'odd',
    name: 'odd',
    async *generate() {
      yield { type: 'text', text: 'It' };
      if (event instanceof Error) throw event;
      const any: ModelEvent = JSON.parse(JSON.stringify(event));
      yield any;
    },
  });

  it.each([
    ['a failure', model({ text: 'It', failure: { failure: 'connection', message: 'no route' } }), 'failed', ''],
    ['no end mark', { ...yielding({ type: 'text', text: '' }) }, 'broke_off', ''],
    ['what it threw', yielding(new Error('a bug')), 'threw', 'a bug'],
    ['no event', yielding({ type: 'nonsense' }), 'threw', 'yielded something that is not a model event'],
  ])('of an adapter that ends with %s', async (_, odd, ended, why) => {
    const file = newFile();
    const recording = record(odd, file);
    await all(recording.generate(request())).catch(() => []);
    await recording.close();
    expect(exchangesIn(file)).toMatchObject([{ ended, why }]);
  });

  it('of a reply that the loop left: why, and no more than came', async () => {
    const file = newFile();
    const recording = record(
      model(
        { chunks: ['Thought: x\nAction: look\nAction Input: {}', '\nObservation: ', 'made up', 'more'] },
        'Final Answer: 1',
      ),
      file,
    );
    const look = tool({ inputSchema: { type: 'object' }, readOnly: true, execute: () => 'seen' });
    await createAgent({ model: recording, tools: { look } }).run('the task');
    await recording.close();
    const [left] = exchangesIn(file);
    expect(left).toMatchObject({ ended: 'left', why: 'The reply is no longer wanted.' });
    expect(JSON.stringify(left.events)).not.toContain('more');
    const again = await createAgent({ model: replay(file), tools: { look } }).run('the task');
    expect(again).toMatchObject({ ok: true, answer: '1' });
  });

  it('and replayed, where a call of the provider did not succeed', async () => {
    const file = newFile();
    const recording = record(model({ calls: [{ tool: 'look', input: {} }] }, 'It is broken.'), file);
    const look = tool({
      inputSchema: { type: 'object' },
      readOnly: true,
      execute: () => Promise.reject(new Error('no')),
    });
    const setup = { dialect: 'native', tools: { look } } as const;
    await createAgent({ ...setup, model: recording }).run('the task');
    await recording.close();
    expect(exchangesIn(file)[1].request.messages.at(-1)).toMatchObject({ role: 'tool', isError: true });
    const again = await createAgent({ ...setup, model: replay(file) }).run('the task');
    expect(again).toMatchObject({ ok: true, answer: 'It is broken.' });
  });

  it('whole, of many runs at once', async () => {
    const file = newFile();
    const long = 'x'.repeat(100_000);
    const ask: Model = {
      provider: 'echo',
      name: 'echo',
      async *generate({ messages }) {
        yield { type: 'text', text: `Final Answer: ${messages.at(-1)?.content} ${long}` };
        yield { type: 'end', finish: 'stop', usage: null };
      },
    };
    const recordings = [record(ask, file), record(ask, file)];
    const sizes = { maxReplyTokens: 1_000_000 };
    const tasks = Array.from({ length: 40 }, (_, index) => `task ${index}`);
    await Promise.all(
      tasks.map((task, index) => createAgent({ model: recordings[index % 2] ?? ask, sizes }).run(task)),
    );
    for (const recording of recordings) await recording.close();
    const model = replay(file);
    const outcomes = await Promise.all(tasks.map((task) => createAgent({ model, sizes }).run(task)));
    expect(outcomes.map((outcome) => outcome.ok && outcome.answer.slice(0, -long.length - 1))).toEqual(tasks);
  });
});

describe('no secret is written', () => {
  const secret = 'correct-horse-battery-staple';
  const key = 'sk-proj-a1B2c3D4e5F6g7H8';

  it.each<readonly [string, Model, Partial<ModelRequest>]>([
    [
      'in a message',
      model('It is.'),
      { messages: [{ role: 'user', content: `It is ${secret}, Authorization: Bearer ${key}` }] },
    ],
    [
      'in a reply, cut in two',
      model({ chunks: [`It is ${secret.slice(0, 9)}`, `${secret.slice(9)}. x-api-key: `, key] }),
      {},
    ],
    ['in reasoning', model({ reasoning: `Authorization: Bearer ${key} ${secret}`, text: 'It is.' }), {}],
    [
      'in the input of a call',
      scriptedModel([{ calls: [{ tool: 'save', input: { note: secret, headers: { Authorization: key } } }] }], {
        chunkSize: 7,
      }),
      {},
    ],
    ['in the name of a call', model({ calls: [{ tool: secret, inputText: '{}' }] }), {}],
    [
      'in a failure',
      model({
        failure: {
          failure: 'refused',
          message: `https://ada:${key}@example.org said no to ${secret}`,
          hint: `cookie: ${key}`,
        },
      }),
      {},
    ],
    [
      'in what an adapter wants back, or a call of the conversation',
      model('It is.'),
      {
        messages: [
          {
            role: 'assistant',
            content: '',
            calls: [{ toolCallId: 'c1', tool: 'save', input: { note: secret, api_key: key } }],
            providerData: { note: secret },
          },
          { role: 'tool', content: secret, toolCallId: 'c1' },
        ],
      },
    ],
    [
      'in a tool',
      model('It is.'),
      { tools: [{ name: 'save', description: `Such as ${secret}.`, inputSchema: { default: `cookie: ${key}` } }] },
    ],
  ])('%s', async (_, planted, parts) => {
    const file = newFile();
    const recording = record(planted, file, { redact: [secret] });
    const told = await all(recording.generate(request(parts)));
    await recording.close();
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('[redacted]');
    for (const hidden of [secret, secret.slice(0, 9), key, key.slice(8)]) expect(text).not.toContain(hidden);
    // Whoever has the secret finds the exchange all the same.
    expect(JSON.stringify(told)).not.toContain('[redacted]');
    const [first] = await all(replay(file, { redact: [secret] }).generate(request(parts)));
    expect(first?.type === 'failed' && first.message.includes('not in the recording')).toBe(false);
  });
});

describe('calls of the provider in which a secret stands are replayed as many as they were', () => {
  const look = tool({ inputSchema: { type: 'object' }, readOnly: true, execute: () => 'seen' });
  const setup = { dialect: 'native', tools: { look } } as const;
  const piece = (index: number | null, id: string | null, toolName: string, input: string): ModelEvent => ({
    type: 'call',
    index,
    id,
    tool: toolName,
    input,
  });
  const one = '{"n":1,"api_key":"hunter2xyz"}';
  const two = '{"n":2}';
  it.each<readonly [string, readonly ModelEvent[]]>([
    ['without an index', [piece(null, 'a', 'look', one), piece(null, 'b', 'look', two)]],
    ['without an index or an id', [piece(null, null, 'look', one), piece(null, null, 'look', two)]],
    ['under one index', [piece(0, 'a', 'look', one), piece(0, 'b', 'look', two)]],
    [
      'in pieces',
      [piece(0, 'a', 'look', one.slice(0, 22)), piece(1, 'b', 'look', two), piece(0, null, '', one.slice(22))],
    ],
  ])('%s', async (_, pieces) => {
    const file = newFile();
    const replies = [pieces, [{ type: 'text', text: 'It is seen.' } as const]];
    const calling: Model = {
      provider: 'calling',
      name: 'calling',
      async *generate({ step }) {
        yield* replies[step - 1] ?? [];
        yield { type: 'end', finish: 'stop', usage: null };
      },
    };
    const recording = record(calling, file);
    await createAgent({ ...setup, model: recording }).run('the task');
    await recording.close();
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2xyz');
    const again = await createAgent({ ...setup, model: replay(file) }).run('the task');
    expect(again).toMatchObject({ ok: true, answer: 'It is seen.' });
    expect(again.steps[0]?.calls.map(({ input }) => input)).toEqual([{ n: 1, api_key: '[redacted]' }, { n: 2 }]);
  });
});

describe('what an adapter yields is recorded as the loop reads it', () => {
  const reused = { type: 'text', text: '' };
  it.each<readonly [string, () => Iterable<unknown>, string]>([
    [
      'members of its own',
      () => [
        { type: 'text', text: 'Final Answer: 42', id: 7 },
        { type: 'end', finish: 'stop', usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 1 }, raw: 1 },
      ],
      '42',
    ],
    [
      'no usage',
      () => [
        { type: 'text', text: 'Final Answer: 42' },
        { type: 'end', finish: 'stop' },
      ],
      '42',
    ],
    [
      'one object again and again',
      function* () {
        for (const text of ['Final', ' Answer: ', '42']) yield Object.assign(reused, { text });
        yield { type: 'end', finish: 'stop', usage: null };
      },
      '42',
    ],
  ])('%s', async (_, events, answer) => {
    const odd: Model = {
      provider: 'odd',
      name: 'odd',
      async *generate() {
        for (const event of events()) yield event as ModelEvent;
      },
    };
    const file = newFile();
    const recording = record(odd, file);
    expect(await createAgent({ model: recording }).run('the task')).toMatchObject({ ok: true, answer });
    await recording.close();
    expect(await createAgent({ model: replay(file) }).run('the task')).toMatchObject({ ok: true, answer });
  });
});

describe('a file that cannot be written never changes a run', () => {
  const inFolderThatGoes = () => {
    mkdirSync(join(folder, 'goes'), { recursive: true });
    return join(folder, 'goes', 'a.jsonl');
  };
  const foreign = () => {
    const path = newFile();
    writeFileSync(path, 'my notes');
    return path;
  };
  it.each([
    ['in a folder that has gone', inFolderThatGoes, /ENOENT/],
    ['that holds something else', foreign, /it holds something else/],
  ])('%s', async (_, path, told) => {
    const file = path();
    const errors: AgentError[] = [];
    const recording = record(model('Final Answer: 1', 'Final Answer: 2'), file, {
      onError: (error) => errors.push(error),
    });
    if (basename(dirname(file)) === 'goes') rmdirSync(dirname(file));
    const agent = createAgent({ model: recording });
    expect([await agent.run('one'), await agent.run('two')]).toMatchObject([{ answer: '1' }, { answer: '2' }]);
    await expect(recording.close()).rejects.toThrow(AgentError);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(told)]);
    expect(errors[0]?.hint).not.toBe('');
  });

  it('where nobody listens, the process is warned, once', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    const [file, heard] = [foreign(), foreign()];
    const agent = createAgent({ model: record(model('Final Answer: 1', 'Final Answer: 2'), file) });
    await agent.run('one');
    await agent.run('two');
    const other = record(model('Final Answer: 1'), heard, { onError: () => {} });
    await createAgent({ model: other }).run('one');
    await expect(other.close()).rejects.toThrow('it holds something else');
    await new Promise((turn) => setImmediate(turn));
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'FUSELOOP_RECORDING',
        message: expect.stringContaining(`${file} is not complete`),
      }),
    ]);
  });

  it('what holds something else is left as it is', async () => {
    const file = foreign();
    const recording = record(model('x'), file);
    await all(recording.generate(request()));
    await expect(recording.close()).rejects.toThrow('it holds something else');
    expect(readFileSync(file, 'utf8')).toBe('my notes');
  });
});

describe('what cannot be recorded is refused at once', () => {
  const http = new URL('http://127.0.0.1/a.jsonl');
  const good = model('x');
  it.each<readonly [string, readonly unknown[], RegExp, RegExp]>([
    ['no model', [{}, newFile()], /given an object, which is no model/, /a model and a file/],
    ['nothing', [undefined, newFile()], /given undefined, which is no model/, /a model and a file/],
    ['no file', [good, undefined], /given undefined in place of a file/, /a path.*or a URL/],
    ['an empty path', [good, ''], /given an empty text in place of a file/, /a path.*or a URL/],
    ['a URL of the network', [good, http], /given a URL of the kind http:/, /a path.*or a URL/],
    [
      'a folder that is not there',
      [good, join(folder, 'none', 'a.jsonl')],
      /The folder of .*a\.jsonl.* is not there/,
      /Make it/,
    ],
    ['a folder', [good, folder], /is a folder/, /Name a file in it/],
    [
      'a misspelt option',
      [good, newFile(), { redacts: [] }],
      /redacts is not an option of record/,
      /redact, onError, clock/,
    ],
    ['options that are none', [good, newFile(), null], /options is not an object/, /record takes an object/],
    ['a listener that is none', [good, newFile(), { onError: 'log' }], /onError is a string, for record/, /a function/],
    ['secrets that are no list', [good, newFile(), { redact: 'hunter22' }], /redact is a string/, /a list of texts/],
    [
      'a variable without its name',
      [good, newFile(), { redact: ['x'.repeat(9), { environment: 'KEY' }] }],
      /redact\[1\] is an object/,
      /env/,
    ],
    ['a clock that is none', [good, newFile(), { clock: {} }], /clock is an object/, /monotonicMs/],
  ])('%s', (_, given, message, hint) => {
    expect(() => Reflect.apply(record, undefined, given)).toThrow(
      expect.objectContaining<Partial<AgentError>>({
        code: 'invalid_option',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      }),
    );
  });
});

describe('close', () => {
  it('closes the model, also where the file is not complete, and leaves out what ends later', async () => {
    let closed = 0;
    const closing = { ...model({ chunks: ['a', 'b'] }, 'later'), close: async () => void closed++ };
    const file = newFile();
    const recording = record(closing, file);
    await all(recording.generate(request()));
    const late = recording.generate(request())[Symbol.asyncIterator]();
    await late.next();
    await recording.close();
    await late.next();
    expect(await late.next()).toMatchObject({ done: true });
    await recording.close();
    expect([exchangesIn(file).length, closed]).toEqual([1, 2]);
    writeFileSync(file, 'my notes');
    const failing = record({ ...closing, ...model('x') }, file, { onError: () => {} });
    await all(failing.generate(request()));
    await expect(failing.close()).rejects.toThrow('it holds something else');
    expect(closed).toBe(3);
  });

  it('and nothing that was not asked is recorded', async () => {
    const file = newFile();
    const recording = record(model('x'), file);
    await recording.generate(request())[Symbol.asyncIterator]().return?.();
    await recording.close();
    expect(existsSync(file)).toBe(false);
  });
});

describe('a recording as it is met', () => {
  it('by a URL', async () => {
    const file = pathToFileURL(newFile());
    const recording = record(model('It is.'), file);
    await all(recording.generate(request()));
    await recording.close();
    expect((await all(replay(file).generate(request())))[0]).toEqual({ type: 'text', text: 'It is.' });
  });

  it('without a first line that is torn', async () => {
    const file = newFile();
    writeFileSync(file, '{"for');
    const recording = record(model('It was.'), file);
    await all(recording.generate(request()));
    await recording.close();
    expect(exchangesIn(file)).toMatchObject([{ ended: 'end' }]);
  });

  it('without its torn last line, behind which the next is written', async () => {
    const file = await recorded('It is.');
    appendFileSync(file, linesIn(file)[0]?.slice(0, 50) ?? '');
    expect((await all(replay(file).generate(request())))[0]).toEqual({ type: 'text', text: 'It is.' });
    const recording = record(model('It was.'), file);
    await all(recording.generate(request()));
    await recording.close();
    expect(exchangesIn(file).map(({ events: [first] }) => first.event.text)).toEqual(['It is.', 'It was.']);
  });

  const broken = (change: (line: string) => string) => async () => {
    const file = await recorded('It is.');
    const [line = ''] = linesIn(file);
    writeFileSync(file, `${line}\n${change(line)}\n${line}\n`);
    return file;
  };
  const written = (text: string) => async () => {
    const file = newFile();
    writeFileSync(file, text);
    return file;
  };
  it.each([
    ['that is not there', async () => newFile(), /recording .* cannot be read: ENOENT/],
    ['that is empty', written(''), /holds no recording/],
    ['that is no JSON', written('my notes\n'), /line 1, is no JSON/],
    [
      'that is a trace',
      written('{"type":"run.started","sequence":0,"format":"fuseloop.trace/1"}\n'),
      /is a trace, of what whole runs did/,
    ],
    ['that is something else', written('{"type":"run.started"}\n'), /line 1, is no exchange/],
    ['with a broken line', broken((line) => line.slice(1)), /line 2, is no JSON/],
    [
      'of a later version',
      broken((line) => line.replace('/1', '/2')),
      /line 2, is of the format fuseloop.recording\/2, and this version/,
    ],
    [
      'with a damaged line',
      broken((line) => line.replace('"role":"user"', '"role":"nobody"')),
      /line 2, is damaged: request\.messages\[0\]\.role is "nobody"/,
    ],
    [
      'with an event that is none',
      broken((line) => line.replace('"type":"text"', '"type":"txt"')),
      /line 2, is damaged: events\[0\]\.event is no event of a model/,
    ],
  ])('one %s is refused by its line', async (_, file, told) => {
    const path = await file();
    expect(() => replay(path)).toThrow(AgentError);
    expect(() => replay(path)).toThrow(told);
  });
});
