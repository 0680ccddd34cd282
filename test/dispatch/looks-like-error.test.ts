/** Results that read like a failure are told of as doubtful; texts about errors are left alone. */
import { describe, expect, it } from 'vitest';
import { gives, told } from './told.ts';

const page = (title: string, body = '<p>Something.</p>') =>
  `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;
const frames = '    at load (/srv/app/load.js:10:5)\n    at async main (/srv/app/main.js:3:1)';

const yes: readonly (readonly [what: string, value: unknown, doubt: string])[] = [
  [
    'a page of a proxy',
    '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body></html>',
    'an error page',
  ],
  ['a page that says it in its title', page('Page not found | Corner Shop'), 'an error page'],
  ['a page with an error code', page('Error 500'), 'an error page'],
  ['a page of a servlet', page('HTTP Status 404 – Not Found'), 'an error page'],
  ['a page that says it in its heading', page('Corner Shop', '<h1>403 Forbidden</h1>'), 'an error page'],
  ['a page that asks for patience', page('Just a moment...'), 'an error page'],
  ['an error in XML', '<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code></Error>', 'an error page'],
  [
    'a traceback',
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: 1',
    'a stack trace',
  ],
  [
    'a traceback below a line',
    'exit code 1\nTraceback (most recent call last):\n  File "a.py", line 1',
    'a stack trace',
  ],
  ['a stack of JavaScript', `TypeError: x is not a function\n${frames}`, 'a stack trace'],
  ['a stack of Node', `/srv/app/load.js:10\n    throw new Error('no')\n    ^\n\nError: no\n${frames}`, 'a stack trace'],
  ['a rejected promise', `Uncaught (in promise) RangeError: too far\n${frames}`, 'a stack trace'],
  [
    'a stack of Java',
    'Exception in thread "main" java.lang.NullPointerException: x\n\tat com.example.Main.main(Main.java:7)',
    'a stack trace',
  ],
  [
    'a stack of .NET',
    'Unhandled exception. System.IO.IOException: no\n   at App.Run() in App.cs:line 3',
    'a stack trace',
  ],
  ['a panic of Go', 'panic: no\n\ngoroutine 1 [running]:\nmain.main()', 'a stack trace'],
  ['a panic of Rust', "thread 'main' panicked at src/main.rs:2:5:\nno", 'a stack trace'],
  ['an error of PHP', 'PHP Fatal error:  Uncaught Exception: no in /srv/a.php:3', 'a stack trace'],
  ['an error of Ruby', "app.rb:3:in `load': no such order (RuntimeError)", 'a stack trace'],
  ['an object with an error alone', { error: 'no such order' }, 'an error report'],
  ['an object with an error object', { error: { code: 17, message: 'expired' } }, 'an error report'],
  [
    'an object with a list of errors and no data',
    { errors: [{ message: 'unknown field' }], data: null },
    'an error report',
  ],
  ['JSON in a text', '{"error":"no such order","status":404}', 'an error report'],
  ['an object that says it failed', { success: false, message: 'quota exceeded' }, 'an error report'],
  [
    'a report of a framework',
    { timestamp: '2026-01-01', status: 500, error: 'Internal Server Error', path: '/orders' },
    'an error report',
  ],
  ['problem details', { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'not yours' }, 'an error report'],
  ['a result of MCP', { isError: true, content: [{ type: 'text', text: 'no such file' }] }, 'an error report'],
  ['an object that only says that it failed', { success: false }, 'an error report'],
  ['an object that says it failed, with a code', { success: false, code: 'E17', data: null }, 'an error report'],
  ['an object that says it failed, in short', { ok: false, msg: 'quota exceeded' }, 'an error report'],
  ['a panic of Go that is cut', 'panic: runtime error\n\ngoroutine 1', 'a stack trace'],
  ['a panic of Go on one line', 'panic: runtime error: index out of range [3] with length 2', 'an error message'],
  ['an error with one bare frame', 'Error: connect ECONNREFUSED\n    at TCPConnectWrap', 'a stack trace'],
  ['a status line', 'HTTP/1.1 404 Not Found', 'an error message'],
  ['a response with its head', 'HTTP/2 503\r\ncontent-type: text/html\r\n\r\n<p>sorry</p>', 'an error message'],
  ['a line of a server', '404 page not found', 'an error message'],
  ['a reason alone', 'Internal Server Error', 'an error message'],
  ['an error as a text', 'Error: the city is unknown', 'an error message'],
  ['an exception as a text', 'ValueError: the city is unknown', 'an error message'],
  ['an unknown command', 'sh: 1: jqq: command not found', 'an error message'],
  ['an error in Chinese', '错误：没有这个订单', 'an error message'],
  ['an error that is returned', new Error('no such order'), 'an error message'],
];

