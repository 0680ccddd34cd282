/** What a tool throws: the model gets words and advice, the trace the whole, and no stack ever reaches the model. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentError, ToolError } from '../../src/core/errors.ts';
import { act, answer, observationAfter, returns, setup } from '../shell/setup.ts';
import { does, gives, throws, told } from './told.ts';

const withMembers = (members: object, message = 'it went wrong') => Object.assign(new Error(message), members);
const named = (name: string, message: string) => withMembers({ name }, message);
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
};

describe('advice', () => {
  it.each<[string, unknown, string, string]>([
    [
      'a hint of the tool',
      new ToolError('No such order.', { hint: 'List the orders first' }),
      'No such order. List the orders first.',
      'List the orders first',
    ],
    [
      'a hint of a database',
      withMembers({ hint: 'Perhaps you meant the column "name".' }),
      'Perhaps you meant the column',
      'Perhaps you meant',
    ],
    [
      'a hint before the code',
      withMembers({ code: 'ENOENT', hint: 'Use list_files.' }),
      'Use list_files.',
      'Use list_files.',
    ],
    ['no such file, really', thrownBy(() => readFileSync('no/such/file')), 'check the path', '请检查路径'],
    ['no such program, really', thrownBy(() => execFileSync('no-such-program-here')), 'check the path', '请检查路径'],
    ['no permission', withMembers({ code: 'EACCES' }), 'do not try the same again', '没有权限'],
    ['connection refused', withMembers({ code: 'ECONNREFUSED' }), 'check host and port', '请检查主机和端口'],
    ['an unknown host', withMembers({ code: 'ENOTFOUND' }), 'host name cannot be found', '找不到该主机名'],
    ['a time-out of the network', withMembers({ code: 'ETIMEDOUT' }), 'ask for less', '请减少请求的内容'],
    ['a reset', withMembers({ code: 'ECONNRESET' }), 'find out whether anything was done', '请先确认操作是否已经执行'],
    ['HTTP 400', withMembers({ status: 400 }), 'check the names and values', '请检查输入的名称和值'],
    ['HTTP 401', withMembers({ statusCode: 401 }), 'does not accept the credentials', '不接受当前凭据'],
    ['HTTP 403', withMembers({ response: { status: 403 } }), 'does not allow this', '不允许这样做'],
    ['HTTP 404', withMembers({ status: 404 }), 'knows nothing of that', '没有该名称'],
    ['HTTP 429', withMembers({ status: 429 }), 'too many requests', '请求过多'],
    ['HTTP 503', withMembers({ status: 503 }), 'has a fault', '服务本身有故障'],
    [
      'a status in the message',
      new Error('Request failed with status code 404'),
      'knows nothing of that',
      '没有该名称',
    ],
    ['a status line', new Error('HTTP/1.1 503'), 'has a fault', '服务本身有故障'],
    ['a status of fetch', new Error('HTTP error! status: 429'), 'too many requests', '请求过多'],
    ['a status and its reason', new Error('GET /orders: 404 Not Found'), 'knows nothing of that', '没有该名称'],
    ['a status in brackets', new Error('Response code 403 (Forbidden)'), 'does not allow this', '不允许这样做'],
    ['a status in a text that is thrown', 'HTTP 401', 'does not accept the credentials', '不接受当前凭据'],
    [
      'a status in the message of a cause',
      new Error('no orders', { cause: new Error('HTTP 502') }),
      'has a fault',
      '服务本身有故障',
    ],
    [
      'the code before a status in the message',
      withMembers({ code: 'ENOTFOUND' }, 'HTTP 404'),
      'host name cannot be found',
      '找不到该主机名',
    ],
    [
      'a number that is no status',
      new Error('404 of 500 orders have no status; order 503 has 404 items'),
      'Correct the input, try another tool',
      '请改正输入',
    ],
    [
      'a status far behind',
      new Error(`${'x '.repeat(100)} HTTP 404`),
      'Correct the input, try another tool',
      '请改正输入',
    ],
    [
      'a broken socket',
      withMembers({ code: 'UND_ERR_SOCKET' }),
      'The connection broke off',
      '请先确认操作是否已经执行',
    ],
    ['a time-out for the body', withMembers({ code: 'UND_ERR_BODY_TIMEOUT' }), 'ask for less', '请减少请求的内容'],
    ['an abort', named('AbortError', 'This operation was aborted'), 'called off', '被取消'],
    [
      'a time-out of a signal',
      new DOMException('The operation timed out', 'TimeoutError'),
      'It took too long',
      '耗时过长',
    ],
    ['JSON that is none, really', thrownBy(() => JSON.parse('<html>')), 'should be JSON', '不是 JSON'],
    [
      'what it was caused by',
      new TypeError('fetch failed', { cause: withMembers({ code: 'ECONNREFUSED' }, 'connect ECONNREFUSED ::1:80') }),
      'fetch failed (Error: connect ECONNREFUSED ::1:80). Nothing answers',
      '没有响应',
    ],
    [
      'one of several causes',
      new AggregateError([withMembers({ code: 'ENOTFOUND' })], 'all failed'),
      'host name cannot be found',
      '找不到',
    ],
    [
      'nothing that is known',
      withMembers({ status: 200, code: 'ODD' }),
      'Correct the input, try another tool',
      '请改正输入',
    ],
  ])('%s', async (_what, thrown, english, chinese) => {
    const en = await told(throws(thrown));
    expect(en.settled.result).toBe('failed');
    expect(en.observation).toMatch(/^\[ToolError\] look failed: /);
    expect(en.observation).toContain(english);
    expect(en.observation).toMatch(/or answer with what is known\.$/);
    const zh = await told(throws(thrown), { language: 'zh' });
    expect(zh.observation).toMatch(/^\[ToolError\] look 失败：/);
    expect(zh.observation).toContain(chinese);
  });
});

const python = `Traceback (most recent call last):
  File "/srv/app/tool.py", line 12, in run
    return 1 / 0
           ~~^~~
  File "/srv/app/other.py", line 3, in inner
    go()
ZeroDivisionError: division by zero`;
const java = `java.lang.IllegalStateException: no session
\tat com.example.app.Session.get(Session.java:41)
\tat com.example.app.Main.main(Main.java:9)
Caused by: java.io.IOException: closed
\t... 12 more`;
const dotnet = `System.InvalidOperationException: no session
   at Example.App.Session.Get() in C:\\src\\App\\Session.cs:line 41
   at Example.App.Program.Main(String[] args)`;
const go = `panic: no session

goroutine 1 [running]:
main.run(...)
\t/srv/app/main.go:12 +0x1d`;
const js = new Error('no session').stack ?? '';

describe('a stack trace never reaches the model', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['of the error itself', new Error('no session'), ['no session']],
    ['as the message', new Error(js), ['no session']],
    ['on one line', new Error(js.replaceAll('\n', ' ')), ['no session']],
    ['written out with \\n', new Error(JSON.stringify({ message: 'no session', stack: js })), ['no session']],
    ['as a text', js, ['no session']],
    ['as an object', { message: 'no session', stack: js }, ['no session']],
    ['as an object of another kind', { code: 7, trace: js }, ['"code":7']],
    ['of Python', new Error(python), ['ZeroDivisionError: division by zero']],
    ['of Java', new Error(java), ['IllegalStateException: no session', 'closed']],
    ['of .NET', new Error(dotnet), ['InvalidOperationException: no session']],
    ['of Go', new Error(go), ['panic: no session']],
    ['of a cause', new Error('outer', { cause: new Error(js) }), ['outer', 'no session']],
    ['in a hint', new ToolError('no session', { hint: `Sign in first.\n${js}` }), ['Sign in first.']],
    ['and nothing else', new Error(js.slice(js.indexOf('\n'))), ['look failed: Error.']],
  ])('%s', async (_what, thrown, kept) => {
    for (const tool of [throws(thrown), does(() => Promise.reject(thrown))]) {
      const { sent, events } = await told(tool);
      for (const part of kept) expect(sent).toContain(part);
      expect(sent).not.toMatch(
        /\.(test\.ts|java|cs|py|go|js):?\d|node_modules|tool\.py|\bat \S+ \(|goroutine|\.\.\. 12 more/,
      );
      expect(JSON.stringify(events.filter(({ type }) => type !== 'call.settled'))).not.toContain('thrown.test.ts');
    }
  });

  it('nor where it stands in an error that is returned', async () => {
    const { sent, settled } = await told(gives([new Error(js), new Error('x', { cause: new Error(python) })]));
    expect(sent).not.toMatch(/thrown\.test\.ts|tool\.py/);
    expect(settled.observation).toContain('ZeroDivisionError');
  });

  it('nor in what a schema or a check throws', async () => {
    const fails = () => {
      throw new Error(js);
    };
    const schema = { '~standard': { version: 1, vendor: 'x', validate: fails } };
    expect((await told(gives(1, { outputSchema: schema }))).sent).not.toContain('thrown.test.ts');
    expect((await told(gives(1), { checkResult: fails })).sent).not.toContain('thrown.test.ts');
  });

  it.each([
    ['a sentence', 'Look at the map (sheet 3:1:2), then meet at noon.'],
    ['an address', 'The service at https://example.org:8080/a answered nothing.'],
    ['lines', 'First look at this:\n- a thing at the door\n- at last'],
  ])('words that are no trace stay: %s', async (_what, message) => {
    expect((await told(throws(new Error(message)))).observation).toContain(message);
  });
});

describe('the whole error is in the trace', () => {
  it('with name, message, stack and causes', async () => {
    const thrown = new ToolError('outer', { hint: 'a hint', cause: new RangeError('inner', { cause: 'root' }) });
    const { settled } = await told(throws(thrown));
    expect(settled.error).toEqual({
      name: 'ToolError',
      message: 'outer',
      stack: expect.stringContaining('thrown.test.ts'),
      cause: {
        name: 'RangeError',
        message: 'inner',
        stack: expect.stringContaining('thrown.test.ts'),
        cause: { name: 'string', message: 'root', stack: null, cause: null },
      },
    });
  });

  it('bounded, whatever it is', async () => {
    const circle: { cause?: unknown } = new Error('c'.repeat(100_000));
    circle.cause = circle;
    Object.assign(circle, { stack: 's'.repeat(1_000_000), name: 'n'.repeat(1_000_000) });
    const { settled } = await told(throws(circle));
    expect(JSON.stringify(settled.error).length).toBeLessThan(50_000);
    expect(settled.observation.length).toBeLessThan(10_000);
  });

  it('redacted like everything in the trace', async () => {
    const { settled } = await told(throws(new Error('the key s3cret is wrong')), { redact: ['s3cret'] });
    expect(JSON.stringify(settled.error)).not.toContain('s3cret');
  });

  it('and a success has none, nor has a snapshot or an outcome', async () => {
    expect((await told(gives(1))).settled).not.toHaveProperty('error');
    expect(JSON.stringify((await told(throws(new Error('x')))).outcome)).not.toContain('thrown.test.ts');
  });

  it('survives JSON with its hint', () => {
    expect(JSON.parse(JSON.stringify(new ToolError('a', { hint: 'b' })))).toEqual({
      name: 'ToolError',
      message: 'a',
      hint: 'b',
      unknown: false,
    });
    expect(new ToolError('a').hint).toBeNull();
    expect(new ToolError('a')).not.toBeInstanceOf(AgentError);
  });
});

/** What a side effect did at the end of a connection that broke is unknown: it is not started again with the same input. */
it.each([
  ['a connection that broke', { code: 'ECONNRESET' }, 'sideEffect', 'unknown'],
  ['one that took too long', { name: 'TimeoutError' }, 'sideEffect', 'unknown'],
  [
    'one in the chain of causes',
    { cause: Object.assign(new Error('socket'), { code: 'EPIPE' }) },
    'sideEffect',
    'unknown',
  ],
  ['one that was never made', { code: 'ECONNREFUSED' }, 'sideEffect', 'failed'],
  ['a connection that broke', { code: 'ECONNRESET' }, 'idempotent', 'failed'],
  ['a connection that broke', { code: 'ECONNRESET' }, 'readOnly', 'failed'],
])('%s, %j, of a tool marked %s: %s', async (_what, members, mark, status) => {
  let started = 0;
  const send = returns(null, {
    [mark]: true,
    execute: () => {
      started++;
      throw Object.assign(new Error('no'), members);
    },
  });
  const replies = [act('send', { a: 1 }), act('send', { a: 1 }), answer('done')];
  const { run, model } = setup({ replies, tools: { send }, agent: { policy: 'all' } });
  const outcome = await run();
  expect(outcome.steps[0]?.calls[0]?.status).toBe(status);
  expect(outcome.unknown).toHaveLength(status === 'unknown' ? 1 : 0);
  expect(started).toBe(status === 'unknown' ? 1 : 2);
  if (status === 'unknown') expect(observationAfter(model, 1)).toContain('send may have taken effect');
});
