/** `fuseloop audit`: real processes, files as they are met, and the lines as they look. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditLine } from '../../src/cli/audit-line.ts';
import { columnsAtMost } from '../../src/cli/plain-text.ts';
import { styleFor } from '../../src/cli/style.ts';
import { createAgent, tool } from '../../src/index.ts';
import type { AuditRecord } from '../../src/observe/audit-record.ts';
import { linesOf } from '../../src/observe/trace-lines.ts';
import { scriptedModel, virtualClock } from '../../src/testing.ts';
import { folder, fuseloop } from './command.ts';
import { atTerminal, hasPseudoTerminal } from './pseudo-terminal.ts';

const anyInput = { type: 'object' } as const;
const calls = (...all: readonly (readonly [tool: string, input: { readonly [key: string]: string }])[]) => ({
  calls: all.map(([name, input]) => ({ tool: name, input })),
});

/** A run with every kind of decision. */
async function trace(): Promise<readonly string[]> {
  const clock = virtualClock();
  const lines: string[] = [];
  const agent = createAgent({
    model: scriptedModel(
      [
        calls(['look', {}], ['保存文件', { 内容: '你好' }], ['save', { to: 'x' }]),
        calls(['nope', {}], ['hangs', {}]),
        { text: 'Done.\u2028\u001b[2J' },
      ],
      { clock },
    ),
    clock,
    dialect: 'native',
    tools: {
      look: tool({ inputSchema: anyInput, readOnly: true, execute: () => 'seen' }),
      保存文件: tool({ inputSchema: anyInput, sideEffect: true, execute: () => '好' }),
      save: tool({ inputSchema: anyInput, sideEffect: true, execute: () => 'saved' }),
      hangs: tool({ inputSchema: anyInput, execute: () => new Promise(() => {}) }),
    },
    onEvent: (event) => lines.push(JSON.stringify(event)),
  });
  const run = agent.start('the task', { runId: 'run-1' });
  await clock.calm();
  run.approve('1.2', { by: '张伟' });
  await clock.calm();
  run.deny('1.3', 'not\u001b[31m on\nFridays', { by: 'ada' });
  await clock.until(run.outcome);
  return lines;
}

let lines: readonly string[] = [];
beforeAll(async () => {
  lines = await trace();
});

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const whole = () => `${lines.join('\n')}\n`;

const printed = `2026-01-01T00:00:00Z -    started   -          -       no policy; model script; run run-1
2026-01-01T00:00:00Z 1.1  run       look       #267wos readOnly tool
2026-01-01T00:00:00Z 1.2  asked     保存文件   #2b6385 marked sideEffect
2026-01-01T00:00:00Z 1.3  asked     save       #67dc45 marked sideEffect
2026-01-01T00:00:00Z 1.1  succeeded look       #267wos after 0 ms
2026-01-01T00:00:00Z 1    waiting   -          -       until 2026-01-01T00:10:00.000Z
2026-01-01T00:00:00Z 1.2  approved  保存文件   #2b6385 by 张伟
2026-01-01T00:00:00Z 1.3  denied    save       #67dc45 by ada: not␛[31m on Fridays
2026-01-01T00:00:00Z 1.2  succeeded 保存文件   #2b6385 after 0 ms
`;

