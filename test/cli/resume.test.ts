/** `fuseloop run --store` and `fuseloop resume`, each in a process of its own: suspend in one, decide in another. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readResumeFlags } from '../../src/cli/resume-flags.ts';
import { fixture, folder, fuseloop } from './command.ts';
import { atTerminal, hasPseudoTerminal } from './pseudo-terminal.ts';
import { answers, asks, asksAll, keep } from './stored-runs.ts';

describe('a call that waits ends the process, and is decided in another', () => {
  it.each(['files', 'sqlite'] as const)('with the commands that are printed: %s', async (kind) => {
    const kept = await keep([asks('note', 'a'), asks('send', 'ada'), answers], [], kind);
    const first = await kept.run(['--run-id', 'letter']);
    expect(first.code).toBe(3);
    expect(first.stdout).toContain(`Run: letter, kept in ${kept.name}\n`);
    expect(first.stdout).toMatch(/^Waits {7}2\.1 send \{"to":"ada"\}$/m);
    const [approve = ''] = first.stdout.match(/fuseloop resume .*--approve 2\.1$/m) ?? [];
    expect(await kept.listed()).toMatchObject([{ runId: 'letter', status: 'suspended', task: 'Do it.' }]);

    const second = await fuseloop(approve.split(' ').slice(1), { env: { EFFECTS: `${kept.path}.effects` } });
    expect(second.stdout).toContain('Observation: sent to ada\n');
    expect(second.stdout).toContain('Result      answered');
    expect(second.code).toBe(0);
    expect(kept.effects()).toBe('noted a\nsent ada\n');
    expect(kept.requests).toHaveLength(3);
    expect(await kept.listed()).toMatchObject([{ status: 'ended', stopReason: 'final' }]);
  });

  it('a run that is over is told again, without its tools and its model', async () => {
    const kept = await keep([answers]);
    const first = await kept.run(['--run-id', 'over', '--json']);
    const { code, stdout } = await fuseloop(['resume', 'over', '--store', kept.name, '--json']);
    // Instants are those of the journal, a moment beside those of the process.
    const { steps, startedAtMs: _, endedAtMs: __, ...rest } = JSON.parse(first.stdout);
    expect(JSON.parse(stdout)).toMatchObject({ ...rest, steps: [{ answer: 'It is done.' }] });
    expect({ code, steps: steps.length, requests: kept.requests.length }).toEqual({ code: 0, steps: 1, requests: 1 });
    const shown = await fuseloop(['resume', 'over', '--store', kept.name]);
    expect(shown.stdout).toMatch(/^Run: over, kept in .*, is over$/m);
    expect(shown.stdout).toContain('Answer: It is done.');
    expect(shown.stdout).toMatch(/^Steps {7}1$/m);
    expect(shown.code).toBe(0);
  });

  it.each<[string, string[], string, string]>([
    ['denied with a reason', ['--deny', '1.1', '--why', '星期五 "no"'], '', 'was not executed: 星期五'],
    ['edited', ['--edit', '1.1', '{"to":"bob"}'], 'sent bob\n', 'sent to bob'],
    ['edited into what the gates refuse', ['--edit=1.1', '{"to":7}'], '', 'The input of send cannot be used'],
  ])('%s', async (_how, decision, effects, told) => {
    const kept = await keep([asks('send', 'ada'), answers]);
    await kept.run(['--run-id', 'r']);
    const { code, stdout } = await kept.resume('r', decision);
    expect(stdout).toContain(told);
    expect(code).toBe(0);
    expect(kept.effects()).toBe(effects);
    expect(JSON.stringify(kept.requests[1]?.body)).toContain(JSON.stringify(told).slice(1, -1));
  });

  it('two calls of one reply, one after the other in two processes', async () => {
    const script = [asksAll(['send', 'ada'], ['send', 'bob']), { text: 'It is done.' }];
    const kept = await keep(script, ['--dialect', 'native', '--trace', 'two.jsonl']);
    const first = await kept.run(['--run-id', 'two']);
    expect(first.stdout).toMatch(/--approve 1\.1$/m);
    expect(first.stdout).toMatch(/--approve 1\.2$/m);
    const second = await kept.resume('two', ['--deny', '1.2', '--why', 'not bob']);
    expect(second.code).toBe(3);
    expect(second.stdout).toMatch(/^Waits {7}1\.1 send \{"to":"ada"\}$/m);
    expect(second.stdout).not.toMatch(/^Waits {7}1\.2/m);
    expect(kept.effects()).toBe('');
    const third = await kept.resume('two', ['--approve', '1.1']);
    expect(third.code).toBe(0);
    expect(kept.effects()).toBe('sent ada\n');
    expect(JSON.stringify(kept.requests[1]?.body)).toContain('not bob');
    expect((await fuseloop(['replay', 'two.jsonl'])).code).toBe(0);
    expect(kept.requests).toHaveLength(2);
  });

  it('both at once, and what asks later waits again', async () => {
    const script = [asksAll(['send', 'ada'], ['send', 'bob']), asksAll(['send', 'eve']), { text: 'It is done.' }];
    const kept = await keep(script, ['--dialect', 'native']);
    await kept.run(['--run-id', 'three']);
    const second = await kept.resume('three', ['--approve', '1.2', '--approve', '1.1']);
    expect(second.code).toBe(3);
    expect(second.stdout).toMatch(/^Waits {7}2\.1 send \{"to":"eve"\}$/m);
    expect(kept.effects().split('\n').sort().join()).toBe(',sent ada,sent bob');
  });

  it('--json: the documents, and the commands beside them', async () => {
    const kept = await keep([asks('send', 'ada'), answers]);
    const first = await kept.run(['--run-id', 'doc', '--json']);
    expect(JSON.parse(first.stdout)).toMatchObject({ stopReason: 'suspended', runId: 'doc' });
    expect(first.stderr).toContain('--approve 1.1');
    const waits = await kept.resume('doc', ['--json']);
    expect(JSON.parse(waits.stdout)).toMatchObject({
      runId: 'doc',
      status: 'suspended',
      waiting: [{ toolCallId: '1.1', tool: 'send', input: { to: 'ada' } }],
    });
    expect(waits.code).toBe(3);
    const last = await kept.resume('doc', ['--json', '--approve', '1.1']);
    expect(JSON.parse(last.stdout)).toMatchObject({ ok: true, answer: 'It is done.' });
  });

  it('and a trace goes on in its file', async () => {
    const kept = await keep([asks('send', 'ada'), answers], ['--trace', 'going-on.jsonl']);
    await kept.run(['--run-id', 'traced']);
    await kept.resume('traced', ['--approve', '1.1']);
    const lines = readFileSync(join(folder, 'going-on.jsonl'), 'utf8').trimEnd().split('\n');
    const types = lines.map((line) => JSON.parse(line).type);
    expect(types.filter((type) => type.startsWith('run.'))).toEqual([
      'run.started',
      'run.ended',
      'run.resumed',
      'run.ended',
    ]);
    const audit = await fuseloop(['audit', 'going-on.jsonl']);
    expect(audit.code).toBe(0);
    expect(audit.stdout).toMatch(/approved +send/);
    const replay = await fuseloop(['replay', 'going-on.jsonl']);
    expect(replay.stdout).toMatch(/^same going-on/);
    expect(replay.code).toBe(0);
  });
});

describe('a run goes on', () => {
  it('with a larger limit, and is refused with the flag where that is not larger', async () => {
    const kept = await keep([asks('note', 'a'), asks('note', 'b'), answers]);
    const first = await kept.run(['--run-id', 'limited', '--max-steps', '1']);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/^Go on {7}With more it goes on: fuseloop resume limited .*--max-steps 2$/m);
    const refused = await kept.resume('limited');
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^fuseloop: --max-steps is 1, and the run has used 1\.\n.*--max-steps 2 at least/),
    });
    const last = await kept.resume('limited', ['--max-steps', '5']);
    expect(last.code).toBe(0);
    expect(last.stdout).toContain('Steps       3 of 5');
    expect(kept.effects()).toBe('noted a\nnoted b\n');
  });

  it('in the dialect and the language that it is written in, without their flags', async () => {
    const kept = await keep([
      { text: '{"thought":"t","action":"send","args":{"to":"ada"}}' },
      { text: '{"thought":"t","action":"finish","args":{"answer":"好"}}' },
    ]);
    await kept.run(['--run-id', 'json', '--dialect', 'json', '--language', 'zh']);
    const wrong = await kept.resume('json', ['--dialect', 'tags', '--approve', '1.1']);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--dialect is tags, and the run is written in json.'),
    });
    const { code, stdout } = await kept.resume('json', ['--approve', '1.1']);
    expect(stdout).toContain('Answer: 好');
    expect(stdout).toContain('Violations  0');
    expect(code).toBe(0);
  });

  it.each<[string, readonly string[]]>([
    ['labelled', []],
    ['labelled, with tools that were changed since', ['--tools', 'changed-tools.mjs']],
    ['native, with tools that were changed since', ['--tools', 'changed-tools.mjs', '--dialect', 'native']],
  ])('in Chinese, without --language: %s', async (_how, flags) => {
    const tools = pathToFileURL(fixture('lasting-tools.mjs'));
    writeFileSync(
      join(folder, 'changed-tools.mjs'),
      `import { send as before } from '${tools}';\nexport const send = { ...before, description: 'Sends it.' };\n`,
    );
    const isNative = flags.includes('native');
    const kept = await keep([isNative ? asksAll(['send', 'ada']) : asks('send', 'ada'), answers]);
    const dialect = isNative ? ['--dialect', 'native'] : [];
    await kept.run(['--run-id', 'zh', '--language', 'zh', ...dialect]);
    const before = readFileSync(join(kept.path, 'zh.jsonl'), 'utf8');
    expect(await kept.resume('zh', ['--language', 'en', '--deny', '1.1', ...flags])).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'fuseloop: --language is en, and the run is written in zh.\nLeave --language out, or give --language zh. Nothing was changed.\n',
    });
    expect(readFileSync(join(kept.path, 'zh.jsonl'), 'utf8')).toBe(before);
    const { code, stdout } = await kept.resume('zh', ['--deny', '1.1', ...flags]);
    expect(stdout).toContain('send 未被允许，没有执行');
    expect(JSON.stringify(kept.requests[1]?.body)).toContain('send 未被允许，没有执行');
    expect(code).toBe(0);
  });

  it('of a demonstration, which is known by its task', async () => {
    const store = ['--store', 'demo-store'];
    await fuseloop(['run', '--demo', 'rollback', '--run-id', 'demo', ...store]);
    const { code, stdout } = await fuseloop(['resume', 'd', '--deny', '2.1', ...store]);
    expect(stdout).toContain('Nothing was changed: the order service still runs v2.14.0');
    expect(code).toBe(0);
  });
});

describe('misuse changes nothing', () => {
  it.each<[string, string[], RegExp]>([
    [
      'an unknown call',
      ['--approve', '9.9'],
      /^fuseloop: No call "9\.9" of the run r waits for a decision\.\nWaiting: 1\.1 \(send\)\. Nothing was changed\.\n$/,
    ],
    ['one unknown beside a known one', ['--approve', '1.1', '--deny', '1.2'], /^fuseloop: No call "1\.2" of/],
  ])('%s', async (_what, decision, message) => {
    const kept = await keep([asks('send', 'ada'), answers]);
    await kept.run(['--run-id', 'r']);
    const before = readFileSync(join(kept.path, 'r.jsonl'), 'utf8');
    const { code, stdout, stderr } = await kept.resume('r', decision);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(readFileSync(join(kept.path, 'r.jsonl'), 'utf8')).toBe(before);
    expect(kept.effects()).toBe('');
  });

  it.each<[string, string[], RegExp]>([
    ['two decisions about one call', ['r', '--approve', '1.1', '--deny', '1.1'], /^The call "1\.1" is decided twice\./],
    ['an input that is no JSON', ['r', '--edit', '1.1', '{to:'], /^The input of --edit 1\.1 is no JSON: /],
    ['an input that is missing', ['r', '--edit', '1.1'], /^--edit 1\.1 is given no input\./],
    ['a reason for nothing', ['r', '--approve', '1.1', '--why', 'x'], /^--why stands behind no --deny of its own\./],
    ['two reasons', ['r', '--deny', '1.1', '--why', 'x', '--why', 'y'], /^--why stands behind no --deny/],
    ['no call', ['r', '--approve'], /^--approve is given no value\./],
    ['a flag in place of a call', ['r', '--deny', '--why', 'x'], /^--deny is given no value\./],
    ['no run', ['--store', 'x'], /^There is no run\./],
    ['no store', ['r'], /^There is no --store\./],
  ])('what is told of %s', (_what, argv, message) => {
    expect(() => readResumeFlags(argv)).toThrow(message);
  });

  it('decisions are read in their order, also with dashes and behind other flags', () => {
    const argv = ['r', '--store', 's', '--deny=1.1', '--why=-no', '--edit', '1.2', '-5', '--approve', '1.3', '--json'];
    expect(readResumeFlags(argv)).toMatchObject({
      run: 'r',
      json: true,
      decisions: [
        { kind: 'deny', callId: '1.1', why: '-no' },
        { kind: 'edit', callId: '1.2', input: -5 },
        { kind: 'approve', callId: '1.3' },
      ],
    });
  });

  it('tools that are missing, a run that is not there, ids that are several, an id that is taken', async () => {
    const kept = await keep([asks('send', 'ada'), answers]);
    await kept.run(['--run-id', 'aa-1']);
    const url = kept.agent.slice(2);
    const told = async (argv: readonly string[]) => {
      const { code, stderr } = await fuseloop(argv);
      expect(code).toBe(2);
      return stderr;
    };
    const where = ['--store', kept.name];
    expect(await told(['resume', 'aa', ...where, ...url, '--approve', '1.1'])).toMatch(
      /The run has the tool "fragile", and without --tools there is none.*\nGive --tools FILE/,
    );
    expect(await told(['resume', 'b', ...where])).toMatch(/^fuseloop: There is no run "b" in the files in/);
    expect(await told(['resume', 'b', '--store', 'nowhere'])).toMatch(/^fuseloop: There is no nowhere/);
    expect(await told(['resume', 'b', '--store', 'nowhere.db'])).toMatch(/^fuseloop: There is no nowhere\.db/);
    expect(await told(['resume', 'b', '--store', import.meta.filename])).toMatch(/is a file, and no store of runs\./);
    expect(await told(['resume', 'aa', 'b', ...where])).toMatch(/^fuseloop: There is "b" behind the run "aa"\./);
    expect(await told(['resume', 'aa'])).toMatch(/^fuseloop: There is no --store\./);
    expect(await told(['run', 'x', '--resume-on-crash'])).toMatch(
      /^fuseloop: --resume-on-crash is given without --store/,
    );
    expect(await told(['run', 'x', '--run-id', 'aa-1', ...where])).toMatch(
      /is stored already.*\n.*fuseloop resume aa-1 --store/,
    );
    await kept.run(['--run-id', 'aa-2']);
    expect(await told(['resume', 'aa', ...where])).toMatch(
      /^fuseloop: The ids of 2 runs begin with "aa"\.\nName one of them: aa-/,
    );
    expect(kept.effects()).toBe('');
  });
});

describe.skipIf(!hasPseudoTerminal)('at a terminal', () => {
  it('the person is asked, and with --unattended not', async () => {
    const kept = await keep([asks('send', 'ada'), answers]);
    const argv = (command: string, run: string, ...more: readonly string[]) => [
      command,
      run,
      '--store',
      kept.name,
      ...kept.agent,
      ...more,
    ];
    const first = await atTerminal(argv('run', 'Do it.', '--run-id', 'seen', '--unattended'), []);
    expect(first.code).toBe(3);
    const second = await atTerminal(argv('resume', 'seen'), [['[e]dit: ', 'y']]);
    expect(second.screen).toContain('Run send with {"to":"ada"}?\n');
    expect(second.screen).toContain('Observation: sent to ada\n');
    expect(second.code).toBe(0);
  });
});
