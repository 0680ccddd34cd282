/** `fuseloop replay`: real processes, over traces that `fuseloop run` wrote. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { folder, fuseloop } from './command.ts';

const demos = ['incident', 'calculator', 'date'] as const;
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const write = (file: string, text: string) => {
  writeFileSync(join(folder, file), text);
  return file;
};

beforeAll(async () => {
  for (const demo of demos) await fuseloop(['run', '--demo', demo, '--trace', `${demo}.jsonl`]);
  write(
    'other.jsonl',
    read('incident.jsonl').replace('"observation":"max_connections: 10', '"observation":"max_connections: 12'),
  );
  mkdirSync(join(folder, 'traces'));
  for (const demo of demos) write(`traces/${demo}.jsonl`, read(`${demo}.jsonl`));
}, 60_000);

const difference =
  '  step 7, event 32 (call.settled): what the model is told of call 7.1 differs: recorded "max_connections: 12", now "max_connections: 10"\n';

describe('says', () => {
  it.each(demos)('that the demonstration %s is the same', async (demo) => {
    const { code, stdout, stderr } = await fuseloop(['replay', `${demo}.jsonl`]);
    expect(stdout).toMatch(new RegExp(`^same ${demo}\\.jsonl: [1-9]\\d* events agree\\n$`));
    expect([code, stderr]).toEqual([0, '']);
  });

  it('where a run differs, and goes on with the next', async () => {
    const { code, stdout } = await fuseloop(['replay', 'other.jsonl', 'calculator.jsonl']);
    const [first, ...rest] = stdout.split(/(?<=\n)/);
    expect(first).toMatch(/^differs other\.jsonl: 32 of 33 events agree\n$/);
    expect(rest[0]).toBe(difference);
    expect(rest.slice(1).join('')).toMatch(/^same calculator\.jsonl: \d+ events agree\n2 traces: 1 differs\n$/);
    expect(code).toBe(1);
  });

  it('what it says of each trace of a folder', async () => {
    const { code, stdout } = await fuseloop(['replay', 'traces']);
    expect(stdout.match(/^same traces\/(calculator|date|incident)\.jsonl: /gm)).toHaveLength(3);
    expect(stdout.endsWith('\n3 traces: none differs\n')).toBe(true);
    expect(code).toBe(0);
  });

  it('the same of several runs from stdin', async () => {
    const { code, stdout } = await fuseloop(['replay', '-'], { stdin: read('calculator.jsonl') + read('date.jsonl') });
    expect(stdout).toMatch(/^same stdin: \d+ events agree in 2 runs\n$/);
    expect(code).toBe(0);
  });

  it('all of it with --json, one object a line', async () => {
    const { code, stdout } = await fuseloop(['replay', '--json', 'other.jsonl', 'date.jsonl']);
    const [first, second] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({
      trace: 'other.jsonl',
      agreed: 32,
      compared: 33,
      tornLine: null,
      missingBeforeLine: null,
    });
    expect(first.differences).toMatchObject([{ step: 7, sequence: 32, event: 'call.settled' }]);
    expect(second).toMatchObject({ trace: 'date.jsonl', differences: [] });
    expect(code).toBe(1);
  });

  it('what is missing of a trace: a torn end is replayed up to there, a gap is a difference', async () => {
    const lines = read('incident.jsonl').split('\n');
    const torn = await fuseloop(['replay', write('torn.jsonl', lines.join('\n').slice(0, -40))]);
    expect(torn.stdout).toMatch(/The last line, \d+, breaks off, and is left out\.\n.*is replayed up to there\.\n$/);
    expect(torn.code).toBe(0);
    const gap = await fuseloop(['replay', write('gap.jsonl', lines.toSpliced(6, 1).join('\n'))]);
    expect(gap.stdout).toContain('  Before line 7 events are missing');
    expect(gap.code).toBe(1);
  });
});

describe('--tools', () => {
  const tools = (required: string) => `
    const ran = () => { throw new Error('It ran.'); };
    const reads = (properties, required) => ({ description: 'x', inputSchema: { type: 'object', properties, required }, readOnly: true, execute: ran });
    console.log('noise');
    export const calculator = reads({ expression: { type: 'string' } }, [${JSON.stringify(required)}]);`;

  it('checks the inputs with the schemas of today, and runs nothing', async () => {
    const args = (file: string) => ['replay', 'calculator.jsonl', '--json', '--tools', file];
    const same = await fuseloop(args(write('same.mjs', tools('expression'))));
    expect(JSON.parse(same.stdout)).toMatchObject({ differences: [] });
    expect([same.code, same.stderr]).toEqual([0, 'noise\n']);
    const other = await fuseloop(args(write('other.mjs', tools('formula'))));
    expect(JSON.parse(other.stdout).differences[0]).toMatchObject({
      step: 1,
      event: 'calls.checked',
      message: 'what the gates say of call 1.1 differs: recorded "run", now "refuse"',
    });
    expect(other.code).toBe(1);
  });
});

describe('misuse', () => {
  it.each<readonly [string, readonly string[], RegExp]>([
    ['no trace', [], /There is no trace\./],
    ['a file that is not there', ['none.jsonl'], /none\.jsonl cannot be read: ENOENT/],
    ['a file that is no trace', [write('notes.txt', 'my notes\n')], /notes\.txt, line 1, is no JSON/],
    ['a folder without traces', ['empty'], /The folder empty holds no file that ends with \.jsonl/],
    ['stdin twice', ['-', '-'], /Stdin is named twice/],
    ['an unknown flag', ['a.jsonl', '--tool', 'x'], /There is no flag --tool\. Did you mean --tools\?/],
    ['a module without tools', ['a.jsonl', '--tools', 'none.mjs'], /--tools none\.mjs cannot be loaded/],
  ])('%s', async (_, argv, told) => {
    mkdirSync(join(folder, 'empty'), { recursive: true });
    const { code, stdout, stderr } = await fuseloop(['replay', ...argv]);
    expect(stderr).toMatch(told);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('--help tells all of it', async () => {
    const { code, stdout } = await fuseloop(['replay', '--help']);
    expect(stdout).toMatch(/^fuseloop replay: .*\n\nUsage\n/);
    for (const word of ['--tools FILE', '--json', 'Exit codes', '0 nothing differs']) expect(stdout).toContain(word);
    expect(code).toBe(0);
    expect((await fuseloop(['--help'])).stdout).toContain('fuseloop replay TRACE');
  });
});
