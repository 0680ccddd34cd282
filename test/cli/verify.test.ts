/** `fuseloop verify` as a real process. */
import { expect, test } from 'vitest';
import { bundledFixture, fixture, fuseloop } from './command.ts';

const small = ['--max-steps', '1', '--max-tool-calls', '1', '--calls-per-reply', '1'];

test('the shipped machine: the verdict, and what was covered', async () => {
  const { code, stdout, stderr } = await fuseloop(['verify', ...small]);
  expect(code).toBe(0);
  expect(stderr).toBe('');
  const [verdict] = stdout.split('\n');
  expect(verdict).toBe('Every path ends within its budget, and every law holds on every edge.');
  for (const fact of ['machine', 'budgets', 'states', 'edges', 'dropped', 'longest', 'laws'])
    expect(stdout).toMatch(new RegExp(`^${fact} +[\\w]`, 'm'));
  expect(stdout).toContain('- the rank falls\n');
});

test('a machine that was changed: the law that is broken, and the path to it', async () => {
  const { code, stdout } = await fuseloop(['verify', '--machine', bundledFixture('machine-spendthrift.mjs')]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^A law is broken\./);
  expect(stdout).toContain('broken   the model is not asked when a budget is spent\n');
  expect(stdout).toContain('│ run.started  ⇒ recordStep, askModel\n     ▼\n  THOUGHT.reasoning   ✗ here\n');
});

test('--json: one document, of a machine that a function makes', async () => {
  const { code, stdout } = await fuseloop([
    'verify',
    ...small,
    '--json',
    '--machine',
    bundledFixture('machine-made.mjs'),
  ]);
  expect(code).toBe(0);
  const document = JSON.parse(stdout.slice('made\n'.length));
  expect(document).toMatchObject({ ok: true, counterexample: null, bounds: { maxSteps: 1, maxToolCalls: 1 } });
  expect(document.states).toBeGreaterThan(100);
  expect(document.entered.FINAL).toBeGreaterThan(0);
});

test('Ctrl-C: says how far it came, and ends with 130', async () => {
  let stopped = false;
  const { code, stderr } = await fuseloop(
    ['verify', '--max-steps', '9', '--machine', bundledFixture('machine-made.mjs')],
    {
      onStdout: (_, child) => {
        if (!stopped) child.kill('SIGINT');
        stopped = true;
      },
    },
  );
  expect(stderr).toMatch(/^Stopped after [\d,]+ budgets, [\d,]+ states and [\d,]+ edges, which held\.\n$/);
  expect(code).toBe(130);
});

test.each<[string[], RegExp]>([
  [['--max-steps', 'x'], /^fuseloop: --max-steps is "x"\.\nIt is a whole number/],
  [['--max-steps=-1'], /^fuseloop: --max-steps is "-1"\./],
  [['--calls-per-reply', '4'], /^fuseloop: --calls-per-reply is "4"\.\nIt is 1, 2 or 3\./],
  [['--max-step', '3'], /^fuseloop: There is no flag --max-step\. Did you mean --max-steps\?/],
  [['everything'], /^fuseloop: fuseloop verify takes flags only, and there is "everything"\./],
  [['--machine', 'nowhere.mjs'], /^fuseloop: --machine nowhere\.mjs cannot be loaded/],
  [['--machine', fixture('machine-foreign.mjs')], /: the machine is not made from the parts of fuseloop\/machine: /],
  [['--machine', fixture('weather-tools.mjs')], /^fuseloop: --machine .*: no machine is exported\./],
])('misuse %j', async (argv, message) => {
  const { code, stdout, stderr } = await fuseloop(['verify', ...argv]);
  expect(stderr).toMatch(message);
  expect(stdout).toBe('');
  expect(code).toBe(2);
});

test('--help', async () => {
  const { code, stdout } = await fuseloop(['verify', '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^fuseloop verify: /);
  expect(stdout).toContain('--max-tool-errors N');
});
