/** The soak itself, short, as a process of its own; and that it notices loops which are wrong. */
import { type ChildProcess, spawn } from 'node:child_process';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root } from '../cases/root.ts';
import { planting } from '../nets/plant.ts';
import { verdictOn } from './memory.ts';

/** Another seed each day, so that the days add up. */
const seed = Math.floor(Date.now() / 86_400_000);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Start {
  /** Planted in the library before. */
  readonly bug?: Parameters<typeof planting>[0];
  readonly onStderr?: (text: string, child: ChildProcess) => void;
}

/** From the standard input, so that the program can be changed before and finds its packages all the same. */
async function soakProcess(argv: readonly string[], { bug, onStderr }: Start = {}): Promise<Ended> {
  const program = await (bug === undefined ? asItIs() : bundled(bug));
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-', ...argv], { cwd: root });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr.push(text);
    onStderr?.(text, child);
  });
  child.stdin.end(program);
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stdout: stdout.join(''), stderr: stderr.join('') }));
  });
}

let unchanged: Promise<string> | null = null;

function asItIs(): Promise<string> {
  unchanged ??= bundled();
  return unchanged;
}

async function bundled(bug?: Start['bug']): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['test/soak/main.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
    plugins: bug === undefined ? [] : [planting(bug)],
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

const short = ['--seconds', '2', '--runs', '15', '--seed', `${seed}`, '--faults', '0.15', '--silence', '3000'];

test(`every run ends as its script implies, and nothing is left (seed ${seed})`, async () => {
  const { code, stdout, stderr } = await soakProcess(short);
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^\d+ runs, \d+ steps, \d+ requests, [1-9]\d* of them with a fault \(seed \d+\)$/m);
  expect(stdout).toMatch(/^ {2}final +[1-9]\d*$/m);
  expect(stdout).toMatch(/^ {2}step 1 +[\d.]+ % of [1-9]\d*$/m);
  expect(stdout).toMatch(/^ {2}a step, p95 +\d+ ms$/m);
  expect(stdout).toMatch(/at most, of \d+ allowed; 0 at the end$/m);
  expect(stdout).toMatch(/^ {2}handles left +0$/m);
  expect(stderr).toBe(`15 runs at once for 2 s, seed ${seed}\n`);
});

test.each([
  [
    'a try too few',
    {
      file: 'machines/guards.ts',
      find: 'context.attempt <= context.limits.modelRetries',
      replace: 'context.attempt < context.limits.modelRetries',
    },
    'the end: "final" is implied, and "model_error" came',
  ],
  [
    'a reply that broke off is taken for a whole one',
    {
      file: 'src/models/openai/reply.ts',
      find: 'if (done) return finishReason',
      replace: 'if (done || hasContent) return finishReason',
    },
    'a reply that failed is used: false is implied, and true came',
  ],
  [
    'a call is made twice',
    {
      file: 'src/dispatch/call.ts',
      find: '() => tool.execute(input, toolCallOptions)',
      replace: '() => (tool.execute(input, toolCallOptions), tool.execute(input, toolCallOptions))',
    },
    'what the tools did',
  ],
])('a planted fault is found: %s', async (_, bug, found) => {
  const argv = ['--seconds', '3', '--runs', '15', '--seed', '1', '--faults', '0.4', '--silence', '2000'];
  const { code, stdout } = await soakProcess(argv, { bug });
  expect(code).toBe(1);
  expect(stdout).toContain(found);
  expect(stdout).toMatch(/^Run \d+ \(seed \d+\) differs\. (?:openai|anthropic) /m);
  expect(stdout).toContain('"type":"run.started"');
  expect(stdout).toMatch(/^Not as it should be: \d+ runs did not end as their scripts imply\.$/m);
});

test.each(['file', 'sqlite', 'memory'])('stored runs end so, too, and leave nothing (%s)', async (kind) => {
  // Each also waits for the disk: on a machine that is busy with other tests fewer are enough, and silence is longer.
  const few = ['--seconds', '4', '--runs', '8', '--seed', `${seed}`, '--faults', '0.15', '--silence', '6000'];
  const { code, stdout, stderr } = await soakProcess([...few, '--store', kind]);
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^ {2}taken up again by id +[1-9]\d*$/m);
  expect(stdout).toMatch(/^ {2}durable lines +[1-9]\d*, \d+ a second$/m);
  expect(stdout).toMatch(/^ {2}pruned +[1-9]\d* runs$/m);
  expect(stdout).toMatch(/^ {2}left when all was pruned +0$/m);
  expect(stderr).toBe(`8 runs at once for 4 s, seed ${seed}, stored (${kind})\n`);
});

