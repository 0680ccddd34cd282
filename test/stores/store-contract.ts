/** What every Store promises (src/core/store.ts), as one suite for all stores. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JournalLine, Store } from '../../src/core/store.ts';
import { bundled } from '../support/bundled.ts';
import { checkpoint, ended, oddIds, oddValue, runOf, settled, started, startMs } from './lines.ts';

export interface StoreUnderTest {
  readonly store: Store;
  /** Another door to the same runs, as another process would have. */
  readonly other?: () => Store;
  /** How a child process opens the same runs. */
  readonly elsewhere?: { readonly kind: 'file' | 'sqlite'; readonly path: string };
  /** Changes the stored lines of a run behind the store's back. Nobody holds it. */
  readonly rewrite?: (runId: string, change: (texts: readonly string[]) => readonly string[]) => Promise<void>;
  readonly remove?: () => Promise<void>;
}

/** What a store cannot do, with the reason. */
export interface Cannot {
  readonly outliveTheStore?: string;
  readonly beRewritten?: string;
  readonly listWhatIsDamaged?: string;
  readonly listTasks?: string;
  readonly beKilled?: string;
}

const lineBreaks = /\w+ \w+/;
const refusal = (code: string) => ({
  name: 'AgentError',
  code,
  message: expect.stringMatching(lineBreaks),
  hint: expect.stringMatching(lineBreaks),
});

