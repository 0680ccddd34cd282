/** What is written is read back; what cannot be written is told, and no run notices. Real files, pipes and devices. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { isTraceDropped, isTraceEvent } from '../../src/shapes/trace-event.ts';
import { type TraceFileOptions, traceFile, traceFolder } from '../../src/trace.ts';
import { readAll } from './read-all.ts';
import { samples } from './trace-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuseloop-trace-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.jsonl`);

const begin = samples['run.started'].least;
const settled = { ...samples['call.settled'].least, sequence: 1 };
const end = { ...samples['run.ended'].least, sequence: 2 };
const run = { runId: begin.runId };

/** Of a run of three events, or of as many more as are given. */
async function written(options: TraceFileOptions = {}, middle: readonly TraceEvent[] = [settled]) {
  const path = newPath();
  const file = traceFile(path, options);
  for (const event of [begin, ...middle, { ...end, sequence: middle.length + 1 }]) file.onEvent(event, run);
  return { path, report: await file.close() };
}

it('a file that is cut at any byte gives the events before it, and says where it breaks off', async () => {
  const { path } = await written();
  const bytes = readFileSync(path);
  const whole = (await readAll(path)).events;
  const first = bytes.indexOf('\n');
  for (let cut = first; cut <= bytes.length; cut++) {
    const piece = bytes.subarray(0, cut);
    const { events, notes } = await readAll(
      (async function* () {
        yield piece;
      })(),
    );
    const lines = piece.toString().split('\n');
    const last = lines.at(-1) ?? '';
    const isWhole = last !== '' && whole.some((event) => JSON.stringify(event) === last);
    expect(events).toEqual(whole.slice(0, lines.length - (isWhole ? 0 : 1)));
    expect(notes.torn).toBe(last === '' || isWhole ? null : lines.length);
  }
});

it('a torn line is cut off where the file goes on, and a foreign file is left as it is', async () => {
  const { path } = await written();
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"type":"call.set`);
  const file = traceFile(path);
  for (const event of [begin, settled, end]) file.onEvent(event, run);
  expect(await file.close()).toMatchObject({ events: 3, problem: null });
  expect((await readAll(path)).events).toHaveLength(6);

  const foreign = newPath();
  writeFileSync(foreign, 'my notes\n');
  await expect(traceFile(foreign).ready()).rejects.toMatchObject({
    code: 'store_failed',
    message: expect.stringContaining('it holds something else'),
  });
  expect(readFileSync(foreign, 'utf8')).toBe('my notes\n');
});

describe('what there is no room for is counted in its place', () => {
  const many = Array.from({ length: 50 }, (_, index) => ({ ...settled, sequence: index + 1 }));

  it.each<[string, TraceFileOptions]>([
    ['events', { maxQueuedEvents: 10 }],
    ['bytes', { maxQueuedBytes: 3_000 }],
    ['lines of a run', { maxEvents: 20 }],
  ])('%s', async (_name, options) => {
    const { path, report } = await written(options, many);
    expect(report.dropped).toBeGreaterThan(0);
    expect(report.events + report.dropped).toBe(52);
    const { events, notes } = await readAll(path);
    expect(notes).toMatchObject({ dropped: report.dropped, gap: null });
    expect(events).toHaveLength(report.events);
    const values = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(values.filter(isTraceDropped)).toMatchObject([{ runId: 'r', count: report.dropped }]);
  });

  it('the end of a run that had its lines is there', async () => {
    const { path } = await written({ maxEvents: 20 }, many);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(20);
    expect(lines.at(-1)).toContain('run.ended');
  });
});

it('texts of a line that would be too long are cut in their middle, and the event is still one', async () => {
  const long = `begin ${'号\ud83d\ude00'.repeat(20_000)} end`;
  const { path, report } = await written({ maxLine: 2_000 }, [
    { ...settled, observation: long, output: Array.from({ length: 5_000 }, (_, index) => index) },
  ]);
  expect(report).toMatchObject({ events: 3, dropped: 0, cut: 1 });
  const { events, notes } = await readAll(path);
  const [, cut] = events;
  expect(notes).toMatchObject({ cut: 1 });
  expect(cut).toHaveProperty('cut', true);
  expect(cut).toMatchObject({
    observation: expect.stringMatching(/^begin .* … \[cut: of \d+ characters\] … .* end$/su),
  });
  expect(JSON.stringify(cut).length).toBeLessThanOrEqual(2_000);
  expect(JSON.stringify(cut)).not.toMatch(/\\ud/);
});

