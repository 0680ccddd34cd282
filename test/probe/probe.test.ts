/** The quick rows of the probe, from the sources; and planted faults, each of which the probe must see. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './judge.ts';
import { type Measured, measure } from './measure.ts';
import { probeTable, readStored } from './region.ts';
import { rowNamed, rows } from './rows.ts';
import { markdownTable, terminalTable } from './table.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

function probe(...inputs: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((settle) => {
    const node = ['--import', import.meta.resolve('tsx'), main, '--source', ...inputs];
    execFile(process.execPath, node, (error, stdout, stderr) => {
      settle({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const quick = ['limit-nan', 'limit-zero', 'model-silent', 'empty-pieces-abort', 'invented', 'tool-hangs-abort'];

describe.concurrent('the command', () => {
  it('ends well where every input ends as its row says', async () => {
    const { code, stdout, stderr } = await probe('--json', ...quick);
    const results: readonly { row: { id: string }; problems: readonly string[] }[] = JSON.parse(stdout);
    expect(results.map(({ row, problems }) => [row.id, problems])).toEqual(quick.map((id) => [id, []]));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('ends with 1 where one does not', async () => {
    const { code, stdout } = await probe('--engine', 'planted-lies', 'limit-zero');
    expect(stdout).toContain('✗  0 as the limit of steps');
    expect(stdout).toContain('limit-zero: the ending is "answered", not "stopped"');
    expect(code).toBe(1);
  });

  it.each([
    ['an input that it does not know', ['constructor'], /^There is no input constructor. Known: no-limit-calls, /],
    ['half a page', ['--write', 'limit-nan'], /^--write is for all inputs/],
  ])('ends with 2 for %s, and says what is allowed', async (_what, inputs, says) => {
    const { code, stderr } = await probe(...inputs);
    expect(stderr).toMatch(says);
    expect(code).toBe(2);
  });
});

describe.concurrent('a planted engine', () => {
  const options = { source: true, graceMs: 2_000, exitMs: 2_000 };
  it.each([
    ['planted-good', 'ends', []],
    ['planted-waits', 'hangs', ['it hangs']],
    ['planted-spins', 'hangs', ['it hangs']],
    ['planted-crashes', 'crashes', ['it crashes: Error: nobody catches this']],
    ['planted-leaks', 'ends', ['the process does not end by itself and well']],
    ['planted-rejects', 'ends', ['the process does not end by itself and well: Error: nobody hears this']],
  ] as const)('%s: it %s', async (engine, fate, problems) => {
    const row = rowNamed('limit-zero');
    const measured = await measure(row, { ...options, engine });
    expect(measured.fate).toBe(fate);
    expect(problemsOf(row, measured)).toEqual(problems);
    expect(terminalTable([{ row, measured }]).includes('Not as expected')).toBe(problems.length > 0);
  });
});

describe('the judge', () => {
  const row = rowNamed('tool-5-mb');
  const limited = rowNamed('tool-hangs');
  const report = { modelCalls: 2, toolStarts: 1, elapsedMs: 400, peakMiB: 90, entry: '' };
  const ending = { kind: 'answered', reason: 'final', answer: 'done' } as const;
  const measured: Measured = { id: row.id, fate: 'ends', report: { ...report, ending }, exits: true, complaint: '' };
  const changed = (change: Partial<NonNullable<Measured['report']>>): Measured => ({
    ...measured,
    report: { ...report, ending, ...change },
  });
  it.each([
    ['nothing', row, {}, []],
    ['a lie', row, { ending: { ...ending, answer: 'a lie' } }, ['the answer is "a lie", not "done"']],
    ['a reason', row, { ending: { ...ending, reason: 'luck' } }, ['the reason is "luck", not "final"']],
    ['a model call too many', row, { modelCalls: 3 }, ['the number of model calls is 3, not 2']],
    ['a tool start too few', row, { toolStarts: 0 }, ['the number of tool starts is 0, not 1']],
    ['a late end', limited, { elapsedMs: 2_301 }, ['it took 2301 ms, more than its limit']],
    ['an early end', limited, { elapsedMs: 200 }, ['it took 200 ms, less than its limit']],
    ['much memory', row, { peakMiB: 251 }, ['it took 251 MiB']],
  ] as const)('sees %s', (_what, judged, change, problems) => {
    expect(problemsOf(judged, changed(change))).toEqual(problems);
  });

  it('draws the row as Markdown', () => {
    expect(markdownTable([{ row, measured }]).split('\n').at(-1)).toBe(
      '| a tool result of 5 MB | 1,200 tokens of a result (default) | answered | 2 | 1 | 400 ms, 90 MiB | yes |',
    );
  });
});

describe('the stored results', () => {
  const stored = readStored();

  it('are of these rows (npm run probe -- --write)', () => {
    expect(stored.map(({ row }) => row)).toEqual(rows.map(({ input: _input, ...told }) => told));
  });

  it('are as expected', () => {
    expect(stored.flatMap(({ row, measured }) => problemsOf(rowNamed(row.id), measured))).toEqual([]);
    expect(probeTable().split('\n')).toHaveLength(rows.length + 2);
  });

  it('are of the built package', () => {
    expect(stored.filter(({ measured }) => measured.report?.entry !== 'dist/index.js')).toEqual([]);
  });
});