export function storeContract(name: string, make: () => Promise<StoreUnderTest>, cannot: Cannot = {}): void {
  async function made(): Promise<StoreUnderTest> {
    const under = await make();
    onTestFinished(async () => {
      await under.store.close();
      await under.remove?.();
    });
    return under;
  }
  const madeStore = async () => (await made()).store;
  async function stored(store: Store, runId: string, lines: readonly JournalLine[]): Promise<void> {
    const held = await store.open(runId);
    await held.append(lines);
    await held.release();
  }

  describe(`the contract of a store: ${name}`, () => {
    test('what is appended is read again, in its order', async () => {
      const store = await madeStore();
      const held = await store.open('run');
      expect(held.lines).toEqual([]);
      await held.append([started('run')]);
      await held.append([settled(1, oddValue), settled(2)]);
      await held.append([]);
      const lines = [started('run'), settled(1, oddValue), settled(2)];
      expect(await store.read('run')).toEqual(lines);
      await held.release();
      const again = await store.open('run');
      expect(again.lines).toEqual(lines);
      expect(JSON.stringify(again.lines)).toBe(JSON.stringify(lines));
    });

    test('an unknown run is empty, and opening it stores nothing', async () => {
      const store = await madeStore();
      expect(await store.read('run')).toBe(null);
      const held = await store.open('run');
      expect(await store.read('run')).toBe(null);
      await held.release();
      expect(await store.read('run')).toBe(null);
      expect(await store.list()).toEqual([]);
      expect(await store.delete('run')).toBe(false);
    });

    test('a run has one holder; the epoch grows with each hold', async () => {
      const { store, other } = await made();
      const doors = [store, other?.() ?? store];
      const first = await store.open('run');
      await first.append([started('run')]);
      expect(first.epoch).toBe(1);
      for (const door of doors) await expect(door.open('run')).rejects.toMatchObject(refusal('run_held'));
      for (const door of doors) await expect(door.delete('run')).rejects.toMatchObject(refusal('run_held'));
      await first.release();
      const second = await doors[1]?.open('run');
      expect(second?.epoch).toBe(2);
      await second?.release();
      expect((await store.open('run')).epoch).toBe(3);
    });

    test('of many who open at once one wins', async () => {
      const { store, other } = await made();
      const doors = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? store : (other?.() ?? store)));
      const opened = await Promise.allSettled(doors.map((door) => door.open('run')));
      const lost = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(lost).toHaveLength(7);
      for (const reason of lost) expect(reason).toMatchObject(refusal('run_held'));
    });

    test('a hold that was let go writes no more, and letting go again is nothing', async () => {
      const store = await madeStore();
      const held = await store.open('run');
      const last = held.append([started('run')]);
      await Promise.all([held.release(), held.release()]);
      await last;
      await expect(held.append([settled(1)])).rejects.toMatchObject(refusal('store_failed'));
      await expect(held.replace([started('run')])).rejects.toMatchObject(refusal('store_failed'));
      expect(await store.read('run')).toEqual([started('run')]);
      const next = await store.open('run');
      await held.release();
      await next.append([settled(1)]);
    });

    test('appends that are not awaited keep their order, also of several runs', async () => {
      const store = await madeStore();
      const ids = ['a', 'b', 'c'];
      const holds = await Promise.all(ids.map((runId) => store.open(runId)));
      const lines = ids.map((runId) => runOf(runId, 200));
      const writes = lines.flatMap((all, index) => all.map((line) => holds[index]?.append([line])));
      await Promise.all(writes);
      for (const [index, runId] of ids.entries()) expect(await store.read(runId)).toEqual(lines[index]);
    });

    test('lines are read before append returns', async () => {
      const store = await madeStore();
      const held = await store.open('run');
      const line = { ...settled(1), state: { ACTION: 'running' } };
      const given: JournalLine[] = [started('run'), line];
      const written = held.append(given);
      line.state.ACTION = 'changed';
      given.length = 0;
      await written;
      expect(await store.read('run')).toEqual([started('run'), settled(1)]);
    });

    test('replace puts lines in the place of all, behind what came before and before what follows', async () => {
      const store = await madeStore();
      const held = await store.open('run');
      await Promise.all([
        held.append(runOf('run', 50)),
        held.replace([checkpoint('run', 50)]),
        held.append([settled(50)]),
        held.append([settled(51)]),
      ]);
      const lines = [checkpoint('run', 50), settled(50), settled(51)];
      expect(await store.read('run')).toEqual(lines);
      await held.release();
      const again = await store.open('run');
      expect(again.lines).toEqual(lines);
      await again.replace([checkpoint('run', 60)]);
      expect(await store.read('run')).toEqual([checkpoint('run', 60)]);
    });

    test('a run whose lines are replaced by none is not stored any more', async () => {
      const store = await madeStore();
      await stored(store, 'run', runOf('run', 3));
      const held = await store.open('run');
      await held.replace([]);
      expect([(await store.read('run')) ?? null, await store.list()]).toEqual([null, []]);
      await held.release();
      expect([await store.read('run'), await store.list(), await store.delete('run')]).toEqual([null, [], false]);
      const again = await store.open('run');
      await again.append([started('run')]);
      await again.replace([]);
      await again.append([started('run'), settled(1)]);
      await again.release();
      expect(await store.read('run')).toEqual(runOf('run', 1).concat(settled(1)));
    });

    test('once an append has failed all do, and nothing that follows is stored', async () => {
      const store = await madeStore();
      const held = await store.open('run');
      await held.append([started('run')]);
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const broken = Object.assign(settled(1), { output: circular });
      const failed = held.append([broken]);
      const behind = held.append([settled(2)]);
      await expect(failed).rejects.toMatchObject(refusal('store_failed'));
      await expect(behind).rejects.toMatchObject(refusal('store_failed'));
      await expect(held.replace([started('run')])).rejects.toMatchObject(refusal('store_failed'));
      await held.release();
      expect((await store.open('run')).lines).toEqual([started('run')]);
    });

    test.each(oddIds.map((id) => [JSON.stringify(id.length > 40 ? `${id.slice(0, 9)}… (${id.length})` : id), id]))(
      'the run id %s is one like any other',
      async (_, runId) => {
        const store = await madeStore();
        await stored(store, runId, [started(runId), ended(1)]);
        expect((await store.list()).map((run) => run.runId)).toEqual([runId]);
        expect(await store.read(runId)).toEqual([started(runId), ended(1)]);
        expect(await store.delete(runId)).toBe(true);
        expect(await store.list()).toEqual([]);
      },
    );

    test('odd run ids are kept apart', async () => {
      const store = await madeStore();
      for (const runId of oddIds) await stored(store, runId, [started(runId)]);
      for (const runId of oddIds) expect(await store.read(runId)).toEqual([started(runId)]);
      expect((await store.list()).map(({ runId }) => runId).sort()).toEqual([...oddIds].sort());
    });

    test.each(['', null, 7])('%j is no run id', async (runId) => {
      const store = await madeStore();
      for (const method of [store.open, store.read, store.delete])
        await expect(Reflect.apply(method, store, [runId])).rejects.toMatchObject(refusal('invalid_option'));
    });

    test('a line of five megabytes, and ten thousand lines', async () => {
      const store = await madeStore();
      const long = '思'.repeat(1_000_000) + '\n"\\'.repeat(700_000);
      await stored(store, 'long', [started('long'), settled(1, long), settled(2)]);
      expect((await store.read('long'))?.[1]).toEqual(settled(1, long));
      const many = await store.open('many');
      const lines = runOf('many', 10_000);
      for (let index = 0; index < lines.length; index += 100) void many.append(lines.slice(index, index + 100));
      await many.release();
      expect(await store.read('many')).toEqual(lines);
    });

    test('close lets all go, behind what is being written', async () => {
      const { store, other } = await made();
      const held = await store.open('run');
      const written = held.append([started('run')]);
      await store.close();
      await written;
      await expect(held.append([settled(1)])).rejects.toMatchObject(refusal('store_failed'));
      expect((await (other?.() ?? store).open('run')).lines).toEqual([started('run')]);
    });

    describe('a list', () => {
      const waiting = [{ toolCallId: '1.1', tool: 'delete', input: { all: true } }];
      const runs: { readonly [runId: string]: readonly JournalLine[] } = {
        interrupted: [started('interrupted', { task: '读 '.repeat(200) }), settled(1)],
        suspended: [started('suspended'), ended(2, 'suspended', waiting)].map((line, index) => ({
          ...line,
          sequence: index,
        })),
        ended: [started('ended'), settled(1), settled(2), ended(3)],
        stopped: [started('stopped'), settled(1), settled(2), settled(3), ended(4, 'max_steps')],
        rested: [checkpoint('rested', 9)],
        running: [started('running'), ...[1, 2, 3, 4].map((index) => settled(index))],
      };
      const filled = async () => {
        const under = await made();
        for (const [runId, lines] of Object.entries(runs)) await stored(under.store, runId, lines);
        const held = await under.store.open('running');
        await held.append([settled(5)]);
        return under;
      };
      const newestFirst = ['rested', 'running', 'stopped', 'ended', 'suspended', 'interrupted'];

      test('says of each run what became of it, the one that changed last first', async () => {
        const { store } = await filled();
        const list = await store.list();
        expect(list.map(({ runId }) => runId)).toEqual(newestFirst);
        const of = (runId: string) => list.find((run) => run.runId === runId);
        const common = { startedAtMs: startMs, heldBy: null, problem: null, waiting: [], stopReason: null };
        const interrupted = { ...common, status: 'interrupted' };
        expect(of('interrupted')).toMatchObject({ ...interrupted, changedAtMs: startMs + 1_000 });
        if (cannot.listTasks === undefined) expect(of('interrupted')?.task).toBe('读 '.repeat(100));
        expect(of('rested')).toMatchObject({ ...interrupted, changedAtMs: startMs + 9_000 });
        expect(of('suspended')).toMatchObject({ ...common, status: 'suspended', waiting });
        expect(of('ended')).toMatchObject({ ...common, status: 'ended', stopReason: 'final' });
        expect(of('stopped')).toMatchObject({ ...common, status: 'ended', stopReason: 'max_steps' });
        expect(of('running')).toMatchObject({
          ...common,
          status: 'running',
          heldBy: expect.stringContaining('process'),
        });
        for (const { bytes } of list) expect(bytes).toBeGreaterThan(100);
      });

      test.each([
        [{ limit: 2 }, newestFirst.slice(0, 2)],
        [{ limit: 0 }, []],
        [{ limit: 100 }, newestFirst],
        [{ status: ['ended'] }, ['stopped', 'ended']],
        [{ status: ['ended'], limit: 1 }, ['stopped']],
        [{ status: ['interrupted', 'suspended'] }, ['rested', 'suspended', 'interrupted']],
        [{ status: ['interrupted', 'running'], limit: 2 }, ['rested', 'running']],
        [{ status: ['unreadable'] }, []],
        [{ status: [] }, []],
      ] as const)('%j', async (filter, ids) => {
        const { store } = await filled();
        expect((await store.list(filter)).map(({ runId }) => runId)).toEqual(ids);
      });

      test('a run that goes on is no longer what it was', async () => {
        const store = await madeStore();
        await stored(store, 'run', [started('run'), ended(1, 'suspended', waiting)]);
        await stored(store, 'run', [settled(2)]);
        expect(await store.list()).toMatchObject([{ status: 'interrupted', waiting: [] }]);
        await stored(store, 'run', [ended(3)]);
        expect(await store.list()).toMatchObject([{ status: 'ended', stopReason: 'final', waiting: [] }]);
      });
    });

    test('delete removes a run, and no other; a new one of its name is a new one', async () => {
      const store = await madeStore();
      for (const runId of ['a', 'b']) await stored(store, runId, [started(runId)]);
      expect(await store.delete('a')).toBe(true);
      expect(await store.delete('a')).toBe(false);
      expect(await store.read('a')).toBe(null);
      expect(await store.read('b')).toEqual([started('b')]);
      expect((await store.open('a')).lines).toEqual([]);
    });

    const outlives = cannot.outliveTheStore === undefined;

    test.runIf(outlives)('what was appended is there for others when append resolves', async () => {
      const { store, other } = await made();
      const held = await store.open('run');
      for (const [index, line] of runOf('run', 5).entries()) {
        await held.append([line]);
        expect(await other?.().read('run')).toEqual(runOf('run', index + 1));
      }
      await held.replace([checkpoint('run', 5)]);
      expect(await other?.().read('run')).toEqual([checkpoint('run', 5)]);
    });

    test.runIf(outlives && cannot.beKilled === undefined)(
      'a process that is killed has stored what it said, and holds no more',
      async () => {
        const { store, elsewhere } = await made();
        if (elsewhere === undefined) throw new Error('Say how a child process opens the runs.');
        await stored(store, 'run', [started('run')]);
        for (const turn of [1, 2]) {
          const program = bundled('test/stores/hold-in-child.ts');
          const child = spawn(process.execPath, [program, elsewhere.kind, elsewhere.path, 'run'], {
            stdio: ['pipe', 'pipe', 'inherit'],
          });
          onTestFinished(() => void child.kill('SIGKILL'));
          const [said] = await once(child.stdout, 'data');
          expect(String(said)).toBe(`held ${turn * 2}\n`);
          await expect(store.open('run')).rejects.toMatchObject(refusal('run_held'));
          await expect(store.delete('run')).rejects.toMatchObject(refusal('run_held'));
          expect(await store.list()).toMatchObject([
            { status: 'running', heldBy: `process ${child.pid} on this machine` },
          ]);
          child.kill('SIGKILL');
          await once(child, 'exit');
          expect(await store.list()).toMatchObject([{ status: 'interrupted', heldBy: null }]);
          const held = await store.open('run');
          expect(held.epoch).toBe(turn * 2 + 1);
          expect(held.lines).toEqual(
            runOf('run', turn + 1).map((line, index) => (index === 0 ? line : settled(index))),
          );
          await held.release();
        }
      },
    );

    test.runIf(cannot.beRewritten === undefined).each(damages)(
      '%s is refused and left as it is',
      async (_, change, problem) => {
        const { store, rewrite } = await made();
        if (rewrite === undefined) throw new Error('Say how stored lines are changed.');
        const runId = 'run';
        await stored(store, runId, [started(runId), settled(1), settled(2)]);
        let texts: readonly string[] = [];
        await rewrite(runId, (before) => {
          texts = change(before);
          return texts;
        });
        for (const attempt of [store.read, store.open])
          await expect(Reflect.apply(attempt, store, [runId])).rejects.toMatchObject({
            ...refusal('invalid_journal'),
            message: expect.stringMatching(problem),
          });
        if (cannot.listWhatIsDamaged === undefined)
          expect(await store.list()).toMatchObject([{ runId, status: 'unreadable', problem: expect.any(String) }]);
        await rewrite(runId, (after) => {
          expect(after).toEqual(texts);
          return [started(runId), settled(1)].map((line) => JSON.stringify(line));
        });
        expect((await store.open(runId)).lines).toEqual([started(runId), settled(1)]);
      },
    );
  });
}

