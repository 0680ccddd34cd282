/** The runner itself: what it refuses, how it counts, what it prints. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCases } from './format.ts';
import { readLater } from './later.ts';
import { act, answer, aTool, lineOf, type Plant } from './planted.ts';
import { lookAt, report } from './report.ts';
import { root } from './root.ts';

const problems = async (line: string) => {
  const [entry] = readCases(line);
  return entry === undefined ? 'no entry' : (await lookAt(entry)).join('; ');
};

const unknown: readonly (readonly [string, string, string])[] = [
  ['a field at the top', lineOf({}, { extra: 1 }), 'the case has an unknown field extra'],
  ['a field in given', lineOf({ given: { extra: 1 } }), 'given has an unknown field extra'],
  ['a field in expect', lineOf({ expect: { extra: 1 } }), 'expect has an unknown field extra'],
  [
    'a field of a tool',
    lineOf({ given: { tools: [aTool({ extra: 1 })] } }),
    'given.tools.0 has an unknown field extra',
  ],
  ['a field of a reply', lineOf({ given: { replies: [{ chunks: ['a'], extra: 1 }] } }), 'an unknown field extra'],
  ['a field of an event', lineOf({ given: { events: [{ at: 'end', do: 'abort', extra: 1 }] } }), 'unknown field extra'],
  ['a budget', lineOf({ given: { budget: { maxLuck: 1 } } }), 'given.budget has an unknown field maxLuck'],
  ['a field of an ending', lineOf({ expect: { orOutcome: { extra: 1 } } }), 'expect.orOutcome has an unknown field'],
  ['a part of the result', lineOf({ expect: { result: { extra: 1 } } }), 'expect.result has an unknown field extra'],
  ['a part of the usage', lineOf({ expect: { usage: { extra: 1 } } }), 'expect.usage has an unknown field extra'],
  ['a check of a request', lineOf({ expect: { requests: { 1: { extra: 1 } } } }), 'an unknown field extra'],
  ['a behaviour', lineOf({ given: { tools: [aTool({ behaviour: 'sings' })] } }), 'the tool behaviour sings is unknown'],
  ['an approval', lineOf({ given: { tools: [aTool({ approval: 'maybe' })] } }), 'the unknown approval maybe'],
  ['a setting', lineOf({ given: { settings: { fast: true } } }), 'the setting fast is unknown'],
  ['a moment', lineOf({ given: { events: [{ at: 'noon', do: 'abort' }] } }), 'the event at "noon" is unknown'],
  ['a deed', lineOf({ given: { events: [{ at: 'end', do: 'sing' }] } }), 'the event does "sing", which is unknown'],
  ['a code', lineOf({ mustNot: [{ code: 'be_slow' }] }), 'the code be_slow is unknown'],
  ['a kind of setup', lineOf({ given: { setup: { kind: 'paint' } } }), 'a setup of the kind paint is unknown'],
  ['a finish', lineOf({ given: { replies: [{ content: 'a', finish: 'tired' }] } }), 'the finish tired is unknown'],
];

describe('what nobody knows fails the case and is named', () => {
  test.each(unknown)('%s', async (_what, line, words) => {
    expect(await problems(line)).toContain(words);
  });
});

const broken: readonly (readonly [string, Plant, string])[] = [
  [
    'a model call past the script',
    { given: { replies: [act('t')] } },
    'a model call more than the script has replies (1)',
  ],
  ['an event that never comes', { given: { events: [{ at: 'suspended', do: 'approve' }] } }, 'never came'],
  ['an event that cannot be done', { given: { events: [{ at: 'end', do: 'restore' }] } }, 'there is no snapshot'],
  ['a missing part', { given: { budget: { cost: 1 } } }, 'needs a part that does not exist: cost budgets'],
  ['another outcome', { expect: { outcome: 'error' } }, 'expected the outcome error, saw final'],
  ['another stop reason', { expect: { stopReasonAnyOf: ['timeout'] } }, 'expected the stop reason timeout, saw final'],
  ['another answer', { expect: { answer: 'this' } }, 'expected the answer "this", saw "done"'],
  ['a part of an answer', { expect: { answer: { contains: ['do', 'it'] } } }, 'expected the answer'],
  ['other calls', { expect: { toolCalls: [] } }, 'expected the tool calls [], saw "t({})"'],
  ['none of the lists', { expect: { toolCallsAnyOf: [[], [{ name: 'u' }]] } }, 'expected one of the lists'],
  ['another number of calls', { expect: { toolCallCountAnyOf: [0, 2] } }, 'expected 0 or 2 tool calls, saw 1'],
  ['a call too often', { expect: { toolCalls: [{ name: 't', times: 2 }] } }, 'expected the tool calls'],
  ['model calls', { expect: { modelCalls: 3 } }, 'expected 3 model calls, saw 2'],
  ['model calls of some numbers', { expect: { modelCallsAnyOf: [1, 3] } }, 'expected 1 or 3 model calls, saw 2'],
  ['HTTP requests', { expect: { httpRequests: 1 } }, 'expected 1 HTTP requests, saw 2'],
  ['an observation', { expect: { 'observations contain': ['w'] } }, 'expected an observation with "w", saw "v"'],
  ['a request', { expect: { requests: { each: { lacks: 'Do the task.' } } } }, 'says "Do the task."'],
  ['a request that never came', { expect: { requests: { 5: { contains: 'a' } } } }, 'expected a request 5'],
  ['usage', { expect: { usage: { toolCalls: 4 } } }, 'expected usage.toolCalls 4, saw 1'],
  ['events', { expect: { events: { end: 2 } } }, 'expected 2 events end, saw 1'],
  ['the trace', { expect: { trace: { contains: ['xyz'] } } }, 'the trace lacks "xyz"'],
  ['a result', { expect: { result: { stepsAttached: 9 } } }, 'expected stepsAttached 9, saw 2'],
  ['a pause that never was', { expect: { phase1: { stopReason: 'suspended' } } }, 'phase1: expected the stop reason'],
  ['a second resume', { expect: { secondResume: {} } }, 'there is no snapshot for a second resume'],
  ['a signal', { expect: { signalAborted: 't' } }, 'expected the signal of t to be aborted'],
  ['keys without calls', { given: { replies: [answer('a')] }, expect: { callKeyStable: true } }, 'saw no call'],
  ['a phase', { expect: { outcome: 'error', phase: 'setup' } }, 'expected setup, saw'],
  ['an error', { expect: { errorContains: ['boom'] } }, 'expected an error with "boom", saw "none"'],
];

describe('what is not as expected is a failure', () => {
  test.each(broken)('%s', async (_what, what, words) => {
    expect(await problems(lineOf(what))).toContain(words);
  });
});

test('the planted case itself is well, so that each failure above is of its own making', async () => {
  expect(await problems(lineOf({}))).toBe('');
});

const run = async (file: string, later: object, more: { isOwnFile?: boolean; ids?: readonly string[] } = {}) => {
  const lines: string[] = [];
  const listed = readLater(JSON.stringify({ later: [], defects: [], ...later }));
  const print = (line: string) => lines.push(line);
  const sum = await report({ file, later: listed, isOwnFile: true, ids: [], print, ...more });
  return { lines, sum };
};
const good = lineOf({});
const bad = lineOf({ expect: { modelCalls: 9 } }, { id: 'x02' });
const listed = (id: string) => ({ later: [{ id, part: 'a bigger machine', issue: 'Machines' }] });

describe('the report', () => {
  test('says what came of each case, and the sum last', async () => {
    expect((await run(`${good}\n\n${bad}\n`, {})).lines).toEqual([
      'ok x01',
      'FAIL x02  expected 9 model calls, saw 2',
      '1 passed, 1 failed',
    ]);
  });

  test('a listed case that fails counts as neither', async () => {
    expect((await run(`${good}\n${bad}`, listed('x02'))).lines).toEqual([
      'ok x01',
      'later x02  needs a bigger machine ("Machines")',
      '1 passed, 0 failed',
    ]);
  });

  test('a defect is shown as such', async () => {
    const { lines } = await run(bad, { defects: [{ id: 'x02', what: 'it miscounts' }] });
    expect(lines).toEqual(['later x02  a defect: it miscounts', '0 passed, 0 failed']);
  });

  test('a listed case that passes must leave the list', async () => {
    const { lines, sum } = await run(good, listed('x01'));
    expect(lines[0]).toMatch(/^FAIL x01 {2}passes: take it off the list/);
    expect(sum).toEqual({ passed: 0, failed: 1 });
  });

  test('a listed id must be in the file of its own, and not in another', async () => {
    expect((await run(good, listed('x09'))).lines).toContain(
      'FAIL x09  is on the list of later cases, and not in the file',
    );
    expect((await run(good, listed('x09'), { isOwnFile: false })).sum).toEqual({ passed: 1, failed: 0 });
  });

  test('only the cases that are named, and none that is not there', async () => {
    const { lines } = await run(`${good}\n${bad}`, listed('x09'), { ids: ['x01', 'zz'] });
    expect(lines).toEqual(['ok x01', 'FAIL zz  is not in the file', '1 passed, 1 failed']);
  });

  test('a line that is no case is a failure with its number', async () => {
    const { lines } = await run(`${good}\n{"id": \n{"id": 5}\n${good}`, {});
    expect(lines[1]).toMatch(/^FAIL line 2 {2}is not JSON: /);
    expect(lines[2]).toMatch(/^FAIL line 3 {2}line 3: id: /);
    expect(lines[3]).toBe('FAIL x01  line 4: the id x01 was used before');
    expect(lines.at(-1)).toBe('1 passed, 3 failed');
  });

  test('nobody is listed twice', () => {
    const twice = { later: [], defects: [1, 2].map(() => ({ id: 'a01', what: 'it fails' })) };
    expect(() => readLater(JSON.stringify(twice))).toThrow('a01 is listed twice');
  });
});

/** The command, as `npm run test:cases` starts it. */
function command(
  words: readonly string[],
  file: string,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const options = ['--import', 'tsx', 'test/cases/main.ts', ...words];
  return new Promise((resolve) => {
    const started = spawn(process.execPath, options, { cwd: root, env: { ...process.env, FUSELOOP_CASES: file } });
    let out = '';
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (text) => (out += String(text)));
    started.on('close', (code) => resolve({ code, out }));
  });
}

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fuseloop-cases-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'other.jsonl');
  await writeFile(file, text);
  return file;
}

describe('the command', () => {
  test('FUSELOOP_CASES names another file, and a failure is an exit code', async () => {
    const file = await fileWith(`${good}\n${bad}\n`);
    const all = await command([], file);
    expect(all).toEqual({ code: 1, out: 'ok x01\nFAIL x02  expected 9 model calls, saw 2\n1 passed, 1 failed\n' });
    expect(await command(['x01'], file)).toEqual({ code: 0, out: 'ok x01\n1 passed, 0 failed\n' });
  });

  test('--help says how, and an unknown option is not taken for an id', async () => {
    const help = await command(['--help'], '');
    expect(help.code).toBe(0);
    expect(help.out).toContain('FUSELOOP_CASES=FILE');
    expect(await command(['--fast'], '')).toMatchObject({
      code: 2,
      out: expect.stringContaining('--fast is not an option'),
    });
  });
});