const runStays = {
  file: 'src/stores/prune.ts',
  find: 'if (await isDeleted(store, runId, endedBeforeMs))',
  replace: 'if (runId !== null)',
};

test('a planted fault is found: pruning leaves what ended in the store', async () => {
  const argv = ['--seconds', '2', '--runs', '15', '--seed', '1', '--silence', '3000', '--store', 'memory'];
  const { code, stdout } = await soakProcess(argv, { bug: runStays });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Not as it should be: runs were stored that should not be: soak-1-\d+: ended/m);
  expect(stdout).toMatch(/^Not as it should be: the store was not empty at the end: soak-1-\d+: ended/m);
});

const hours = ['--hours', '2', '--runs', '20', '--seed', `${seed}`];

test(`simulated hours are as their stories imply, and the same each time (seed ${seed})`, async () => {
  const [one, other] = await Promise.all([soakProcess(hours), soakProcess(hours)]);
  expect(one.code, one.stdout).toBe(0);
  expect(one.stdout).toMatch(/^ {2}processes that died +[1-9]\d*$/m);
  expect(one.stdout).toMatch(/^ {2}runs taken up behind a death +[1-9]\d*$/m);
  expect(one.stdout).toMatch(/^ {2}runs that waited in the store +[1-9]\d*$/m);
  expect(one.stderr).toMatch(/^hour 2 · \d+ runs ended/m);
  expect(digestIn(other.stdout)).toBe(digestIn(one.stdout));
  expect(digestIn((await soakProcess([...hours, '--seed', `${seed + 1}`])).stdout)).not.toBe(digestIn(one.stdout));
});

function digestIn(stdout: string): string | undefined {
  return stdout.match(/^ {2}digest of all lines +([0-9a-f]{16})$/m)?.[1];
}

test.each([
  [
    'an effect that had started is started again',
    {
      file: 'src/dispatch/probe.ts',
      find: 'const unknown = () => done(interruptedCall(call, messages));',
      replace: "const unknown = () => done('run');",
    },
    /was done [23] times\.$/m,
  ],
  ['pruning leaves what ended in the store', runStays, /is stored, and should not be: ended\.$/m],
])('a planted fault is found in simulated hours: %s', async (_, bug, found) => {
  const { code, stdout } = await soakProcess(['--hours', '3', '--runs', '30', '--seed', '1'], { bug });
  expect(code, stdout).toBe(1);
  expect(stdout).toMatch(found);
});

test('Ctrl-C ends it with the report so far', async () => {
  const onStderr = (_: string, child: ChildProcess) => child.kill('SIGINT');
  const { code, stdout } = await soakProcess(['--seconds', '600', '--runs', '5', '--seed', '2', '--silence', '2000'], {
    onStderr,
  });
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('Interrupted: this is what was seen until then.');
  expect(stdout).toMatch(/0 at the end$/m);
});

test.each([
  [['--runs', '0'], '--runs is 0. It is a whole number from 1 to 1000. See --help.'],
  [['--faults', '2'], '--faults is 2. It is a number from 0 to 1. See --help.'],
  [['--seed', 'x'], '--seed is x. It is a whole number from 0 to 4294967295. See --help.'],
  [['--store', 'tape'], '--store is tape. It is one of file, sqlite, memory. See --help.'],
  [['--hours', '0'], '--hours is 0. It is a whole number from 1 to 1000. See --help.'],
  [['--fast'], "Unknown option '--fast'"],
])('misuse is told: %j', async (argv, said) => {
  const { code, stderr } = await soakProcess(argv);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
});

test('--help tells the options and the exit codes', async () => {
  const { code, stdout } = await soakProcess(['--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: npm run soak/);
  expect(stdout).toContain('Exit code');
});

/** The heap of a process that is busy: it goes up and down by a megabyte. */
const heap = (grows: (look: number) => number) =>
  Array.from({ length: 240 }, (_, look) => 30e6 + grows(look) + 1e6 * Math.abs(Math.sin(look)));

test.each([
  ['busy', heap(() => 0), true],
  ['filling its caches at the beginning', heap((look) => 5e6 * Math.min(1, look / 50)), true],
  ['with one odd slice', heap((look) => (look > 120 && look < 150 ? 20e6 : 0)), true],
  ['leaking 40 kB a look', heap((look) => 40e3 * look), false],
  ['seen too seldom', heap((look) => 1e6 * look).slice(0, 20), null],
])('memory that is %s', (_, heaps, flat) => {
  expect(verdictOn(heaps).flat).toBe(flat);
});
