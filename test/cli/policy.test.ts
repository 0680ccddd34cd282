/** `fuseloop run --policy`, the person at the terminal, and what happens where there is none. Real processes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { readDecision } from '../../src/cli/read-decision.ts';
import { AgentError } from '../../src/core/errors.ts';
import { auditOf } from '../../src/observe.ts';
import { type ServerScript, startOpenaiServer } from '../support/openai-server.ts';
import { fixture, folder, fuseloop } from './command.ts';
import { atTerminal, hasPseudoTerminal, type Typed } from './pseudo-terminal.ts';

const asks = (tool: string, input = '{}') => ({ text: `Thought: I ask.\nAction: ${tool}\nAction Input: ${input}` });
const answers = { text: 'Thought: Done.\nFinal Answer: It is done.' };

async function argsFor(script: ServerScript, ...more: readonly string[]) {
  const { baseURL, close } = await startOpenaiServer(script, 7);
  onTestFinished(() => close());
  return ['run', 'Wipe it.', '--tools', fixture('record-tools.cjs'), '--base-url', baseURL, ...more];
}

describe('--policy', () => {
  it.each<[string, unknown]>([
    ['readOnly', 'readOnly'],
    ['dryRun', 'dryRun'],
    ['ask', 'ask'],
    ['all', 'all'],
    ['allow:save', { allow: ['save'] }],
    ['allow: save , send,', { allow: ['save', 'send'] }],
  ])('%s', (text, policy) => expect(readFlags(['x', '--policy', text])).toMatchObject({ policy }));

  it.each<[string, RegExp]>([
    ['readonly', /^--policy is "readonly"\. Did you mean readOnly\?\nIt is readOnly, dryRun, ask, all, or allow: and/],
    ['dry-run', /^--policy is "dry-run"\. Did you mean dryRun\?/],
    ['', /^--policy is ""\./],
  ])('misuse: %j', (text, message) => {
    const told = (): string => {
      try {
        return JSON.stringify(readFlags(['x', '--policy', text]));
      } catch (thrown) {
        return thrown instanceof AgentError ? `${thrown.message}\n${thrown.hint}` : String(thrown);
      }
    };
    expect(told()).toMatch(message);
  });

  it('misuse: a name that is no tool', async () => {
    const ended = await fuseloop(await argsFor([answers], '--policy', 'allow:ping,wip'));
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: 'fuseloop: --policy allows "wip", which is no tool. Did you mean wipe?\nThe tools are: ping, wipe.\n',
    });
  });

  it.each(['allow:', 'allow: ,', 'allow'])('misuse: %s names no tool', async (policy) => {
    const ended = await fuseloop(await argsFor([answers], '--policy', policy));
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'fuseloop: --policy allow: names no tool.\nThe tools are: ping, wipe. Name those that run unasked: --policy ' +
        'allow:ping; or --policy ask to be asked about each that does more than read.\n',
    });
  });

  it.each([
    ['all', 'Observation: wiped\n'],
    ['allow:wipe', 'Observation: wiped\n'],
    ['readOnly', 'Observation: [ToolError] wipe was not run: only tools that read are allowed here.'],
    ['dryRun', 'Observation: (Dry run: wipe would now have been run with the input {}.'],
  ])('%s decides without a person', async (policy, told) => {
    const { code, stdout } = await fuseloop(await argsFor([asks('wipe'), answers], '--policy', policy));
    expect(stdout).toContain(told);
    expect(code).toBe(0);
  });
});

describe('where nobody is there to ask, the run is suspended', () => {
  it('with its events shown, what waits, what to do, and exit code 3', async () => {
    const args = await argsFor([asks('ping'), asks('wipe', '{"disk":"数据"}'), answers], '--trace', 'waits.jsonl');
    const { code, stdout, stderr } = await fuseloop(args);
    expect(stdout).toContain('Thought: I ask.\nAction: ping\nAction Input: {}\nObservation: pong\n');
    expect(stdout).toMatch(/^Result {6}not answered: a call waits for a person \(suspended\)$/m);
    expect(stdout).toMatch(/^Waits {7}wipe \{"disk":"数据"\}$/m);
    expect(stdout).toMatch(/^Next {8}Run it at a terminal .*--policy .*agent\.resume\.$/m);
    expect(stdout).not.toContain('wiped');
    expect(stderr).toBe('');
    expect(code).toBe(3);
    const lines = readFileSync(join(folder, 'waits.jsonl'), 'utf8').trimEnd().split('\n');
    const records = auditOf(lines.map((line) => JSON.parse(line)));
    expect(records.slice(-2)).toMatchObject([
      { decision: 'asked', tool: 'wipe' },
      { decision: 'ended', why: 'suspended' },
    ]);
  });

  it('and --json has the snapshot', async () => {
    const { code, stdout } = await fuseloop(await argsFor([asks('wipe'), answers], '--json'));
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      stopReason: 'suspended',
      snapshot: { format: 'fuseloop.snapshot/1' },
    });
    expect(code).toBe(3);
  });
});

/** What the trace takes for a credential, and hides. */
const looksSecret = 'cookie: a1 && rm -rf /';

