/** `fuseloop fuzz` as a real process: what holds, what breaks and is replayed, what is misuse. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { fuzzFlagTable, fuzzHelpText, readFuzzFlags } from '../../src/cli/fuzz-flags.ts';
import { helpText } from '../../src/cli/help.ts';
import { fuzzTargetNames } from '../../src/verify/fuzz.ts';
import { bundledFixture, fixture, folder, fuseloop } from './command.ts';

const spendthrift = bundledFixture('machine-spendthrift.mjs');
const breaking = fixture('breaking-tools.mjs');

test('all holds: one row for each target, the seed, and nothing else', async () => {
  const { code, stdout, stderr } = await fuseloop(['fuzz', '--runs', '20', '--seed', '5']);
  expect(stderr).toBe('');
  const rows = fuzzTargetNames
    .filter((name) => name !== 'all')
    .map((name) => `${name.padEnd(10)}        20 examples  held\n`);
  expect(stdout).toBe(`${rows.join('')}\nAll held (seed 5).\n`);
  expect(code).toBe(0);
});

test('a machine that was changed breaks, and the command that is told shows the very same', async () => {
  const { code, stdout, stderr } = await fuseloop([
    'fuzz',
    '--target',
    'machine',
    '--seed',
    '3',
    '--machine',
    spendthrift,
  ]);
  expect(code).toBe(1);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^machine +\d+ examples {2}broke\n\nWhat broke in machine\n {2}The edge .* breaks the law "/);
  const replay = / {2}fuseloop (fuzz --target machine --seed 3 --path [\d:]+ --machine .*)\n$/.exec(stdout)?.[1] ?? '';
  const again = await fuseloop(replay.split(' '));
  expect(again.code).toBe(1);
  const broken = (text: string) => text.slice(text.indexOf('What broke')).replace(/made smaller \d+ times?/, '');
  expect(broken(again.stdout)).toBe(broken(stdout));
});

test('tools of your own: a defect in one of them, as a document', async () => {
  const { code, stdout } = await fuseloop(['fuzz', '--target', 'dispatch', '--tools', breaking, '--json']);
  expect(code).toBe(1);
  const { ok, failure } = JSON.parse(stdout);
  expect(ok).toBe(false);
  expect(failure).toMatchObject({
    target: 'dispatch',
    message: expect.stringContaining('The tool shout threw TypeError'),
  });
  expect(failure.replay).toContain(` --tools ${breaking}`);
});

test('a file whose name holds a space and a quote can be pasted into a shell', async () => {
  const path = join(folder, "Ann's tools.mjs");
  writeFileSync(path, `export * from ${JSON.stringify(pathToFileURL(breaking).href)};`);
  const { stdout } = await fuseloop(['fuzz', '--target', 'dispatch', '--tools', path]);
  expect(stdout).toContain(`--tools '${path.replace("'", "'\\''")}'\n`);
});

test('Ctrl-C: says how far it came, and ends with 130', async () => {
  let stopped = false;
  const argv = ['fuzz', '--target', 'machine', '--runs', '1000000', '--machine', bundledFixture('machine-made.mjs')];
  const { code, stdout } = await fuseloop(argv, {
    onStdout: (_, child) => {
      if (!stopped) child.kill('SIGINT');
      stopped = true;
    },
  });
  expect(stdout).toMatch(/Stopped after [\d,]+ examples, which held \(seed \d+\)\.\n$/);
  expect(code).toBe(130);
});

test('a reader that goes away ends it with 141: nothing broke', async () => {
  const argv = ['fuzz', '--target', 'dispatch', '--runs', '1000000', '--tools', fixture('talking-tools.mjs')];
  const { code, stderr } = await fuseloop(argv, { onStdout: (_, child) => child.stdout?.destroy() });
  expect([code, stderr]).toEqual([141, '']);
});

test('without fast-check: says what is missing and how to get it', async () => {
  const { code, stdout, stderr } = await fuseloop(['fuzz'], {
    env: { NODE_OPTIONS: `--import ${pathToFileURL(fixture('without-fast-check.mjs')).href}` },
  });
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toBe(
    'fuseloop: The package fast-check is not installed.\n' +
      'It is an optional peer of fuseloop: npm install --save-dev fast-check@4\n',
  );
});

test("a dialect of one's own breaks, and the command that is told names its file", async () => {
  const dialect = bundledFixture('dialect-forgetful.mjs');
  const { code, stdout } = await fuseloop(['fuzz', '--target', 'reader', '--seed', '1', '--dialect', dialect]);
  expect(stdout).toContain('"dialect": "forgetful"');
  expect(stdout).toMatch(/fuseloop fuzz --target reader --seed 1 --path [\d:]+ --dialect .*dialect-forgetful\.mjs\n$/);
  expect(code).toBe(1);
});

test.each([
  ['./nowhere.mjs', /^fuseloop: --dialect \.\/nowhere\.mjs cannot be loaded/],
  [fixture('weather-tools.mjs'), /^fuseloop: --dialect .*: no dialect is exported\.\nSuch as/],
])('no dialect in %s', async (dialect, message) => {
  const { code, stderr } = await fuseloop(['fuzz', '--target', 'reader', '--dialect', dialect]);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('what the target does not take is refused, and not tried in silence', async () => {
  const { code, stderr } = await fuseloop(['fuzz', '--target', 'reader', '--machine', spendthrift]);
  expect(stderr).toBe(
    'fuseloop: machine is given, and the target reader does not take it.\nIt is taken by machine, snapshot, journal, run and all.\n',
  );
  expect(code).toBe(2);
});

describe('flags', () => {
  it.each<[string[], RegExp]>([
    [['--target', 'raeder'], /^--target is "raeder"\. Did you mean reader\?\nThe targets are: reader, .*, all\./],
    [['--traget', 'x'], /^There is no flag --traget\. Did you mean --target\?\nThe flags are: --target, .*--help\.$/],
    [['reader'], /^fuseloop fuzz takes flags only, and there is "reader"\.\nThe flags are/],
    [['--seed', '1.5'], /^--seed is "1\.5"\.\nIt is a whole number of up to 32 bits/],
    [['--seed', '99999999999'], /^--seed is "99999999999"\./],
    [['--runs', '0'], /^--runs is "0"\.\nIt is a whole number from 1\./],
    [['--runs'], /^--runs is given no value\./],
    [['--path', '1:x', '--seed', '1'], /^--path is "1:x"\.\nIt is what a failure names/],
    [['--path', '1:2', '--target', 'reader'], /^--path is given without --seed\.\n.*give all three/],
    [['--path', '1:2', '--seed', '3'], /^--path is given without --target\./],
    [['--dialect', 'labeled'], /^--dialect is "labeled"\. Did you mean labelled\?/],
    [['--json=yes'], /^--json is given a value\./],
    [['--constructor'], /^There is no flag --constructor\./],
  ])('%j is misuse', (argv, message) => {
    const thrown = (() => {
      try {
        return readFuzzFlags(argv);
      } catch (reason) {
        return reason;
      }
    })();
    expect(thrown).toMatchObject({ code: 'invalid_option' });
    const { message: said, hint } = Object(thrown);
    expect(`${said}\n${hint}`).toMatch(message);
  });

  it('are read', () => {
    expect(readFuzzFlags([])).toEqual({ target: 'all', json: false });
    expect(readFuzzFlags(['--target', 'sse', '--seed=-4', '--runs', '10', '--path', '1:2', '--json'])).toEqual({
      target: 'sse',
      seed: -4,
      runs: 10,
      path: '1:2',
      json: true,
    });
    expect(readFuzzFlags(['-h'])).toBe('help');
  });

  it('all stand in the help, as do the targets, and the command stands in that of the program', () => {
    for (const name of Object.keys(fuzzFlagTable)) expect(fuzzHelpText()).toContain(`--${name}`);
    for (const name of fuzzTargetNames) expect(fuzzHelpText()).toMatch(new RegExp(`^ {2}${name} +\\w`, 'm'));
    expect(helpText()).toContain('fuseloop fuzz');
  });
});

test.each([
  ['--tools', fixture('no-tools.mjs'), 'no tool is exported'],
  ['--tools', 'nowhere.mjs', '--tools nowhere.mjs cannot be loaded'],
  ['--machine', fixture('no-tools.mjs'), 'no machine is exported'],
  ['--machine', 'nowhere.mjs', '--machine nowhere.mjs cannot be loaded'],
])('%s %s is misuse', async (flag, path, message) => {
  const { code, stdout, stderr } = await fuseloop(['fuzz', flag, path]);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(message);
});
