/** `fuseloop run` where it meets the edges: signals, odd tools, other dialects, a broken `.env`. Real processes. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ServerScript, startOpenaiServer } from '../support/openai-server.ts';
import { fixture, folder, fuseloop } from './command.ts';

async function serve(script: ServerScript) {
  const server = await startOpenaiServer(script, 7);
  onTestFinished(() => server.close());
  return server;
}

const asks = (tool: string, input = '{}') => ({ text: `Thought: I ask.\nAction: ${tool}\nAction Input: ${input}` });
const answers = { text: 'Thought: Done.\nFinal Answer: It is done.' };

describe('progress', () => {
  it('agrees with the table on the tokens', async () => {
    const { stdout } = await fuseloop(['run', '--demo', 'incident']);
    const lines = [...stdout.matchAll(/^step (\d)\/12 · \d+\.\d s\/180 s · ([\d,]+)\/300,000 tokens$/gm)];
    expect(lines.map(([, step]) => step)).toEqual([...'123456789']);
    expect(stdout).toContain(`Tokens      ${lines.at(-1)?.[2]} of 300,000`);
    expect(stdout).toContain('Tool calls  7: read_repo_file 3 (1 failed), query_metrics 2, search_logs 2\n');
  });

  it('counts what the server counts', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 20 };
    const { baseURL } = await serve([
      { ...asks('calculator', '{"expression":"6*7"}'), usage },
      { ...answers, usage },
    ]);
    const { stdout } = await fuseloop(['run', 'Six times seven?', '--base-url', baseURL]);
    expect(stdout).toContain('Observation: 42\nstep 1/12 · ');
    expect(stdout).toContain('Tokens      240 of 300,000 (200 read, 40 written; counted by the provider)\n');
  });
});

describe('what ends it', () => {
  it('SIGTERM: exit code 143, the last thought, and a trace that is complete', async () => {
    const trace = join(folder, 'ended.jsonl');
    let sent = false;
    const { code, stdout } = await fuseloop(['run', '--demo', 'incident', '--trace', trace], {
      env: { FUSELOOP_DEMO_PACE: '1' },
      onStdout: (text, child) => {
        if (!sent && text.includes('What does the service')) sent = child.kill('SIGTERM');
      },
    });
    expect(code).toBe(143);
    expect(stdout).toMatch(/^Not answered\. The last that the model wrote: The rate was flat/m);
    expect(stdout).toMatch(/^Result {6}not answered: aborted$/m);
    expect(readFileSync(trace, 'utf8')).toMatch(/"type":"run.ended","stopReason":"aborted".*\n$/);
  });

  it('--timeout takes decimals', async () => {
    const env = { FUSELOOP_DEMO_PACE: '1' };
    const { code, stdout } = await fuseloop(['run', '--demo', 'incident', '--timeout', '.75'], { env });
    expect(stdout).toMatch(/^step 1\/12 · 0\.\d s\/0\.75 s · /m);
    expect(stdout).toContain('(timeout)\nNext        Raise --timeout');
    expect(code).toBe(1);
  });
});

describe('tools', () => {
  it('that print and leave a timer behind spoil no document and keep no process', async () => {
    const args = ['run', '1 + 1', '--json', '--tools', fixture('talking-tools.mjs')];
    const { code, stdout, stderr } = await fuseloop(args);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, answer: '1 + 1 = 2' });
    expect(stderr).toMatch(/^Model: scripted\..*\nthe tool speaks\n$/);
    expect(code).toBe(0);
  });

  it('of a demonstration come with its task, also where that is typed by hand', async () => {
    const task = 'the 5xx rate of the order service rose from 0.1 % to 12 % within three minutes.';
    const { code, stdout } = await fuseloop(['run', `${task} Find the root cause and say what to do.`]);
    expect(stdout).toContain('Root cause: v2.14.0');
    expect(code).toBe(0);
  });
});

describe('other forms', () => {
  it('--dialect json: the answer is printed once, by us', async () => {
    const { baseURL } = await serve({ text: '{"thought":"Easy.","action":"finish","args":{"answer":"It is\\n42."}}' });
    const { code, stdout } = await fuseloop(['run', 'Six?', '--base-url', baseURL, '--dialect', 'json']);
    expect(stdout).toMatch(/─\nAnswer: It is\n42\.\n─/);
    expect(code).toBe(0);
  });

  it("--dialect native: the provider's calls are shown, with their inputs", async () => {
    const { baseURL, requests } = await serve([
      { text: 'I compute.', calls: [{ name: 'calculator', arguments: '{"expression":"6*7"}' }] },
      { text: 'It is 42.' },
    ]);
    const { code, stdout } = await fuseloop(['run', 'Six?', '--base-url', baseURL, '--dialect', 'native']);
    expect(stdout).toContain('\nI compute.\nAction: calculator {"expression":"6*7"}\nObservation: 42\n');
    expect(stdout).toMatch(/─\nAnswer: It is 42\.\n─/);
    expect(requests[0]?.body).toHaveProperty('tools');
    expect(code).toBe(0);
  });

  it('--dialect id: tools by number', async () => {
    const { baseURL, requests } = await serve([
      { text: 'Thought: I compute.\nAction: T01 {"expression":"6*7"}' },
      { text: 'Thought: Done.\nAnswer: It is 42.' },
    ]);
    const { code, stdout } = await fuseloop(['run', 'Six?', '--base-url', baseURL, '--dialect', 'id']);
    expect(stdout).toContain('Action: T01 {"expression":"6*7"}\nObservation: 42\n');
    expect(stdout).toMatch(/─\nAnswer: It is 42\.\n─/);
    expect(JSON.stringify(requests[1]?.body)).toContain('---\\n42\\n---');
    expect(code).toBe(0);
  });

  it('--language zh: the loop speaks Chinese to the model', async () => {
    const { baseURL } = await serve([{ text: '我觉得很好。' }, { text: '思考：好。\n最终答案：四十二 🎯' }]);
    const { code, stdout } = await fuseloop(['run', '六乘七？', '--base-url', baseURL, '--language', 'zh']);
    expect(stdout).toMatch(/^Observation: \[FormatError\] .*[\u4e00-\u9fff]/m);
    expect(stdout).toMatch(/─\n最终答案：四十二 🎯\n─/);
    expect(code).toBe(0);
  });
});

describe('misuse', () => {
  it.each<[string[], RegExp]>([
    [['--base-url', 'example'], /^fuseloop: --base-url is no http or https URL\.\n/],
    [['--dialect', 'json'], /^fuseloop: --dialect is json, and the scripted model writes labelled only\./],
    [['--dialect', 'native'], /^fuseloop: --dialect is native, and the scripted model writes labelled only\./],
    [['--json', '--trace', '.'], /^fuseloop: --trace \. cannot be written: EISDIR/],
  ])('%j', async (args, message) => {
    const ended = await fuseloop(['run', 'x', ...args]);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('a .env that cannot be read', async () => {
    const file = join(folder, '.env');
    rmSync(file, { force: true });
    mkdirSync(file);
    onTestFinished(() => rmSync(file, { recursive: true }));
    const ended = await fuseloop(['run', '1+1']);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/^fuseloop: The file \.env cannot be read/) });
  });
});
