/** What a crash leaves in the files of a store: any beginning of what was not durable yet. Nothing that was durable is lost. */
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc } from '@fast-check/vitest';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentError } from '../../src/core/errors.ts';
import type { HeldRun, JournalLine, Store } from '../../src/core/store.ts';
import { fileStore } from '../../src/store.ts';
import { newFolder } from './file-folder.ts';
import { checkpoint, ended, oddValue, runOf, settled, started } from './lines.ts';

const runs = process.env.FUSELOOP_LONG === undefined ? 40 : 1_000;

async function stored(lines: readonly JournalLine[]): Promise<{ readonly store: Store; readonly file: string }> {
  const folder = newFolder();
  const store = fileStore(folder);
  onTestFinished(() => store.close());
  const held = await store.open('run');
  await held.append(lines);
  await held.release();
  return { store, file: join(folder, 'run.jsonl') };
}

const lengthOf = (line: JournalLine) => Buffer.byteLength(JSON.stringify(line)) + 1;

test('cut at any byte, the lines before it are read, listed and gone on from', async () => {
  const lines = [started('run'), settled(1), settled(2, '思🙂')];
  const { store, file } = await stored(lines);
  const whole = readFileSync(file);
  const ends = lines.map(
    (_, index) => whole.length - lines.slice(index + 1).reduce((sum, line) => sum + lengthOf(line), 0),
  );
  for (let length = whole.length; length >= 0; length--) {
    writeFileSync(file, whole.subarray(0, length));
    const left = lines.filter((_, index) => (ends[index] ?? 0) <= length);
    // The file comes to its place with its first line, which no crash cuts.
    const isDamaged = left.length === 0;
    const read = await store.read('run').catch(({ code }: AgentError) => code);
    expect(read, `cut at ${length}`).toEqual(isDamaged ? 'invalid_journal' : left);
    expect(await store.list(), `cut at ${length}`).toMatchObject([
      { status: isDamaged ? 'unreadable' : 'interrupted' },
    ]);
    if (isDamaged) await expect(store.open('run'), `cut at ${length}`).rejects.toMatchObject({ code: read });
  }
});

test('cut at any byte of the last line, the run goes on behind what is whole', async () => {
  const lines = [started('run'), settled(1), settled(2)];
  const { store, file } = await stored(lines);
  const whole = readFileSync(file);
  for (let cut = 1; cut < lengthOf(settled(2)); cut++) {
    writeFileSync(file, whole.subarray(0, whole.length - cut));
    const held = await store.open('run');
    expect(held.lines).toEqual(lines.slice(0, 2));
    await held.append([settled(2, cut)]);
    await held.release();
    expect(await store.read('run')).toEqual([...lines.slice(0, 2), settled(2, cut)]);
  }
});

test.each([
  ['zeros', Buffer.alloc(512)],
  ['zeros with a line end', Buffer.concat([Buffer.alloc(512), Buffer.from('\n')])],
  ['half a character', Buffer.from([0xe6, 0x80])],
  ['half a character in a text, and a line end', Buffer.from('"\xe6\x80"\n', 'latin1')],
  ['an empty line', Buffer.from('\n')],
  ['a carriage return', Buffer.from('\r')],
])('behind the last line, %s are what a crash left', async (_, bytes) => {
  const { store, file } = await stored(runOf('run', 3));
  appendFileSync(file, bytes);
  expect(await store.read('run')).toEqual(runOf('run', 3));
  expect(await store.list()).toMatchObject([{ status: 'interrupted', problem: null }]);
  const held = await store.open('run');
  expect(held.lines).toEqual(runOf('run', 3));
  await held.append([settled(3, 3)]);
  await held.release();
  expect(await store.read('run')).toEqual(runOf('run', 4));
});

test('what a crash left of a replacement is removed, and what it was to replace is there', async () => {
  const { store, file } = await stored(runOf('run', 3));
  const next = file.replace('.jsonl', '.next');
  writeFileSync(next, readFileSync(file).subarray(0, 200));
  expect((await store.open('run')).lines).toEqual(runOf('run', 3));
  expect(existsSync(next)).toBe(false);
});

