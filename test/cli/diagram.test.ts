/** `fuseloop diagram` as a real process: both forms, files, machines of others, misuse. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledFixture, fixture, folder, fuseloop, program } from './command.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('Mermaid is the default, and the picture that docs/machine.md shows', async () => {
  const { code, stdout, stderr } = await fuseloop(['diagram']);
  expect([code, stderr]).toEqual([0, '']);
  expect(read('docs/machine.md')).toContain(`\`\`\`mermaid\n${stdout}\`\`\``);
  expect(await fuseloop(['diagram', '--mermaid'])).toEqual({ code, stdout, stderr });
});

test.each([
  [['--svg'], 'docs/machine.svg'],
  [['--svg', '--tall'], 'docs/machine-tall.svg'],
])('%j is the picture of the pages', async (flags, page) => {
  const { code, stdout, stderr } = await fuseloop(['diagram', ...flags]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(read(page));
});

test('--out: a file that is there is replaced, whatever its name is, and stdout is empty', async () => {
  const file = join(folder, '图 of the machine.svg');
  writeFileSync(file, 'x'.repeat(100_000));
  expect(await fuseloop(['diagram', '--svg', '--out', file])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(file, 'utf8')).toBe(read('docs/machine.svg'));
});

test('a machine with our states is drawn in both forms', async () => {
  const spendthrift = ['--machine', bundledFixture('machine-spendthrift.mjs')];
  expect((await fuseloop(['diagram', ...spendthrift])).stdout).toBe((await fuseloop(['diagram'])).stdout);
  expect((await fuseloop(['diagram', '--svg', ...spendthrift])).stdout).toBe(read('docs/machine.svg'));
});

test('a machine of others: its names stay names', async () => {
  const { code, stdout } = await fuseloop(['diagram', '--machine', fixture('machine-odd.mjs')]);
  expect(code).toBe(0);
  expect(stdout).toBe(`stateDiagram-v2
  direction LR
  state "to do" as s0_
  state "to do.end" as s1_
  state "say 'no'" as s8_
  [*] --> s0_
  state s0_ {
    [*] --> s1_
    s1_ --> s1_: self
    open --> s1_: a
  }
  state beside {
    right
    --
    state left {
      [*] --> one
      one --> two: go
      two --> [*]
    }
  }
  s0_ --> beside: a#60;b#62;#59;c
  s0_ --> s8_: x   evil --#62; y
  s8_ --> [*]
`);
});

test('a reader that goes away', () => {
  const words = [process.execPath, ...program, 'diagram', '--svg'].map((word) => `"${word}"`);
  const command = `${words.join(' ')} | head -c 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['<', '']);
});

const odd = fixture('machine-odd.mjs');

test.each<[string[], RegExp]>([
  [['--mermaid', '--svg'], /^fuseloop: There are --mermaid and --svg\.\nOne picture at a time/],
  [['--tall'], /^fuseloop: --tall is given without --svg\.\n.*add --svg/],
  [['--svgs'], /^fuseloop: There is no flag --svgs\. Did you mean --svg\?/],
  [['--svg=yes'], /^fuseloop: --svg is given a value\./],
  [['machine.js'], /^fuseloop: fuseloop diagram takes flags only, and there is "machine\.js"\./],
  [['--machine', 'nowhere.mjs'], /^fuseloop: --machine nowhere\.mjs cannot be loaded/],
  [['--machine', fixture('weather-tools.mjs')], /^fuseloop: --machine .*: no machine is exported\./],
  [
    ['--svg', '--machine', odd],
    /^fuseloop: --svg has no place for to do\.end > .* of --machine .*\n.*Mermaid draws any machine/,
  ],
  [
    ['--out', join(folder, 'none', 'x.svg')],
    /^fuseloop: --out .*x\.svg cannot be written: ENOENT.*\nThe folder must exist/,
  ],
  [['--out', folder], /^fuseloop: --out .* cannot be written: EISDIR/],
])('misuse %j', async (argv, message) => {
  const { code, stdout, stderr } = await fuseloop(['diagram', ...argv]);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, '']);
});

test('--help', async () => {
  const { code, stdout } = await fuseloop(['diagram', '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^fuseloop diagram: /);
  expect(stdout).toContain('--out FILE');
});
