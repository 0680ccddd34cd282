/**
 * Whether a result that a tool returned reads like a failure: an error page, a stack trace, an error object, an error
 * message. A guess from a bounded head, which never changes the status of a call: it may be what was asked for. Pure.
 */
import type { Doubt } from '../src/core/doubt.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/core/json.ts';

/** In code units: what is behind is not looked at. */
const headLength = 4_000;
/** A longer line, or more than one, is a text about errors. */
const longestMessage = 300;

/** Text about errors is not an error: the head must read like one from its first line on. */
export function looksLikeError(text: string, output: JsonValue | null): Doubt | null {
  if (typeof output === 'object' && output !== null) return isErrorObject(output) ? 'object' : null;
  const head = text.slice(0, headLength).trim();
  if (head.startsWith('{')) return text.length <= headLength && isErrorObject(parsed(head)) ? 'object' : null;
  if (head.startsWith('<')) return isErrorPage(head) ? 'page' : null;
  if (isTrace(head)) return 'trace';
  if (isStatusLine(head)) return 'text';
  return text.length <= headLength && isMessage(head) ? 'text' : null;
}

// Pages.

function isErrorPage(head: string): boolean {
  const page = head.toLowerCase();
  if (page.startsWith('<?xml') || page.startsWith('<error')) return page.slice(0, 200).includes('<error>');
  if (!pageStarts.some((start) => page.startsWith(start))) return false;
  return isErrorTitle(inside(page, 'title')) || isErrorTitle(inside(page, 'h1'));
}

const pageStarts = ['<!doctype html', '<html', '<head', '<title', '<center', '<body', '<h1'];

/** What the first element of this name holds. */
function inside(page: string, name: string): string {
  const open = page.indexOf(`<${name}`);
  const from = open === -1 ? -1 : page.indexOf('>', open);
  const to = from === -1 ? -1 : page.indexOf('<', from);
  return to === -1 ? '' : page.slice(from + 1, to);
}

/** `404 Not Found`, `Page not found | Shop`, `Error 502`; not `404 Media` or `How to fix error 404`. */
function isErrorTitle(title: string): boolean {
  const said = title.slice(0, 200).trim().toLowerCase();
  if (/^(?:http )?(?:status|error|status code|error code)[ :]{0,3}[45]\d\d\b/.test(said)) return true;
  const coded = /^(?:http )?[45]\d\d(?:\b[ :–—-]{0,3}(.{0,100}))?$/.exec(said);
  if (coded !== null) return isReason(coded[1] ?? '');
  return said.split(/ [|–—·-] /, 5).some(isReasonAlone);
}

function isReason(text: string): boolean {
  const said = text.replace(/[.!]$/, '').trim();
  return said === '' || said === 'error' || reasons.some((reason) => said === reason || said.startsWith(`${reason} `));
}

function isReasonAlone(text: string): boolean {
  return reasons.includes(text.replace(/[.!…]{1,3}$/, '').trim());
}

const reasons = [
  ['bad request', 'unauthorized', 'forbidden', 'access denied', 'permission denied'],
  ['not found', 'page not found', 'file not found', 'too many requests', 'request timeout'],
  ['internal server error', 'server error', 'bad gateway', 'service unavailable', 'service temporarily unavailable'],
  ['gateway timeout', 'gateway time-out', 'application error', 'just a moment', 'attention required'],
].flat();

/** The first line of a response that is shown with its head: `HTTP/1.1 404 Not Found`. */
function isStatusLine(head: string): boolean {
  const [line = ''] = head.slice(0, 100).split(/\r?\n/, 1);
  const reason = /^HTTP\/\d(?:\.\d)? [45]\d\d(.{0,60})$/.exec(line)?.[1];
  return reason !== undefined && (reason.trim() === '' || isReasonAlone(reason.toLowerCase()));
}

// Traces.