type Act =
  | { readonly act: 'append'; readonly count: number; readonly size: number }
  | { readonly act: 'replace' }
  | { readonly act: 'reopen' }
  /** At a byte behind what was durable, as a part of a thousand. */
  | { readonly act: 'crash'; readonly at: number; readonly count: number };

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant('append' as const), count: fc.nat(4), size: fc.nat(3_000) }),
  fc.record({ act: fc.constant('replace' as const) }),
  fc.record({ act: fc.constant('reopen' as const) }),
  fc.record({ act: fc.constant('crash' as const), at: fc.nat(1_000), count: fc.nat(4) }),
);

test('whatever is written and wherever it is cut, what is read is a beginning that has all that was durable', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 12 }), async (sequence) => {
      const folder = newFolder();
      const store = fileStore(folder);
      let now: Now = { held: await store.open('run'), durable: [] };
      for (const act of sequence) {
        now = await doAct(act, now, store, join(folder, 'run.jsonl'));
        expect(await store.read('run')).toEqual(now.durable.length === 0 ? null : now.durable);
      }
      await store.close();
    }),
    { numRuns: runs },
  );
});

interface Now {
  readonly held: HeldRun;
  readonly durable: readonly JournalLine[];
}

async function doAct(act: Act, { held, durable }: Now, store: Store, file: string): Promise<Now> {
  switch (act.act) {
    case 'append': {
      const lines = more(durable, act.count, act.size);
      await Promise.all(lines.map((line) => held.append([line])));
      return { held, durable: [...durable, ...lines] };
    }
    case 'replace': {
      const lines = [checkpoint('run', sequenceBehind(durable))];
      await held.replace(lines);
      return { held, durable: lines };
    }
    case 'reopen':
    case 'crash': {
      await held.release();
      const pending = act.act === 'crash' && existsSync(file) ? more(durable, act.count, 100) : [];
      if (act.act === 'crash' && existsSync(file)) crash(file, pending, act.at / 1_000);
      const again = await store.open('run');
      expect(again.lines.length).toBeGreaterThanOrEqual(durable.length);
      expect([...durable, ...pending].slice(0, again.lines.length)).toEqual(again.lines);
      expect(again.epoch).toBe(durable.length === 0 ? 1 : held.epoch + 1);
      return { held: again, durable: again.lines };
    }
  }
}

/** Lines that may follow. */
function more(before: readonly JournalLine[], count: number, size: number): readonly JournalLine[] {
  const from = sequenceBehind(before);
  return Array.from({ length: count }, (_, index) =>
    from + index === 0 ? started('run') : settled(from + index, oddValue, 'x'.repeat(size)),
  );
}

function sequenceBehind(lines: readonly JournalLine[]): number {
  const last = lines.at(-1);
  if (last === undefined) return 0;
  return last.type === 'checkpoint' ? last.snapshot.sequence : last.sequence + 1;
}

/** Lines were on their way to the disk, and a part of their bytes came there. */
function crash(file: string, pending: readonly JournalLine[], part: number): void {
  const before = statSync(file).size;
  appendFileSync(file, pending.map((line) => `${JSON.stringify(line)}\n`).join(''));
  truncateSync(file, before + Math.floor((statSync(file).size - before) * part));
}

test('a list reads a checkpoint of megabytes no more than a small one', async () => {
  const content = '思'.repeat(3_000_000);
  const history = { messages: [{ role: 'user' as const, content }], steps: [], open: null };
  const { store, file } = await stored([checkpoint('run', 7, { history })]);
  expect(await store.list()).toMatchObject([{ status: 'interrupted', task: 'Look.', bytes: statSync(file).size }]);
  const held = await store.open('run');
  await held.append([settled(7, null, content)]);
  await held.append([ended(8, 'max_steps')]);
  await held.release();
  // In the middle, where a list does not look.
  const bytes = readFileSync(file);
  bytes.fill(0xff, 1_000_000, 8_000_000);
  writeFileSync(file, bytes);
  expect(await store.list()).toMatchObject([
    { status: 'ended', stopReason: 'max_steps', task: 'Look.', problem: null },
  ]);
  await expect(store.read('run')).rejects.toMatchObject({ code: 'invalid_journal' });
});

test('the folder holds one file a run and nothing else when all is let go', async () => {
  const folder = newFolder();
  const store = fileStore(folder);
  for (let index = 0; index < 20; index++) {
    const held = await store.open(`run-${index}`);
    await held.append(runOf(`run-${index}`, 3));
    await held.replace([checkpoint(`run-${index}`, 3)]);
  }
  await store.close();
  expect(readdirSync(folder)).toHaveLength(20);
});
