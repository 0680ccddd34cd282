/** `fuseloop inspect`, and `run --inspect`: what is printed, written, served and left, as real processes. */
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { writePage } from '../build-page.mjs';
import { type Address, decide, eventsIn, isEnd, listIn, stream } from '../inspect/opened.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';
import { folder, fuseloop } from './command.ts';

const page = fileURLToPath(new URL('../../dist/inspector.html', import.meta.url));
beforeAll(async () => {
  if (!existsSync(page)) await writePage(page);
});

async function traceText(result: unknown = 'seen'): Promise<string> {
  const { run, events } = setup({ replies: [act('look'), answer('42')], tools: { look: returns(result) } });
  await run();
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** Does something with the page once its address is printed, and then stops the process, where that is wanted. */
function visits(work: (at: Address, child: ChildProcess) => Promise<void>) {
  let isVisited = false;
  const failed: unknown[] = [];
  const onOutput = (text: string, child: ChildProcess) => {
    const url = /Inspector: (\S+)\n/.exec(text)?.[1];
    if (url === undefined || isVisited) return;
    isVisited = true;
    work({ url }, child).catch((thrown: unknown) => {
      failed.push(thrown);
      child.kill('SIGKILL');
    });
  };
  return { onOutput, failed };
}

const interrupt = (child: ChildProcess) => void child.kill('SIGINT');

describe('fuseloop inspect', () => {
  it('shows files and folders, tells of damaged ones, follows those that grow, and ends at once with Ctrl-C', async () => {
    const traces = join(folder, '跟踪 é');
    mkdirSync(traces);
    const text = await traceText();
    const lines = text.split('\n');
    writeFileSync(join(traces, 'whole.jsonl'), text);
    writeFileSync(join(traces, 'grows.jsonl'), `${lines.slice(0, 3).join('\n')}\n${lines[3]?.slice(0, 20)}`);
    writeFileSync(join(traces, 'damaged.jsonl'), `${lines.slice(0, 2).join('\n')}\nnot JSON\n`);
    const { onOutput, failed } = visits(async (at, child) => {
      const list = await stream(at, '/runs');
      const keyOf = (name: string) =>
        [...listIn(list.messages).values()].find(({ file }) => file?.endsWith(name))?.key ?? null;
      await list.until(() => ['whole.jsonl', 'grows.jsonl', 'damaged.jsonl'].every((name) => keyOf(name) !== null));
      const grows = await stream(at, `/runs/${keyOf('grows.jsonl')}/events`);
      await grows.until((messages) => eventsIn(messages).length === 3);
      appendFileSync(join(traces, 'grows.jsonl'), `${lines[3]?.slice(20)}\n${lines.slice(4).join('\n')}`);
      expect(eventsIn(await grows.until(isEnd))).toHaveLength(lines.length - 1);
      writeFileSync(join(traces, 'later.jsonl'), text);
      await list.until(() => keyOf('later.jsonl') !== null);
      interrupt(child);
    });
    const { code, stderr } = await fuseloop(['inspect', traces], { onStdout: onOutput });
    expect(failed).toEqual([]);
    expect(stderr).toMatch(/damaged\.jsonl, line 3, is no JSON/);
    expect(code).toBe(0);
  });

  it('shows a trace from stdin', async () => {
    const { onOutput, failed } = visits(async (at, child) => {
      await (await stream(at, '/runs')).until((messages) => listIn(messages).get('r1')?.stopReason === 'final');
      interrupt(child);
    });
    const { code } = await fuseloop(['inspect', '-'], { stdin: await traceText(), onStdout: onOutput });
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
  });

  it('writes one file with the runs inside, in which no text of theirs is markup', async () => {
    const hostile = '</script><script>alert(1)</script><!-- \u2028\u2029 </SCRIPT ';
    writeFileSync(join(folder, 'hostile.jsonl'), await traceText(hostile));
    const out = join(folder, 'out.html');
    const { code, stderr } = await fuseloop(['inspect', 'hostile.jsonl', '--html', out]);
    expect(stderr).toMatch(/out\.html: 1 run, \d+ kB\n$/);
    expect(code).toBe(0);
    const html = readFileSync(out, 'utf8');
    const [, embedded = ''] = /<script type="application\/json" id="fuseloop-runs">([^<]*)<\/script>/.exec(html) ?? [];
    expect(embedded).not.toMatch(/[\u2028\u2029]/);
    const [run, ...more] = JSON.parse(embedded);
    expect(more).toEqual([]);
    expect(run.summary).toMatchObject({ task: 'the task', stopReason: 'final', file: 'hostile.jsonl' });
    expect(JSON.stringify(run.events)).toContain(JSON.stringify(hostile).slice(1, -1));
    expect(html).not.toContain('alert(1)</script');
    expect(html.match(/<\/script/gi)).toHaveLength((readFileSync(page, 'utf8').match(/<\/script/gi)?.length ?? 0) + 1);
  });

  it('writes what it could read, and ends with 1 where that is not all', async () => {
    writeFileSync(join(folder, 'torn.jsonl'), (await traceText()).slice(0, -30));
    const { code, stdout, stderr } = await fuseloop(['inspect', 'torn.jsonl', '--html', '-']);
    expect(stderr).toMatch(/torn\.jsonl: the last line, \d+, breaks off/);
    expect({ code, begins: stdout.slice(0, 15) }).toEqual({ code: 1, begins: '<!doctype html>' });
  });

  it.each([
    [['inspect'], /There is no trace\.\nName files/],
    [['inspect', 'not-there.jsonl'], /not-there\.jsonl cannot be read/],
    [['inspect', 'a', '--prot', '1'], /There is no flag --prot\. Did you mean --port\?/],
    [['inspect', 'a', '--port', '70000'], /--port is "70000"\.\nIt is a whole number/],
    [['inspect', 'a', '--html', 'b', '--open'], /--html is given with --open/],
    [['inspekt', 'a'], /Did you mean inspect\?/],
  ])('refuses %j', async (argv, told) => {
    const { code, stderr } = await fuseloop(argv);
    expect(stderr).toMatch(told);
    expect(code).toBe(2);
  });

  it('tells what it does', async () => {
    const { code, stdout } = await fuseloop(['inspect', '--help']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('fuseloop inspect TRACE…') });
  });
});