it('the snapshot of --json holds what would run, letter by letter; the steps beside it do not', async () => {
  const script = [asks('wipe', JSON.stringify({ disk: looksSecret })), answers];
  const { stdout } = await fuseloop(await argsFor(script, '--json'));
  const { snapshot, steps } = JSON.parse(stdout);
  expect(snapshot.context.calls[0].input).toEqual({ disk: looksSecret });
  expect(steps[0].calls[0].input).toEqual({ disk: 'cookie: [redacted]' });
});

describe.skipIf(!hasPseudoTerminal)('the person at the terminal', () => {
  it('sees what would run, letter by letter', async () => {
    const script = [asks('wipe', JSON.stringify({ disk: looksSecret })), answers];
    const args = (await argsFor(script)).map((arg) => arg.replace('record-tools.cjs', 'asking-tools.mjs'));
    const { screen } = await atTerminal(args, [['[e]dit: ', 'n']]);
    expect(screen).toContain(`Run wipe with {"disk":"${looksSecret}"}?`);
  });

  const question = 'Run wipe with {"disk":"a"}?\nAsked because: marked sideEffect. No answer within 10 min is a no.\n';
  const prompt = '[e]dit: ';
  const input = 'go back): ';
  it.each<[string, Typed, readonly string[], string]>([
    ['y runs it', [[prompt, 'y']], ['Observation: wiped\n'], 'approved'],
    ['nothing is a no', [[prompt, '']], ['wipe was not allowed to run and was not executed. Go on'], 'denied'],
    [
      'n, and why',
      [[prompt, 'n because it is 星期五']],
      ['was not executed: it is 星期五. Go on'],
      'denied: it is 星期五',
    ],
    [
      'what is neither is asked again',
      [
        [prompt, 'perhaps'],
        [prompt, 'yes, but not now'],
        [prompt, 'YES'],
      ],
      ['Nothing runs yet. Type y, n or e', 'Observation: wiped\n'],
      'approved',
    ],
    [
      'e takes another input, and asks again for what is no JSON',
      [
        [prompt, 'e'],
        [input, '{disk: b}'],
        [input, '{"disk":"b"}'],
      ],
      ['The input is {"disk":"a"}\n', 'That is no JSON: ', 'Observation: wiped\n'],
      'approved: with another input',
    ],
    [
      'e and an input; the gates judge it',
      [[prompt, 'e {"disk":7}']],
      [
        '! The input as edited was refused, and the call does not run.\nObservation: [ToolError] The input of wipe cannot be used',
      ],
      'refused: the input as edited',
    ],
    [
      'e, and back',
      [
        [prompt, 'e'],
        [input, ''],
        [prompt, 'n'],
      ],
      ['was not executed. Go on'],
      'denied',
    ],
  ])('%s', async (what, typed, told, decision) => {
    const trace = join(folder, `${what.length}.jsonl`);
    const args = await argsFor([asks('wipe', '{"disk":"a"}'), answers], '--trace', trace);
    const { code, screen } = await atTerminal(
      args.map((arg) => arg.replace('record-tools.cjs', 'asking-tools.mjs')),
      typed,
    );
    expect(screen).toContain(question);
    for (const part of told) expect(screen).toContain(part);
    expect(code).toBe(0);
    const records = auditOf(
      readFileSync(trace, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    const decided = records.find(({ decision: each }) => ['approved', 'denied', 'refused'].includes(each));
    expect(`${decided?.decision}${decided?.why === '' ? '' : `: ${decided?.why}`}`).toContain(decision);
    expect(decided?.by).toMatch(/\S/);
  });

  it('is told what was wrong with the input where the run is shown elsewhere', async () => {
    const shown = join(folder, 'shown.txt');
    const args = await argsFor([asks('wipe', '{"disk":"a"}'), answers], '--tools', fixture('asking-tools.mjs'));
    const { code, screen } = await atTerminal(args, [[prompt, 'e {"disk":7}']], { stdoutTo: shown });
    expect(screen).toContain('wipe does not run: The input of wipe cannot be used: ');
    expect(readFileSync(shown, 'utf8')).toContain('Observation: [ToolError] The input of wipe cannot be used: ');
    expect(code).toBe(0);
  });

  it('who closes the input has said no to all; Ctrl-C ends the run', async () => {
    const calls = ['a', 'b'].map((disk) => ({ name: 'wipe', arguments: JSON.stringify({ disk }) }));
    const script = [{ text: '', calls }, { text: 'It is done.' }];
    const more = ['--dialect', 'native', '--tools', fixture('asking-tools.mjs')];
    const closed = await atTerminal(await argsFor(script, ...more), [[prompt, '\u0004']]);
    expect(closed.screen).toContain('Tool calls  2: wipe 2 (2 refused)');
    expect(closed.code).toBe(0);
    const stopped = await atTerminal(await argsFor(script, ...more), [[prompt, '\u0003']]);
    expect(stopped.screen).toContain('not answered: aborted');
    expect(stopped.code).toBe(130);
  });

  it('is asked only once the calls that need nobody have run, and about one after the other', async () => {
    const args = await argsFor(
      [
        {
          text: '',
          calls: [
            { name: 'slow', arguments: '{}' },
            { name: 'wipe', arguments: '{"disk":"a"}' },
            { name: 'wipe', arguments: '{"disk":"b"}' },
          ],
        },
        { text: 'It is done.' },
      ],
      '--dialect',
      'native',
    );
    const { code, screen } = await atTerminal(
      args.map((arg) => arg.replace('record-tools.cjs', 'asking-tools.mjs')),
      [
        [prompt, 'y'],
        [prompt, 'n'],
      ],
    );
    expect(code).toBe(0);
    const places = ['Observation (slow): slept', 'Run wipe with {"disk":"a"}?', 'Run wipe with {"disk":"b"}?'];
    const found = places.map((place) => screen.indexOf(place));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
    expect(screen).toContain('Tool calls  3: wipe 2 (1 refused), slow 1');
  });
});

it.each<[string, unknown]>([
  ['y', { kind: 'yes' }],
  [' Yes ', { kind: 'yes' }],
  ['y!', { kind: 'yes' }],
  ['yes but later', { kind: 'unclear' }],
  ['', { kind: 'no', why: '' }],
  ['N', { kind: 'no', why: '' }],
  ['no, not that one', { kind: 'no', why: 'not that one' }],
  ['n BECAUSE it rains', { kind: 'no', why: 'it rains' }],
  ['n: because', { kind: 'no', why: 'because' }],
  ['nothing', { kind: 'unclear' }],
  ['e', { kind: 'edit', input: '' }],
  ['edit {"a":1}', { kind: 'edit', input: '{"a":1}' }],
  [', y', { kind: 'unclear' }],
  ['constructor', { kind: 'unclear' }],
])('typed: %j', (line, decision) => expect(readDecision(line)).toEqual(decision));
