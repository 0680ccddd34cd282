/** Stored runs whose process is killed, stopped or held: what another process makes of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folder } from './command.ts';
import { answers, asks, keep } from './stored-runs.ts';

const pidIn = (text: string) => Number(/waiting in (\d+)/.exec(text)?.[1]);

it('kill -9 in the middle of a run: it is interrupted, goes on, and does nothing twice', async () => {
  const kept = await keep([asks('note', 'a'), asks('fragile', 'b'), asks('note', 'c'), answers]);
  const first = await kept.run(['--run-id', 'killed']);
  expect(first.code).toBe(null);
  expect(await kept.listed()).toMatchObject([{ runId: 'killed', status: 'interrupted' }]);
  const decided = await kept.resume('killed', ['--approve', '1.1']);
  expect(decided).toMatchObject({ code: 2, stderr: expect.stringContaining('None waits. Nothing was changed.') });
  const second = await kept.resume('killed');
  expect(second.stdout).toContain('Observation: saw b\n');
  expect(second.stdout).toContain('Result      answered');
  expect(second.code).toBe(0);
  expect(kept.effects()).toBe('noted a\nlooked b\nnoted c\n');
  expect(kept.requests).toHaveLength(4);
});

it('--resume-on-crash goes on by itself; output, trace and exit code are those of the run', async () => {
  const kept = await keep([asks('note', 'a'), asks('fragile', 'b'), asks('fragile', 'c'), answers]);
  const { code, stdout, stderr } = await kept.run(['--resume-on-crash', '--trace', 'crash.jsonl', '--json']);
  expect(
    stderr.match(/^fuseloop: the process of run \S+ was killed by SIGKILL; another one goes on\.$/gm),
  ).toHaveLength(2);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, answer: 'It is done.' });
  expect(code).toBe(0);
  expect(kept.effects()).toBe('noted a\nlooked b\nlooked c\n');
  const lines = readFileSync(join(folder, 'crash.jsonl'), 'utf8').trimEnd().split('\n');
  const types: string[] = lines.map((line) => JSON.parse(line).type);
  expect(types.filter((type) => type.startsWith('run.'))).toEqual([
    'run.started',
    'run.resumed',
    'run.resumed',
    'run.ended',
  ]);
});

it('a call that ends the process each time is not tried for ever, and the run goes on without it', async () => {
  const kept = await keep([asks('fragile', 'always'), answers]);
  const { code, stdout } = await kept.run(['--resume-on-crash']);
  expect(kept.effects()).toMatch(/^(?:looked always\n){2,5}$/);
  expect(stdout).toContain('Result      answered');
  expect(code).toBe(0);
});

it('--resume-on-crash gives up where no process gets so far as to go on, and says how to', async () => {
  const kept = await keep([asks('fragile', 'b'), answers]);
  const { code, stderr } = await kept.run(['--resume-on-crash', '--run-id', 'lost'], {
    env: { EFFECTS: `${kept.path}.effects`, DIES_WHEN_LOADED: '1' },
  });
  expect(kept.effects()).toBe(`looked b\n${'loaded\n'.repeat(4)}`);
  expect(stderr).toContain('the run crashed 5 times without getting further; the last time it was killed by SIGKILL.');
  expect(stderr).toContain(`fuseloop resume lost --store ${kept.name}`);
  expect(code).toBe(137);
  expect(await kept.listed()).toMatchObject([{ status: 'interrupted' }]);
});

it.each<[string, string[], number]>([
  ['a run that waits', ['--resume-on-crash'], 3],
  ['a limit', ['--resume-on-crash', '--max-steps', '1', '--policy', 'all'], 1],
  ['misuse', ['--resume-on-crash', '--policy', 'allow:nobody'], 2],
])('--resume-on-crash leaves %s as it is', async (_what, flags, expected) => {
  const kept = await keep([asks('send', 'ada'), answers]);
  const { code, stderr } = await kept.run(flags);
  expect(code).toBe(expected);
  expect(stderr).not.toContain('another one goes on');
});

it.each<[NodeJS.Signals, string[], number]>([
  ['SIGINT', [], 130],
  ['SIGTERM', [], 143],
  ['SIGTERM', ['--resume-on-crash'], 143],
])('%s %j aborts a stored run, which can be gone on with', async (signal, flags, expected) => {
  const kept = await keep([asks('note', 'a'), asks('wait', 'b'), answers]);
  let worker = 0;
  const { code, stdout } = await kept.run(['--run-id', 'stopped', ...flags], {
    onStdout: (text, child) => {
      if (worker !== 0 || !text.includes('waiting in')) return;
      worker = pidIn(text);
      child.kill(signal);
    },
    env: { EFFECTS: `${kept.path}.effects` },
  });
  expect(code).toBe(expected);
  expect(stdout).toMatch(/^Go on {7}To go on: fuseloop resume stopped --store .*\n$/m);
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Go on /);
  expect(() => process.kill(worker, 0)).toThrow('ESRCH');
  expect(await kept.listed()).toMatchObject([{ status: 'ended', stopReason: 'aborted' }]);
  expect(kept.effects()).toBe('noted a\n');
});

it('a supervisor that is killed leaves nobody behind', async () => {
  const kept = await keep([asks('wait', 'b'), answers]);
  let worker = 0;
  await kept.run(['--run-id', 'orphan', '--resume-on-crash'], {
    onStdout: (text, child) => {
      if (worker !== 0 || !text.includes('waiting in')) return;
      worker = pidIn(text);
      child.kill('SIGKILL');
    },
    env: { EFFECTS: `${kept.path}.effects` },
  });
  // The pipe has closed, so the last process that writes to it is gone; and it went in good order.
  expect(await kept.listed()).toMatchObject([{ status: 'ended', stopReason: 'aborted' }]);
});

it('two at once: one drives the run, and the other is told which process does', async () => {
  const kept = await keep([asks('send', 'ada'), asks('wait', 'b'), answers]);
  await kept.run(['--run-id', 'held']);
  let second: Awaited<ReturnType<typeof kept.resume>> | null = null;
  let pid = 0;
  await kept.resume('held', ['--approve', '1.1'], {
    onStdout: (text, child) => {
      if (pid !== 0 || !text.includes('waiting in')) return;
      pid = pidIn(text);
      void kept.resume('held', ['--approve', '1.1']).then((ended) => {
        second = ended;
        child.kill('SIGTERM');
      });
    },
    env: { EFFECTS: `${kept.path}.effects` },
  });
  expect(second).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`is held by process ${pid} on this machine`),
  });
  expect(kept.effects()).toBe('sent ada\n');
});