const changed = (index: number, from: string, to: string) => (texts: readonly string[]) =>
  texts.map((text, at) => (at === index ? text.replace(from, to) : text));

const damages: readonly (readonly [string, (texts: readonly string[]) => readonly string[], RegExp])[] = [
  [
    'a later format',
    changed(0, 'fuseloop.journal/1', 'fuseloop.journal/2'),
    /fuseloop\.journal\/2.*reads fuseloop\.journal\/1/,
  ],
  ['a member of another type', changed(1, '"observation":"done"', '"observation":7'), /[Ll]ine 2.*observation/],
  ['a member that is missing', changed(1, '"output":null,', ''), /[Ll]ine 2.*output/],
  ['an event that is not known', changed(1, 'call.settled', 'call.forgotten'), /[Ll]ine 2.*call\.forgotten/],
  ['a line that is no JSON', changed(1, '{', ''), /[Ll]ine 2/],
  ['a line that is no object', (texts) => texts.with(1, '7'), /[Ll]ine 2/],
  ['a line that is missing', (texts) => texts.toSpliced(1, 1), /[Ll]ine 2.*sequence/],
  ['a line that stands twice', (texts) => [...texts, texts[2] ?? ''], /[Ll]ine 4.*sequence/],
  ['a beginning that is missing', (texts) => texts.slice(1), /[Ll]ine 1.*run\.started/],
  ['a line of another run', changed(0, '"runId":"run"', '"runId":"other"'), /[Ll]ine 1.*other/],
];