describe('prints', () => {
  it('a line for each decision, and the counts', async () => {
    const { code, stdout, stderr } = await fuseloop(['audit', file('run.jsonl', whole())]);
    expect(stdout.startsWith(printed)).toBe(true);
    expect(stdout).toMatch(/^2026-01-01T00:00:00Z 2\.1 {2}refused {3}nope {7}#\w{6} tool: There is no tool called/m);
    expect(stdout).toMatch(/^2026-01-01T00:00:15Z 2\.2 {2}unknown {3}hangs {6}#\w{6} hangs timed out: no result/m);
    expect(stdout).toMatch(
      / -\s+ended\s+-\s+-\s+final\n5 calls: 2 run, 1 refused, 2 asked \(1 approved, 1 denied\) · 2 succeeded, 0 failed, 1 unknown\n$/,
    );
    expect([code, stderr]).toEqual([0, '']);
  });

  it('records with --json, from stdin, with marks and line ends of Windows', async () => {
    const windows = `\ufeff${lines.join('\r\n')}\r\n\r\n`;
    const { code, stdout } = await fuseloop(['audit', '-', '--json'], { stdin: windows });
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records[2]).toEqual({
      runId: 'run-1',
      sequence: 4,
      wallMs: Date.parse('2026-01-01T00:00:00Z'),
      step: 1,
      callId: '1.2',
      tool: '保存文件',
      decision: 'asked',
      gate: 'approval',
      by: null,
      why: 'marked sideEffect',
      edited: false,
      inputHash: expect.stringMatching(/^2b6385\w+$/),
      late: false,
    });
    expect(records.at(-1)).toMatchObject({ decision: 'ended', why: 'final' });
    expect(code).toBe(0);
  });

  it('several runs of one file, each from its beginning', async () => {
    const { code, stdout } = await fuseloop(['audit', file('two.jsonl', `${whole()}\ufeff${whole()}`)]);
    expect(stdout.match(/ started /g)).toHaveLength(2);
    expect(stdout).toContain('\n10 calls: 4 run, 2 refused, 4 asked (2 approved, 2 denied)');
    expect(code).toBe(0);
  });

  it('what is there of a trace that breaks off, and says so', async () => {
    const { code, stdout, stderr } = await fuseloop(['audit', file('torn.jsonl', whole().slice(0, -20))]);
    expect(stdout.startsWith(printed)).toBe(true);
    expect(stderr).toBe(
      `fuseloop: The last line, ${lines.length}, breaks off, and is left out.\n` +
        `fuseloop: The trace ends before the run does: run run-1 has no end after line ${lines.length - 1}. No call is open.\n`,
    );
    expect(code).toBe(1);
  });

  it('what a trace leaves open that ends before its run, with exit code 1', async () => {
    const cutOff = lines.slice(
      0,
      lines.findIndex((line) => line.includes('approval.denied')),
    );
    const { code, stdout, stderr } = await fuseloop(['audit', file('cut.jsonl', `${cutOff.join('\n')}\n`)]);
    expect(stdout).toContain(
      '1.2  unsettled 保存文件   #2b6385 the trace ends before the run does; no result is known; it may have started\n' +
        '2026-01-01T00:00:00Z 1.3  unsettled save       #67dc45 the trace ends before the run does; nobody had decided\n' +
        '3 calls: 1 run, 0 refused, 2 asked (1 approved, 0 denied, 1 not decided) · 1 succeeded, 0 failed, 0 unknown, 2 unsettled\n',
    );
    expect(stderr).toBe(
      `fuseloop: The trace ends before the run does: run run-1 has no end after line ${cutOff.length}. Open: 1.2 保存文件, 1.3 save.\n`,
    );
    expect(code).toBe(1);
    const another = await fuseloop(['audit', file('next.jsonl', `${cutOff.join('\n')}\n${whole()}`)]);
    expect(another.stderr).toBe(stderr);
    expect(another.stdout.match(/ unsettled /g)).toHaveLength(2);
    expect(another.code).toBe(1);
  });

  it('an edited input that the gates refused, with the hash of it, as no further call', async () => {
    const edited = lines.map((line) => {
      const event = JSON.parse(line);
      if (event.type !== 'approval.denied') return line;
      return JSON.stringify({
        ...event,
        cause: 'input',
        why: '',
        observation: '[ToolError] The input.',
        key: 'edited',
      });
    });
    const { code, stdout } = await fuseloop(['audit', '-'], { stdin: edited.join('\n') });
    expect(stdout).toMatch(
      /^\S+ 1\.3 {2}refused {3}save {7}#(?!67dc45)\w{6} input, by ada: the input as edited; The input\.$/m,
    );
    expect(stdout).toContain('\n5 calls: 2 run, 1 refused, 2 asked (1 approved, 0 denied, 1 refused as edited) · ');
    expect(code).toBe(0);
  });

  it('a trace from which events are missing, with exit code 1', async () => {
    const { code, stderr } = await fuseloop(['audit', '-'], { stdin: lines.filter((_, at) => at !== 5).join('\n') });
    expect(stderr).toBe(
      'fuseloop: Before line 6 events are missing, or several runs wrote into one file: give each its own.\n',
    );
    expect(code).toBe(1);
  });

  it('each decision when its line has come, before the input ends', async () => {
    let seen = '';
    const { code } = await fuseloop(['audit', '-'], {
      stdin: `${lines.slice(0, 6).join('\n')}\n`,
      staysOpen: true,
      onStdout: (text, child) => {
        seen ||= text.includes('1.2  asked') ? text : '';
        if (seen !== '') child.stdin?.end();
      },
    });
    expect(seen).not.toContain('calls:');
    expect(code).toBe(1);
  });

  it('nothing more, and no fault, to a reader that goes away', async () => {
    const many = whole().repeat(300);
    const { code, stderr } = await fuseloop(['audit', '-'], {
      stdin: many,
      onStdout: (_text, child) => child.stdout?.destroy(),
    });
    expect([code, stderr]).toEqual([141, '']);
  });
});

describe('misuse is exit code 2, and names the line', () => {
  const nothing =
    'A trace is what fuseloop run --trace FILE writes: one JSON object a line, of the format fuseloop.trace/1.\n';
  it.each<[string, () => readonly string[], string]>([
    ['no trace', () => [], 'There is no trace.\nName a file'],
    ['two traces', () => ['a', 'b'], 'There are 2 traces.\nOne at a time; or cat them all'],
    ['a flag that is none', () => ['a', '--jsn'], 'There is no flag --jsn. Did you mean --json?'],
    ['a file that is not there', () => ['no.jsonl'], 'no.jsonl cannot be read: ENOENT'],
    ['a folder', () => ['.'], '. cannot be read: EISDIR'],
    ['an empty file', () => [file('empty.jsonl', '\n')], `empty.jsonl holds no events.\n${nothing}`],
    ['text', () => [file('text.jsonl', 'hello\n')], `text.jsonl, line 1, is no JSON.\n${nothing}`],
    ['a foreign object', () => [file('foreign.jsonl', '{"a":1}\n')], 'foreign.jsonl, line 1, is no event of a trace ('],
    [
      'another format',
      () => [file('format.jsonl', whole().replace('fuseloop.trace/1', 'fuseloop.trace/9'))],
      'format.jsonl, line 1, is of the format "fuseloop.trace/9"; this version of fuseloop reads fuseloop.trace/1.',
    ],
    [
      'a line in the middle that breaks off',
      () => [file('middle.jsonl', `${lines[0]}\n{"type":\n${lines[2]}\n`)],
      'middle.jsonl, line 2, is no JSON.',
    ],
    [
      'a line that was changed',
      () => [file('changed.jsonl', whole().replace('"pass":"ask"', '"pass":"maybe"'))],
      'changed.jsonl, line 5, is no event of a trace (verdicts.1.pass: ',
    ],
    [
      'an accepted answer of no step',
      () => [
        file(
          'accepted.jsonl',
          `${lines[0]}\n{"type":"answer.accepted","atMs":0,"step":"1","sequence":1,"wallMs":0,"state":"FINAL"}\n`,
        ),
      ],
      'accepted.jsonl, line 2, is no event of a trace (step: ',
    ],
    [
      'a trace without its beginning',
      () => [file('end.jsonl', `${lines.slice(3).join('\n')}\n`)],
      'end.jsonl, line 1, is reply.ended, and a trace begins with run.started or run.resumed.',
    ],
  ])('%s', async (_what, args, told) => {
    const { code, stdout, stderr } = await fuseloop(['audit', ...args()]);
    expect(stderr).toContain(`fuseloop: ${told}`);
    expect(stdout).not.toMatch(/ calls?: /);
    expect(code).toBe(2);
  });
});

it('--help', async () => {
  const { code, stdout } = await fuseloop(['audit', '--help']);
  expect(stdout).toMatch(/^fuseloop audit: every decision/);
  expect(stdout).toContain('--json');
  expect(code).toBe(0);
});

describe('a line in a terminal', () => {
  const record: AuditRecord = {
    runId: 'run-1',
    sequence: 4,
    wallMs: Date.parse('2026-01-31T09:30:00Z'),
    step: 2,
    callId: '2.1',
    tool: 'save',
    decision: 'denied',
    gate: null,
    by: '张伟',
    why: '今天是星期五，不要保存任何文件，也不要发送邮件。\u202eRight to left, and so on and on.',
    edited: false,
    inputHash: '2b6385jcjlrtv2p29t3mi',
    late: true,
  };
  const style = styleFor(false);

  it.each([200, 120, 80, 60, 40])('fits into %i columns, one line or two', (columns) => {
    for (const each of [record, { ...record, tool: '一个名字很长很长很长很长很长很长的工具' }]) {
      const text = auditLine(each, { style, columns });
      const rows = text.trimEnd().split('\n');
      expect(rows.length).toBeLessThanOrEqual(2);
      for (const row of rows.slice(-1)) expect(columnsAtMost(row)).toBeLessThan(columns);
      expect(text).toContain('2.1  denied');
      expect(text).toContain(' #2b6385');
      expect(text).not.toContain('\u202e');
    }
  });

  it('shows whole reasons where there is room, and that it came late', () => {
    const text = auditLine({ ...record, why: 'no' }, { style, columns: 120 });
    expect(text).toBe('2026-01-31T09:30:00Z 2.1  denied    save       #2b6385 late, without effect, by 张伟: no\n');
  });
});

describe.skipIf(!hasPseudoTerminal)('at a terminal', () => {
  it.each([
    [80, `${'time (UTC)'.padEnd(20)} call decision  tool       input   why`],
    [60, `${'time (UTC)'.padEnd(20)} call decision  tool       input   why`],
    [50, `${'time (UTC)'.padEnd(20)} call decision  tool       …`],
  ])('of %i columns the lines have titles, and the counts are broken between them', async (columns, titles) => {
    const { code, screen } = await atTerminal(['audit', file('seen.jsonl', whole())], [], { columns });
    const rows = screen.trimEnd().split('\n');
    expect(rows[0]).toBe(titles);
    expect(screen.match(/time \(UTC\)/g)).toHaveLength(1);
    const tally = rows.slice(rows.findIndex((row) => row.startsWith('5 calls:')));
    expect(tally.length).toBeGreaterThan(1);
    for (const row of tally) {
      expect(columnsAtMost(row)).toBeLessThan(columns);
      expect(row).toMatch(/[,)]$|1 unknown$/);
    }
    expect(tally.map((row) => row.trim()).join(' ')).toBe(
      '5 calls: 2 run, 1 refused, 2 asked (1 approved, 1 denied) · 2 succeeded, 0 failed, 1 unknown',
    );
    expect(code).toBe(0);
  });

  it('the help is broken between words', async () => {
    for (const words of [['audit', '--help'], ['--help'], ['verify', '-h'], ['fuzz', '-h']]) {
      const { screen } = await atTerminal(words, [], { columns: 60 });
      const plain = await fuseloop(words);
      for (const row of screen.split('\n')) expect(columnsAtMost(row), row).toBeLessThan(60);
      expect(screen.split(/\s+/)).toEqual(plain.stdout.split(/\s+/));
    }
  });
});