it('what is no plain event is written as far as it can be, or counted', async () => {
  const circle: Record<string, unknown> = { ...settled };
  circle.output = {
    circle,
    big: 10n,
    lone: '\ud800',
    get bad(): never {
      throw new Error('no');
    },
  };
  const isEvent = (value: unknown): value is TraceEvent => value === circle;
  if (!isEvent(circle)) throw new Error('unreachable');
  const { path, report } = await written({}, [circle]);
  expect(report).toMatchObject({ events: 3, dropped: 0, problem: null });
  expect((await readAll(path)).events.every(isTraceEvent)).toBe(true);
});

describe('a disk that fails is told of, once', () => {
  const cases: readonly [string, () => string, RegExp][] = [
    ['a path that is a folder', () => folder, /EISDIR|it is a folder/],
    ['a folder that is not there', () => join(folder, 'no', 'file'), /ENOENT/],
    ...(existsSync('/dev/full')
      ? [['a full disk', () => '/dev/full', /ENOSPC/] as [string, () => string, RegExp]]
      : []),
  ];
  it.each(cases)('%s', async (_name, path, message) => {
    const problems: Error[] = [];
    const file = traceFile(path(), {
      onProblem: (problem) => {
        problems.push(problem);
        throw new Error('ignored');
      },
    });
    for (const event of [begin, settled, end]) file.onEvent(event, run);
    const report = await file.close();
    expect(report).toMatchObject({
      events: 0,
      dropped: 3,
      problem: { code: 'store_failed', message: expect.stringMatching(message) },
    });
    expect(problems).toEqual([report.problem]);
  });

  it('a file that is removed while it is written', async () => {
    const path = newPath();
    const file = traceFile(path);
    file.onEvent(begin, run);
    await file.ready();
    rmSync(path);
    expect((await file.close()).problem?.message).toContain('it was removed');
  });

  it.skipIf(process.platform === 'win32')('one that hangs: close has a limit', async () => {
    const path = newPath();
    execFileSync('mkfifo', [path]);
    const reader = await import('node:fs/promises').then(({ open }) => open(path, 'r+'));
    const file = traceFile(path, { closeWithinMs: 20 });
    await file.ready();
    for (const event of [begin, { ...settled, observation: 'x'.repeat(1_000_000) }, end]) file.onEvent(event, run);
    const { problem } = await file.close();
    expect(problem?.message).toContain('the disk did not take all of it within 20 ms');
    // Let it go on, so that nothing is left behind.
    const bytes = Buffer.alloc(2 ** 16);
    for (let read = 0; read < 1_000_000; ) read += (await reader.read(bytes)).bytesRead;
    await reader.close();
  });
});

it('of a run that begins while another goes on nothing is written, and that is told', async () => {
  const path = newPath();
  const file = traceFile(path);
  file.onEvent(begin, run);
  const other = { runId: 'other' };
  file.onEvent({ ...begin, ...other }, other);
  file.onEvent(settled, run);
  file.onEvent({ ...settled, sequence: 1 }, other);
  file.onEvent(end, run);
  expect(await file.close()).toMatchObject({
    events: 3,
    dropped: 2,
    problem: { hint: expect.stringContaining('traceFolder') },
  });
  expect((await readAll(path)).events).toEqual([begin, settled, end]);
});

it('two runs at once with one id are two', async () => {
  const path = newPath();
  const file = traceFile(path);
  const [one, other] = [{ runId: 'r' }, { runId: 'r' }];
  for (const event of [{ ...begin, runId: 'r' }, settled, end])
    for (const which of [one, other]) file.onEvent(event, which);
  expect(await file.close()).toMatchObject({ events: 3, dropped: 3, problem: { code: 'store_failed' } });
  expect((await readAll(path)).events).toEqual([{ ...begin, runId: 'r' }, settled, end]);
});

