/** `fuseloop run` as a user meets it: real processes, the screen as text, the exit code. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startAnthropicServer } from '../support/anthropic-server.ts';
import { startOpenaiServer } from '../support/openai-server.ts';
import { fixture, folder, fuseloop } from './command.ts';

const esc = String.fromCharCode(27);

describe('the demonstrations', () => {
  it.each([
    [
      'incident',
      [
        'Root cause: v2.14.0',
        'from 50 to 10',
        'roll order-service back',
        '! Violation (no_step)',
        '[ToolError]',
        'Result      answered',
        'Violations  1',
        'step 1/12',
      ],
    ],
    ['calculator', ['(23.5 × 6 + 12) ÷ 3 = 51', 'calculator 1', 'step 2/12']],
    ['date', ['days', 'clock 3', 'Result      answered']],
  ])('%s is answered, and says that its model is scripted', async (name, told) => {
    const { code, stdout, stderr } = await fuseloop(['run', '--demo', name]);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Model: scripted\./);
    for (const part of ['Thought:', 'Action:', 'Observation:', 'Final Answer:', ...told])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain(esc);
  });

  it('the last --demo counts, as npm start -- --demo NAME needs it', async () => {
    const { stdout } = await fuseloop(['run', '--demo', 'incident', '--demo', 'calculator']);
    expect(stdout).toContain('= 51');
  });
});

describe('the result', () => {
  it('is one JSON document with --json', async () => {
    const { code, stdout } = await fuseloop(['run', '--json', '--demo', 'calculator']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, stopReason: 'final', answer: '(23.5 × 6 + 12) ÷ 3 = 51' });
  });

  it.each([
    ['a budget that is spent', ['--demo', 'incident', '--max-steps', '2'], 'all steps are used up'],
    ['a model that has no script for the task', ['Write a poem about the sea.'], 'the model failed'],
  ])('is exit code 1 for %s', async (_what, argv, told) => {
    const { code, stdout } = await fuseloop(['run', ...argv]);
    expect(code).toBe(1);
    expect(stdout).toContain(told);
  });

  it('is written to --trace as it happens, from the start to the end', async () => {
    const file = join(folder, 'run.jsonl');
    await fuseloop(['run', '--demo', 'calculator', '--trace', file]);
    const events = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: 'run.started', format: 'fuseloop.trace/1', sequence: 0 });
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', stopReason: 'final', state: 'FINAL' });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
  });

  it('has colour where that is asked for', async () => {
    const { stdout } = await fuseloop(['run', '--demo', 'calculator'], { env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain(`${esc}[`);
  });
});

describe('misuse is exit code 2, and says what is allowed', () => {
  it.each([
    ['nothing', [], 'fuseloop run'],
    ['an unknown command', ['rum'], 'Did you mean run?'],
    ['no task', ['run'], 'There is no task.'],
    ['an empty task', ['run', ' '], 'The task is empty.'],
    ['a task in pieces', ['run', 'two', 'words'], 'fuseloop run "two words"'],
    ['an unknown flag', ['run', 'x', '--max-step', '3'], 'Did you mean --max-steps?'],
    ['a flag without its value', ['run', 'x', '--model'], '--model is given no value'],
    ['a count that is none', ['run', 'x', '--max-steps', '2.5'], 'a whole number from 0'],
    ['a negative count', ['run', 'x', '--max-tokens=-1'], 'a whole number from 0'],
    ['a time that is none', ['run', 'x', '--timeout', 'soon'], 'a number of seconds'],
    ['an unknown dialect', ['run', 'x', '--dialect', 'klingon'], 'labelled, tags, json, paper, id or native'],
    ['an unknown demo', ['run', '--demo', 'incidents'], 'Did you mean incident?'],
    ['a demo and a task', ['run', '--demo', 'date', 'x'], 'A demo brings its own task'],
    ['a tools file that is not there', ['run', 'x', '--tools', 'nowhere.mjs'], 'cannot be loaded'],
    ['a tool that is none', ['run', 'x', '--tools', fixture('broken-tools.mjs')], 'broken cannot be used'],
    ['a module without tools', ['run', 'x', '--tools', fixture('no-tools.mjs')], 'no tool is exported (only answer)'],
    ['a trace that cannot be written', ['run', 'x', '--trace', 'no/such/folder/run.jsonl'], 'The folder must exist'],
    ['a model without a server', ['run', 'x', '--model', 'gpt-4o-mini'], 'no server to ask for it'],
    ['an empty stdin', ['run', '-'], 'The task on stdin is empty'],
  ])('%s', async (_what, argv, told) => {
    const { code, stdout, stderr } = await fuseloop(argv);
    expect(stderr).toContain(told);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });
});

it.each([['--help'], ['run', '--help'], ['-h']])('help: %s %s', async (...argv) => {
  const { code, stdout } = await fuseloop(argv.filter((word) => word !== undefined));
  expect(code).toBe(0);
  for (const flag of [
    '--model',
    '--base-url',
    '--dialect',
    '--tools',
    '--max-steps',
    '--max-tokens',
    '--timeout',
    '--json',
    '--trace',
  ])
    expect(stdout).toContain(flag);
});

it('--version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await fuseloop(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

describe('ending it from outside', () => {
  it('Ctrl-C aborts, prints what there is, and is exit code 130', async () => {
    let sent = false;
    const { code, stdout } = await fuseloop(['run', '--demo', 'incident'], {
      env: { FUSELOOP_DEMO_PACE: '1' },
      onStdout: (text, child) => {
        if (!sent && text.includes('step 2/12')) sent = child.kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(stdout).toContain('Result      not answered: aborted\n');
    expect(stdout).toContain('Tool calls  2');
  });

  it('a reader that goes away ends it quietly', async () => {
    const { code, stderr } = await fuseloop(['run', '--demo', 'incident'], {
      env: { FUSELOOP_DEMO_PACE: '1' },
      onStdout: (text, child) => {
        if (text.includes('Task:')) child.stdout?.destroy();
      },
    });
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });
});

describe('a real server', () => {
  const replies = [
    'Thought: I look.\nAction: weather\nAction Input: {"city": "Rome"}',
    'Thought: Done.\nFinal Answer: 罗马：晴天 ☀️',
  ];

  it('is asked with --base-url, with the tools of --tools', async () => {
    const server = await startOpenaiServer(replies.map((text) => ({ text })));
    const { code, stdout } = await fuseloop(
      [
        'run',
        'The weather in Rome?',
        '--base-url',
        server.baseURL,
        '--model',
        'openai:m1',
        '--tools',
        fixture('weather-tools.mjs'),
      ],
      { env: { OPENAI_API_KEY: 'sk-secret-1', OPENAI_BASE_URL: server.baseURL } },
    );
    await server.close();
    expect(stdout).toContain(`Model: m1 at ${server.baseURL}`);
    expect(stdout).toContain('Observation: sun in Rome');
    expect(stdout).toContain('罗马：晴天 ☀️');
    expect(code).toBe(0);
    expect(server.requests[0]?.body).toMatchObject({ model: 'm1', stream: true });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret-1');
    expect(server.sockets.made).toBe(1);
  });

  it('is found through .env, takes a task from stdin, and its key is not in the trace', async () => {
    const server = await startOpenaiServer([{ text: 'Thought: x\nFinal Answer: the key is sk-secret-2' }]);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, '.env'),
      `OPENAI_BASE_URL=${server.baseURL}\nOPENAI_API_KEY=sk-secret-2\nFUSELOOP_MODEL=m2\n`,
    );
    const { code, stdout } = await fuseloop(['run', '-', '--trace', 'env.jsonl'], { stdin: '今天的任务\n' });
    writeFileSync(join(folder, '.env'), '');
    await server.close();
    expect(code).toBe(0);
    expect(stdout).toContain('Task: 今天的任务');
    expect(server.requests[0]?.body).toMatchObject({ model: 'm2' });
    const trace = readFileSync(join(folder, 'env.jsonl'), 'utf8');
    expect(trace).toContain('今天的任务');
    expect(trace).not.toContain('sk-secret-2');
    expect(stdout).not.toContain('sk-secret-2');
  });

  it.each([[[]], [['--json']]])('its key is nowhere, whatever tools and model do with it: %j', async (more) => {
    const act = (name: string) => ({ text: `Thought: x\nAction: ${name}\nAction Input: {}` });
    const server = await startOpenaiServer([act('show'), act('fail'), { text: 'Final Answer: it is sk-secret-4.' }]);
    const flags = ['--tools', fixture('leaking-tools.mjs'), '--trace', 'key.jsonl'];
    const { code, stdout, stderr } = await fuseloop(['run', 'x', ...flags, ...more], {
      env: { OPENAI_API_KEY: 'sk-secret-4', OPENAI_BASE_URL: server.baseURL },
    });
    await server.close();
    expect(code).toBe(0);
    expect(stdout).toContain('it is [redacted].');
    const sent = server.requests.map(({ body }) => JSON.stringify(body)).join();
    expect(sent).toContain('The key [redacted] is wrong.');
    for (const text of [stdout, stderr, sent, readFileSync(join(folder, 'key.jsonl'), 'utf8')])
      expect(text).not.toContain('sk-secret-4');
  });

  it('its key is not in the message about tools that cannot be loaded', async () => {
    const { code, stderr } = await fuseloop(['run', 'x', '--tools', fixture('leaking-module.mjs')], {
      env: { OPENAI_API_KEY: 'sk-secret-5' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('The key [redacted] is wrong.');
  });

  it('of Anthropic, by its prefix, with its own key', async () => {
    const content = [{ type: 'text', text: 'The key is sk-secret-6.' }] as const;
    const server = await startAnthropicServer([{ content }]);
    const flags = ['--model', 'anthropic:claude-test', '--dialect', 'native'];
    const { code, stdout } = await fuseloop(['run', 'x', ...flags], {
      env: { ANTHROPIC_API_KEY: 'sk-secret-6', ANTHROPIC_BASE_URL: server.baseURL },
    });
    await server.close();
    expect(code).toBe(0);
    expect(stdout).toContain(`Model: claude-test at ${server.baseURL}`);
    expect(stdout).toContain('The key is [redacted].');
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'sk-secret-6' },
      body: { model: 'claude-test', tools: [{ name: 'calculator' }, {}] },
    });
  });

  it('that refuses the key gives a message that says so', async () => {
    const server = await startOpenaiServer([{ status: 401, body: '{"error":{"message":"bad key"}}' }]);
    const { code, stdout } = await fuseloop(['run', 'x', '--base-url', server.baseURL], {
      env: { OPENAI_API_KEY: 'sk-secret-3' },
    });
    await server.close();
    expect(code).toBe(1);
    expect(stdout).toContain('bad key');
    expect(stdout).not.toContain('sk-secret-3');
    // The key is that of another server, and the model is the first of this one.
    expect(stdout).toContain(`Model: first-model at ${server.baseURL}, its first`);
    expect(stdout).toContain('without OPENAI_API_KEY');
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.body).toMatchObject({ model: 'first-model' });
  });

  it('of Ollama is found where nothing is configured, with its first model', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/api/tags') return response.end('{"models":[{"name":"llama-test"},{"name":"other"}]}');
      request.resume().on('end', () =>
        response.end(
          JSON.stringify({
            choices: [{ message: { content: 'Thought: x\nFinal Answer: from ollama' }, finish_reason: 'stop' }],
          }),
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stdout } = await fuseloop(['run', 'x'], { env: { OLLAMA_HOST: `127.0.0.1:${port}` } });
    server.closeAllConnections();
    server.close();
    expect(stdout).toContain('Model: llama-test');
    expect(stdout).toContain('from ollama');
    expect(code).toBe(0);
  });
});
