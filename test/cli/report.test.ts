/** `fuseloop report`: real processes, files as they are met. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { columnsAtMost } from '../../src/cli/plain-text.ts';
import { reportText } from '../../src/cli/report-text.ts';
import { styleFor } from '../../src/cli/style.ts';
import { metricsOf, runViews } from '../../src/observe.ts';
import { traces } from '../observe/report-runs.ts';
import { withoutAdded } from '../observe/report-share-runs.ts';
import { folder, fuseloop } from './command.ts';
import { atTerminal, hasPseudoTerminal } from './pseudo-terminal.ts';

const texts = new Map<string, string>();
beforeAll(async () => {
  mkdirSync(join(folder, '跟踪 1'));
  for (const [runId, events] of await traces()) {
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    texts.set(runId, text);
    writeFileSync(join(folder, '跟踪 1', `${runId}.jsonl`), text);
  }
  writeFileSync(join(folder, '跟踪 1', 'notes.txt'), 'no trace');
});
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return name;
};
const all = () => [...texts.values()].join('');

describe('prints', () => {
  it('a table of a folder, without colours in a pipe', async () => {
    const { code, stdout, stderr } = await fuseloop(['report', '跟踪 1']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')[0]).toBe('40 % answered: 2 of 5 runs that ended');
    expect(stdout).toMatch(/^ {2}tool_errors_exhausted +2 +40 % {2}█+/m);
    expect(stdout).toMatch(/^ {2}tokens +37 +36 +48 +48$/m);
    expect(stdout).toMatch(/^ {2}look +3 +0 +0 +0 +200 ms +200 ms +200 ms +100 %/m);
    expect(stdout).toMatch(/^ {2}打开 +6 +6 +0 +0 /m);
    expect(stdout).toMatch(/^ {2}share of tokens +share +tokens$/m);
    expect(stdout).toMatch(/^ {2}instructions, task and replies +\d+ % +1\d\d {2}█+/m);
    expect(stdout).toMatch(/^ {2}打开 +\d+ % +\d+ {2}█/m);
    expect(stdout).toContain('estimated by length of text');
    expect(stdout).toContain('1 call repeated an equal call of the same run.');
    expect(stdout).toContain('Cost is left out: give the prices');
    expect(stdout).toContain(`2 × tool_errors_exhausted · 打开: cannot open "…" at line N`);
    expect(stdout).toContain(`fuseloop inspect "${join('跟踪 1', 'c.jsonl')}"`);
    expect(stdout).not.toContain('\u001b');
  });

  it('the metrics with --json, of stdin and of several runs in one file', async () => {
    const [piped, named] = await Promise.all([
      fuseloop(['report', '-', '--json'], { stdin: all() }),
      fuseloop(['report', file('all.jsonl', all()), '--json']),
    ]);
    const views = [...(await traces()).values()].flatMap((trace) => runViews(trace));
    const { failures, ...rest } = JSON.parse(JSON.stringify(metricsOf(views)));
    for (const { code, stdout } of [piped, named]) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ ...rest, format: 'fuseloop.report/1' });
    }
    expect(JSON.parse(named.stdout).failures[0].example).toEqual({ ...failures[0].example, file: 'all.jsonl' });
  });

  it('every run of a file, also where several have one name', async () => {
    const failed = texts.get('e') ?? '';
    const { stdout } = await fuseloop(['report', '-', '--json'], { stdin: failed.repeat(3) + (texts.get('a') ?? '') });
    expect(JSON.parse(stdout).runs).toMatchObject({ total: 4, failed: 3, answered: 1 });
  });

  it('the cost by the prices of a file', async () => {
    const prices = file('prices.json', '{"small": {"inputPerMillion": 1000, "outputPerMillion": 10000}}');
    const { code, stdout } = await fuseloop(['report', '跟踪 1', '--prices', prices]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}cost +0.084 +0.090 +0.12 +0.12$/m);
    expect(stdout).toMatch(/^ {2}share of cost +share +cost$/m);
    expect(stdout).toContain("A tool's share of cost: ");
  });

  it('no share of traces that do not tell what was sent', async () => {
    const [a = []] = [...(await traces()).values()];
    const old = withoutAdded(a).map((event) => `${JSON.stringify(event)}\n`);
    const [table, json] = await Promise.all([
      fuseloop(['report', file('old.jsonl', old.join(''))]),
      fuseloop(['report', file('old2.jsonl', old.join('')), '--json']),
    ]);
    expect([table.code, table.stderr]).toEqual([0, '']);
    expect(table.stdout).toMatch(/^ {2}instructions, task and replies +– +–$/m);
    expect(table.stdout).toMatch(/^ {2}look +– +–$/m);
    expect(table.stdout).toContain('In no share of tokens: 1 run, since its trace does not tell all that was sent.');
    expect(JSON.parse(json.stdout)).toMatchObject({
      costShares: { of: 'tokens', total: 0, instructions: null, replies: null, leftOutRuns: 1 },
      tools: [{ tool: 'look', costShare: null }],
    });
  });

  it('a page with --html', async () => {
    const { code, stdout } = await fuseloop(['report', '跟踪 1', '--html', 'report.html']);
    expect([code, stdout]).toEqual([0, 'Written: report.html\n']);
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page.startsWith('<!doctype html>')).toBe(true);
    expect(page).toContain('40 % answered');
    expect(page).toContain('<th scope="row">instructions, task and replies</th>');
    expect(page).not.toMatch(/<script|<b>/);
  });

  it.skipIf(!hasPseudoTerminal)('a table that fits the terminal', async () => {
    const { code, screen } = await atTerminal(['report', '跟踪 1'], [], { columns: 60 });
    expect(code).toBe(0);
    // Where reading took a while its progress was shown, and wiped out by what is stripped here.
    const lasting = screen.replaceAll(/reading file [\d,]+ of [\d,]+ · [\d,]+ runs/g, '');
    const tables = lasting.split('\n').filter((line) => !line.includes('fuseloop inspect'));
    for (const line of tables) expect([...line].length).toBeLessThanOrEqual(60);
    expect(screen).toContain('40 % answered');
  });
});

it.each([40, 57, 80, 200])('no line is wider than %i columns, whatever tools are called', async (columns) => {
  const [view] = runViews([...(await traces()).values()][0] ?? []);
  const named = ['工具'.repeat(30), 'a'.repeat(200), '\u001b[2Jevil'].map((tool) => ({
    ...view,
    steps: view?.steps.map((step) => ({ ...step, calls: step.calls.map((call) => ({ ...call, tool })) })) ?? [],
  }));
  const views = named.flatMap((one) => (view === undefined ? [] : [{ ...view, ...one }]));
  const text = reportText(metricsOf(views), { style: styleFor(false), columns, quote: (name) => name });
  expect(text).not.toContain('\u001b');
  const blocks = /[█▏▎▍▌▋▊▉░]/g;
  for (const line of text.split('\n')) {
    const bars = line.match(blocks)?.length ?? 0;
    expect(bars + columnsAtMost(line.replaceAll(blocks, ''))).toBeLessThanOrEqual(columns);
  }
});

describe('goes on where a file is damaged, with exit code 1', () => {
  const good = () => file('good.jsonl', texts.get('a') ?? '');

  it.each([
    [
      'breaks off',
      () => (texts.get('b') ?? '').slice(0, -900),
      /2\.jsonl: the last line, \d+, breaks off/,
      { total: 2, unfinished: 1 },
    ],
    ['is no trace', () => 'hello\n', /2\.jsonl, line 1, is no JSON\. What was read of it before/, { total: 1 }],
    ['is empty', () => '', /2\.jsonl holds no events/, { total: 1 }],
    [
      'lacks an event',
      () => (texts.get('b') ?? '').split('\n').toSpliced(4, 1).join('\n'),
      /2\.jsonl: before line 5 events are missing/,
      { total: 2, incomplete: 1 },
    ],
    [
      'is damaged behind a run',
      () => `${texts.get('b')}{"type":"no"}\n`,
      /2\.jsonl, line \d+, is no event/,
      { total: 2, answered: 2 },
    ],
  ])('one that %s', async (_, text, told, runs) => {
    const { code, stdout, stderr } = await fuseloop(['report', '--json', file('2.jsonl', text()), good()]);
    expect(JSON.parse(stdout).runs).toMatchObject(runs);
    expect(stderr).toMatch(told);
    expect(code).toBe(1);
  });
});

describe('misuse', () => {
  it.each([
    [[], 'There is no trace.'],
    [['nowhere.jsonl'], 'nowhere.jsonl cannot be read'],
    [['跟踪 1', '--price', 'x'], 'There is no flag --price. Did you mean --prices?'],
    [['跟踪 1', '--prices', 'nowhere.json'], '--prices nowhere.json cannot be read'],
    [['跟踪 1', '--prices', '跟踪 1/notes.txt'], '--prices 跟踪 1/notes.txt cannot be read'],
    [['跟踪 1', '--html', 'nowhere/x.html'], '--html nowhere/x.html cannot be written'],
    [['跟踪 1', '--json', '--html', '-'], '--json and --html - are both for stdout.'],
  ])('%j', async (argv, told) => {
    const { code, stdout, stderr } = await fuseloop(['report', ...argv]);
    expect(stderr).toContain(told);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('prices that are none', async () => {
    const prices = file('wrong.json', '{"small": {"inputPerMillion": "1"}}');
    const { code, stderr } = await fuseloop(['report', '跟踪 1', '--prices', prices]);
    expect(stderr).toContain('holds no prices: small.inputPerMillion');
    expect(code).toBe(2);
  });

  it('the name of the command', async () => {
    expect((await fuseloop(['reprot'])).stderr).toContain('Did you mean report?');
  });
});

it('tells how it is used', async () => {
  const { code, stdout } = await fuseloop(['report', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('fuseloop report TRACE… [flags]');
});