describe('fuseloop run --inspect', () => {
  it('lets the page decide where nobody is at a terminal, and ends with the run once the page is closed', async () => {
    const { onOutput, failed } = visits(async (at) => {
      const list = await stream(at, '/runs');
      await list.until((messages) => listIn(messages).get('r1')?.phase === 'waiting');
      const events = await stream(at, '/runs/r1/events');
      await events.until((messages) => eventsIn(messages).some(({ type }) => type === 'approval.asked'));
      const verdicts = eventsIn(events.messages).flatMap((event) =>
        event.type === 'calls.checked' ? event.verdicts : [],
      );
      const callId = verdicts.find(({ pass }) => pass === 'ask')?.callId;
      expect((await decide(at, 'r1', { kind: 'approve', callId })).status).toBe(204);
      await events.until(isEnd);
      events.leave();
      list.leave();
    });
    const argv = ['run', '--demo', 'rollback', '--inspect', '--json'];
    const { code, stdout, stderr } = await fuseloop(argv, { onStderr: onOutput });
    expect(failed).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, stopReason: 'final' });
    expect(stderr).toMatch(/The inspector stays open/);
    expect(code).toBe(0);
  });

  it('ends with the run where no page was opened and nobody is at a terminal, and prints what it prints without', async () => {
    const plain = await fuseloop(['run', '--demo', 'calculator', '--json']);
    const shown = await fuseloop(['run', '--demo', 'calculator', '--json', '--inspect']);
    const keys = (text: string) => Object.keys(JSON.parse(text));
    expect(keys(shown.stdout)).toEqual(keys(plain.stdout));
    expect(JSON.parse(shown.stdout).answer).toBe(JSON.parse(plain.stdout).answer);
    expect({ code: shown.code, isTold: /^Inspector: http/m.test(shown.stderr) }).toEqual({ code: 0, isTold: true });
  });
});
