/** `fuseloop runs`: what a store keeps, in lines, as JSON and at a terminal of any width. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRunsFlags } from '../../src/cli/runs-flags.ts';
import { runLine, runsTable, shortIds, tally } from '../../src/cli/runs-table.ts';
import { styleFor } from '../../src/cli/style.ts';
import type { StoredRun } from '../../src/core/store.ts';
import { folder, fuseloop } from './command.ts';
import { atTerminal, hasPseudoTerminal } from './pseudo-terminal.ts';

const run = (runId: string, given: Partial<StoredRun> = {}): StoredRun => ({
  ...{
    runId,
    status: 'ended',
    stopReason: 'final',
    task: 'Do it.',
    startedAtMs: 1_000,
    changedAtMs: 60_000,
    waiting: [],
  },
  ...{ heldBy: null, bytes: 10, problem: null },
  ...given,
});
const runs = [
  run('0a0a0a0a-0000-4000-8000-000000000001', {
    status: 'suspended',
    stopReason: null,
    waiting: [{ toolCallId: '2.1', tool: 'send', input: { to: '数据\u001b[2J' } }],
    task: '给所有迟到的客户写信，并说明原因\n第二行',
  }),
  run('0a0a0a0a-0000-4000-8000-000000000002', { stopReason: 'max_steps' }),
  run('nightly', { status: 'running', stopReason: null, heldBy: 'process 7 on this machine' }),
  run('x'.repeat(300), { status: 'unreadable', stopReason: null, problem: 'x.jsonl is damaged.', startedAtMs: null }),
];

it.each([10, 24, 40, 80, 200])('a table of %i columns fits, and says what waits', (columns) => {
  const idOf = shortIds(runs.map(({ runId }) => runId));
  const table = runsTable(runs, { style: styleFor(false), columns, nowMs: 120_000, idOf });
  for (const line of table.split('\n')) expect([...line].length).toBeLessThan(Math.max(24, columns));
  expect(table).not.toContain('\u001b');
  if (columns < 80) return;
  expect(table).toMatch(/^run +status +started +changed +task\n/);
  expect(table).toContain('  waits: 2.1 send {"to":"数据');
  expect(table).toContain('  max_steps: all steps are used up\n');
  expect(table).toContain('  held by process 7 on this machine\n');
  expect(table).toContain('  x.jsonl is damaged.\n');
  expect(table).toMatch(/ended +1 min +1 min +Do it\./);
});

it('random ids are cut to what tells them apart', () => {
  const ids = ['0a0a0a0a-0000-4000-8000-000000000001', '0a0a0a0a-1000-4000-8000-000000000001', 'nightly-report-7'];
  expect(ids.map(shortIds(ids))).toEqual(['0a0a0a0a-0', '0a0a0a0a-1', 'nightly-report-7']);
});

it('a line has its fields between tabs, whatever a task holds', () => {
  const [line = '', rest] = runLine(runs[0] ?? run('a')).split('\n');
  expect(rest).toBe('');
  expect(line.split('\t')).toHaveLength(6);
  expect(line).toContain('\t1970-01-01T00:00:01.000Z\t');
});

it('thousands of runs', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => run(`r-${index}`));
  const idOf = shortIds(many.map(({ runId }) => runId));
  const table = runsTable(many, { style: styleFor(false), columns: 80, nowMs: 0, idOf });
  expect(table.split('\n')).toHaveLength(20_002);
  const counted = { shown: 50, found: 20_000, suspended: 2, interrupted: 0 };
  expect(tally(counted, 'runs')).toMatch(
    /^20,000 runs · 19,950 older not shown \(--limit N\) · 2 to be decided\nTo go on/,
  );
});

describe('misuse', () => {
  it.each<[string[], RegExp]>([
    [[], /^There is no --store\./],
    [['--store', 's', '--status', 'suspendid'], /^--status is \["suspendid"\]\./],
    [['--store', 's', '--delete-ended', 'soon'], /^--delete-ended is "soon"\./],
    [['--store', 's', '--delete', 'a', '--delete-ended', '7d'], /^Both --delete and --delete-ended/],
    [['--store', 's', '--delete', 'a', '--status', 'ended'], /^What is to be deleted/],
    [['--store', 's', 'a'], /^fuseloop runs takes flags only/],
  ])('%j', (argv, message) => expect(() => readRunsFlags(argv)).toThrow(message));
});

describe('in a process', () => {
  it('lists, filters and deletes; what is unreadable is told', async () => {
    const store = ['--store', 'listed'];
    expect(await fuseloop(['runs', ...store])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No runs are stored in listed, which is not there.\n',
    });
    await fuseloop(['run', '--demo', 'rollback', '--run-id', '等待', ...store]);
    await fuseloop(['run', '--demo', 'calculator', '--run-id', 'done', ...store]);
    mkdirSync(join(folder, 'listed'), { recursive: true });
    writeFileSync(join(folder, 'listed', 'broken.jsonl'), '{"type":"nothing"}\n');
    const { stdout } = await fuseloop(['runs', ...store]);
    expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
      'done ended',
      '等待 suspended',
      'broken unreadable',
      '',
    ]);
    const suspended = await fuseloop(['runs', ...store, '--status', 'suspended', '--json']);
    expect(JSON.parse(suspended.stdout)).toMatchObject({ runId: '等待', waiting: [{ toolCallId: '2.1' }] });
    expect((await fuseloop(['resume', 'broken', ...store])).stderr).toMatch(/^fuseloop: .*broken\.jsonl/);
    expect(await fuseloop(['runs', ...store, '--delete', 'do'])).toMatchObject({ code: 0, stdout: 'Deleted: done\n' });
    expect(await fuseloop(['runs', ...store, '--delete-ended', '0s'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Deleted: 0 runs/),
    });
    expect((await fuseloop(['runs', ...store, '--limit', '1'])).stdout).toMatch(/^等待\t/);
  });

  it.skipIf(!hasPseudoTerminal)('at a terminal there is a table', async () => {
    await fuseloop(['run', '--demo', 'rollback', '--run-id', 'seen', '--store', 'shown']);
    const { code, screen } = await atTerminal(['runs', '--store', 'shown'], [], { columns: 60 });
    expect(screen).toMatch(/^run +status +started +changed +task\nseen +suspended .*…\n {2}waits: 2\.1 roll_back /m);
    expect(screen).toContain('1 run · 1 to be decided\nTo go on with one: fuseloop resume RUN --store shown\n');
    expect(code).toBe(0);
  });
});
