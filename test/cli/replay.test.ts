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
});

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
    });
    expect(first.differences).toMatchObject([{ step: 7, sequence: 32, event: 'call.settled' }]);
    expect(second).toMatchObject({ trace: 'date.jsonl', differences: [] });
    expect(code).toBe(1);
  });

  it('what is missing of a trace, which is a difference; an end may be, where a crash is expected', async () => {
    const lines = read('incident.jsonl').split('\n');
    const torn = write('torn.jsonl', lines.join('\n').slice(0, -40));
    const first = await fuseloop(['replay', torn]);
    expect(first.stdout).toMatch(
      /^differs torn\.jsonl: .*\n {2}run\.ended: the trace ends before the run does.*unfinished allows that\n {2}The last line, \d+, breaks off, and is left out\.\n$/,
    );
    expect(first.code).toBe(1);
    const second = await fuseloop(['replay', '--unfinished', torn]);
    expect(second.stdout).toMatch(
      /^same torn\.jsonl: .*\n.* is left out\.\n {2}Run .*: the trace ends .*up to there\.\n$/,
    );
    expect(second.code).toBe(0);
    const cut = await fuseloop(['replay', write('cut.jsonl', lines.slice(0, 2).join('\n'))]);
    expect([cut.stdout.split(' ')[0], cut.code]).toEqual(['differs', 1]);
    const gap = await fuseloop(['replay', '--unfinished', write('gap.jsonl', lines.toSpliced(6, 1).join('\n'))]);
    expect(gap.stdout).toMatch(/\n {2}(step \d+, )?event 7 \([a-z.]+\): event 6 is missing before it\n/);
    expect(gap.code).toBe(1);
  });

  it('what it says of each trace of a folder, beside a recording and what is neither', async () => {
    mkdirSync(join(folder, 'mixed'));
    for (const demo of demos) write(`mixed/${demo}.jsonl`, read(`${demo}.jsonl`));
    write('mixed/a-recording.jsonl', '{"format":"fuseloop.recording/1","provider":"a"}\n');
    const passed = await fuseloop(['replay', 'mixed']);
    expect(passed.stdout.endsWith('\n3 traces: none differs\n')).toBe(true);
    expect(passed.stderr).toBe(
      'mixed/a-recording.jsonl is a recording, of what a model said, for replay(file) of fuseloop/record, and passed over.\n',
    );
    expect(passed.code).toBe(0);
    write('mixed/b-notes.jsonl', 'my notes\n');
    write('mixed/c-notes.jsonl', '{"type":"note"}\n');
    const wrong = await fuseloop(['replay', 'mixed']);
    expect(wrong.stdout).toBe(passed.stdout);
    expect(wrong.stderr).toMatch(
      /^fuseloop: mixed\/b-notes\.jsonl, line 1, is no JSON\.\nmixed\/c-notes\.jsonl, line 1, is no event/,
    );
    expect(wrong.code).toBe(2);
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
    [
      'a recording',
      [write('recording.jsonl', '{"format":"fuseloop.recording/1","provider":"a"}\n')],
      /recording\.jsonl, line 1, is of a recording, of what a model said, for replay\(file\)/,
    ],
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
    for (const word of ['--tools FILE', '--unfinished', '--json', 'Exit codes', '0 nothing differs'])
      expect(stdout).toContain(word);
    expect(code).toBe(0);
    expect((await fuseloop(['--help'])).stdout).toContain('fuseloop replay TRACE');
  });
});