it('lines are the same, whatever the pieces in which their bytes come', async () => {
  const text = '\ufeffone\r\n\n二\u2028二\r\n\ufeffthree';
  const bytes = [...new TextEncoder().encode(text)];
  const read = async (pieces: readonly (readonly number[])[]) => {
    const seen: unknown[] = [];
    async function* chunks() {
      for (const piece of pieces) yield Uint8Array.from(piece);
    }
    for await (const line of linesOf(chunks(), 1_000)) seen.push([line.number, line.text, line.ended]);
    return seen;
  };
  const expected = [
    [1, 'one', true],
    [2, '', true],
    [3, '二\u2028二', true],
    [4, 'three', false],
  ];
  for (const size of [1, 2, 3, 5, 100]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.slice(at * size, (at + 1) * size),
    );
    expect(await read(pieces)).toEqual(expected);
  }
});

it('the help shows lines as they are printed', async () => {
  const { stdout } = await fuseloop(['audit', '--help']);
  const record = {
    runId: null,
    sequence: 4,
    wallMs: Date.parse('2026-01-31T09:30:00Z'),
    step: 2,
    callId: '2.1',
    tool: 'save',
    decision: 'asked',
    gate: 'approval',
    by: null,
    why: 'marked sideEffect',
    edited: false,
    inputHash: '9f2c1ax',
    late: false,
  } as const;
  expect(stdout).toContain(`  ${auditLine(record, { style: styleFor(false), columns: 80 })}`);
});