const no: readonly (readonly [what: string, value: unknown])[] = [
  ['a rate of errors', 'The error rate of the order service fell to 0.1 %.'],
  ['no errors', 'No errors found.'],
  ['a question about errors', 'What does "Error: ENOENT" mean? It means that a file is missing.'],
  ['lines of a log', '2026-01-01 10:00 ERROR db: timeout\n2026-01-01 10:01 INFO db: back\n'],
  ['a log that begins with an error', 'ERROR: disk full\nINFO: cleaned\nINFO: disk at 40 %'],
  ['a page about errors', page('How to fix a 404 error in nginx')],
  ['a page of a firm with a number', page('404 Media')],
  ['a page about a film', page('500 Days of Summer')],
  [
    'a page with an error in its text',
    page('Release notes', '<h1>Release notes</h1><p>500 Internal Server Error fixed.</p>'),
  ],
  ['a piece of a page', '<p>404 Not Found was the answer.</p>'],
  [
    'an article about tracebacks',
    'Python prints a report.\n\nIt begins like this:\n\nTraceback (most recent call last):\n  File "a.py"',
  ],
  ['source code that throws', "export function load() {\n  throw new Error('no');\n}"],
  ['a rule and its exception', 'Exceptions to the rule: none.'],
  ['a list of places', 'Error bars\n    at the top (see figure 3)\n    at the bottom'],
  ['a time', 'Meet me at noon (12:30:00) at the station.'],
  ['an error beside data', { error: 'one page is missing', data: { rows: 3 } }],
  ['no error', { error: null, data: [] }],
  ['no errors as a list', { errors: [], warnings: 2 }],
  ['an empty error', { error: '', rows: [1] }],
  ['a member about errors', { errorRate: 0.2, errors: 12, service: 'orders' }],
  ['a list of errors that were searched for', [{ error: 'timeout' }, { error: 'refused' }]],
  ['a state that was asked for', { url: 'https://example.org', status: 404, title: 'Not Found', links: 3 }],
  ['a good state', { status: 200, message: 'done' }],
  ['success', { success: true, message: 'saved' }],
  ['a message', { message: 'hello' }],
  ['a code', { code: 'E11', name: 'Order' }],
  ['an answer no', { ok: false }],
  ['JSON with more in it', '{"error":"timeout","service":"orders","count":3}'],
  ['a table', 'level,count\nerror,5\nwarning,9'],
  ['a number like a code', '404'.padEnd(4, '0')],
  ['a count', '500 orders'],
  ['a good status line', 'HTTP/1.1 200 OK\ncontent-type: text/plain\n\nfine'],
  ['a text about a status', 'HTTP/1.1 404 Not Found means that nothing is there.'],
  ['a title with a panic', 'Panic: how the markets fell'],
  ['a text about panics', 'panic: a built-in function that stops the ordinary flow of control.'],
  ['an answer no, with what it is about', { success: false, query: 'lamp', hits: [] }],
  ['a note with a place', 'Note: dinner\n    at home'],
  ['a text about errors with a place', 'Error bars\n    at home'],
];

describe('doubtful', () => {
  it.each(yes)('%s', async (_what, value, doubt) => {
    const { settled, sent } = await told(gives(value));
    expect(settled.result).toBe('succeeded');
    expect(settled.observation).toMatch(
      new RegExp(`^\\(The tool returned, but this looks like ${doubt}: it may have failed\\.`),
    );
    expect(sent).toContain(`looks like ${doubt}`);
    // The text itself stands below.
    const [, second = ''] = settled.observation.split('\n');
    expect(second).not.toBe('');
  });

  it('in Chinese', async () => {
    const { observation } = await told(gives({ error: 'x' }), { language: 'zh' });
    expect(observation).toBe(
      '（工具已返回，但内容看起来是错误报告：可能已经失败。不要把它当作数据。请检查输入，或换一个工具。）\n{"error":"x"}',
    );
  });

  it('the record has the output as it was', async () => {
    expect((await told(gives({ error: 'x' }))).settled.output).toEqual({ error: 'x' });
  });
});

describe('left alone', () => {
  it.each(no)('%s', async (_what, value) => {
    const { observation } = await told(gives(value));
    expect(observation).toBe(typeof value === 'string' ? value : JSON.stringify(value));
  });
});

it('only a bounded head is looked at', async () => {
  const long = `${'word '.repeat(2_000)}\nTraceback (most recent call last):`;
  expect((await told(gives(long))).observation).toMatch(/^word/);
  for (const start of ['<html><title>', '{"error":', 'Error: ', '    at ', "thread '"])
    expect((await told(gives(start.repeat(1_000_000)))).observation.length).toBeLessThan(5_000);
});