it('a run that was left without an end goes on in its file, and what its life before tells then is left out', async () => {
  const path = newPath();
  const file = traceFile(path);
  const [before, now] = [{ runId: 'r' }, { runId: 'r' }];
  const resumed = { ...samples['run.resumed'].least, runId: 'r', sequence: 1 };
  file.onEvent({ ...begin, runId: 'r' }, before);
  file.onEvent(resumed, now);
  file.onEvent({ ...settled, sequence: 1 }, before);
  file.onEvent({ ...settled, sequence: 2 }, now);
  file.onEvent({ ...end, sequence: 3 }, now);
  expect(await file.close()).toMatchObject({ events: 4, dropped: 1, problem: null });
});

describe('a folder has a file for each run', () => {
  it('also where two at once have one id, and a program gives another object each time', async () => {
    const path = join(folder, 'twins');
    const traces = traceFolder(path);
    const [one, other] = [{ runId: 'r' }, { runId: 'r' }];
    for (const event of [{ ...begin, runId: 'r' }, settled, end])
      for (const which of [one, other]) traces.onEvent(event, which);
    for (const event of [{ ...begin, runId: 'x' }, settled, end]) traces.onEvent(event, { runId: 'x' });
    expect(await traces.close()).toMatchObject({ files: 3, events: 9, dropped: 0, incomplete: 0, problem: null });
    expect(readdirSync(path).sort()).toEqual(['r.jsonl', 'r~2.jsonl', 'x.jsonl']);
    for (const name of readdirSync(path)) expect((await readAll(join(path, name))).events).toHaveLength(3);
  });

  const ids = ['plain', 'CON', '../up', '号', 'a/b', 'x'.repeat(300), '__proto__', ''];

  it('also where ids are odd, runs are mixed, and one goes on', async () => {
    const path = join(folder, 'runs', 'deep');
    const traces = traceFolder(path);
    const each = [begin, settled, end].flatMap((event) => ids.map((runId) => ({ event, runId })));
    for (const { event, runId } of each) traces.onEvent('runId' in event ? { ...event, runId } : event, { runId });
    for (const event of [
      { ...samples['run.resumed'].least, sequence: 3, runId: 'plain' },
      { ...end, sequence: 4 },
    ])
      traces.onEvent(event, { runId: 'plain' });
    expect(await traces.close()).toMatchObject({
      files: ids.length + 1,
      events: ids.length * 3 + 2,
      dropped: 0,
      incomplete: 0,
    });
    expect(readdirSync(path)).toHaveLength(ids.length);
    for (const name of readdirSync(path)) {
      const { events, notes } = await readAll(join(path, name));
      expect(notes).toMatchObject({ torn: null, gap: null, dropped: 0 });
      expect(events.length).toBe(name === 'plain.jsonl' ? 5 : 3);
    }
  });

  it('a folder that cannot be made is told of', async () => {
    const path = newPath();
    writeFileSync(path, '');
    const traces = traceFolder(join(path, 'runs'));
    traces.onEvent(begin, run);
    expect(await traces.close()).toMatchObject({
      events: 0,
      dropped: 1,
      incomplete: 1,
      problem: { code: 'store_failed' },
    });
  });
});

it.each<[object, string]>([
  [{ maxQueuedEvents: 0 }, 'maxQueuedEvents'],
  [{ maxLine: 10 }, 'maxLine'],
  [{ closeWithinMs: 2 ** 40 }, 'closeWithinMs'],
  [{ maxEvents: Number.NaN }, 'maxEvents'],
  [{ maxQueued: 5 }, 'maxQueued is not an option'],
])('%j is refused', (options, message) => {
  expect(() => traceFile('x', options)).toThrow(message);
});

it('a process ends by itself while a trace is open', () => {
  const code = `const { traceFile } = await import(${JSON.stringify(new URL('../../src/trace.ts', import.meta.url).href)});
    traceFile(${JSON.stringify(newPath())}).onEvent(${JSON.stringify(begin)}, { runId: 'r' });`;
  execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], { stdio: 'pipe' });
  expect(readFileSync(join(folder, `${files}.jsonl`), 'utf8')).toContain('run.started');
});