function isTrace(head: string): boolean {
  const lines = head
    .split('\n', 40)
    .map((line) => line.slice(0, 400))
    .filter((line) => line.trim() !== '');
  const [first = '', second = ''] = lines;
  if (isTraceback(first) || isTraceback(second)) return true;
  if (/^thread '[^']{0,80}' (?:\(\d{1,20}\) )?panicked at/.test(first)) return true;
  if (/^(?:PHP )?(?:Fatal|Parse) error: /.test(first)) return true;
  if (/^\S{1,200}\.rb:\d{1,7}:in [`'"]/.test(first)) return true;
  if (first.startsWith('panic: ')) return lines.some((line) => /^goroutine \d{1,9}(?: \[|$)/.test(line));
  if (/^\w{0,60}(?:Error|Exception): \S/.test(first) && /^\s{1,20}at [\w.$<>]{1,200}$/.test(second.trimEnd()))
    return true;
  return (isThrown(first) || isPlace(first)) && lines.some(isFrame);
}

function isTraceback(line: string): boolean {
  return line.trimStart().startsWith('Traceback (most recent call last)');
}

/** `TypeError: …`, `java.io.IOException: …`, `Unhandled exception. System.X.YException: …`. */
function isThrown(line: string): boolean {
  return /^(?:Uncaught (?:\(in promise\) )?|Unhandled exception[.:] |Exception in thread "[^"]{0,80}" )?[\w.$]{0,120}(?:Error|Exception)\b/.test(
    line,
  );
}

/** Node prints where the error was thrown before the error. */
function isPlace(line: string): boolean {
  return /^(?:file:|node:|\/|[A-Z]:\\)\S{1,200}:\d{1,7}$/.test(line);
}

/** `at load (/srv/load.js:10:5)`, `at file:///srv/load.js:10:5`, `at com.example.Main.main(Main.java:7)`. */
function isFrame(line: string): boolean {
  const at = /^\s{1,20}at (.{1,360})/.exec(line)?.[1];
  if (at === undefined) return false;
  return (
    /:\d{1,7}\)?$/.test(at.trimEnd()) || /^[\w.<>`$]{1,200}\.[\w<>$]{1,100}\(/.test(at) || at.endsWith('(<anonymous>)')
  );
}

// Messages.

function isMessage(said: string): boolean {
  if (said === '' || said.length > longestMessage || said.includes('\n')) return false;
  if (/^(?:fatal|error|exception|uncaught \w{1,40}|\w{1,40}(?:error|exception)) ?: ?\S/i.test(said)) return true;
  if (/^(?:错误|出错了?|异常)[:：]/.test(said) || said.endsWith(': command not found')) return true;
  if (said.startsWith('panic: runtime error')) return true;
  return isErrorTitle(said);
}

// Objects.

/** An object that holds an error and nothing else that could be a result; or one that says of itself that it failed. */
function isErrorObject(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (own(value, 'isError') === true || own(value, 'is_error') === true) return true;
  const names = Object.keys(value);
  if (names.length > envelope.size || !names.every((name) => envelope.has(name.toLowerCase()))) return false;
  if (isSaid(own(value, 'data')) || isSaid(own(value, 'result'))) return false;
  const failed = flags.some((name) => own(value, name) === false) || states.some((name) => isBad(own(value, name)));
  const says = own(value, 'success') === false || words.some((name) => isSaid(own(value, name)));
  return isSaid(own(value, 'error')) || isSaid(own(value, 'errors')) || (failed && says);
}

const flags = ['ok', 'success'];
const states = ['status', 'statusCode', 'status_code'];
const words = [
  'message',
  'msg',
  'error_message',
  'errorMessage',
  'detail',
  'details',
  'title',
  'reason',
  'error_description',
];

/** Names that an error has beside itself, in lower case; `data` and `result` only where they hold nothing. */
const envelope: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'error_description', 'errorcode', 'error_code', 'errormessage', 'code', 'type', 'kind'],
  ...[
    'message',
    'msg',
    'error_message',
    'detail',
    'details',
    'title',
    'reason',
    'hint',
    'instance',
    'name',
    'stack',
    'trace',
    'cause',
  ],
  ...['status', 'statuscode', 'status_code', 'ok', 'success', 'data', 'result', 'path', 'method', 'timestamp'],
  ...['requestid', 'request_id', 'traceid', 'trace_id', 'param', 'documentation_url', 'help'],
]);

function own(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isSaid(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (isJsonObject(value) && Object.keys(value).length > 0);
}

function isBad(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') return value >= 400 && value <= 599;
  return typeof value === 'string' && ['error', 'fail', 'failed', 'failure'].includes(value.toLowerCase());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
