/** What may happen to a reply on its way, and what each of it means for the loop. */
import type { ServerAnswer } from '../support/server-answer.ts';

/** How a request is answered. */
export interface Way {
  readonly provider: 'openai' | 'anthropic';
  /** Streamed, else in one piece. */
  readonly stream: boolean;
  readonly dialect: 'labelled' | 'native';
}

/**
 * What the loop must make of it. `whole`: the reply counts. `cut`: it does not, and costs a step. `filtered`: the run ends.
 * `silent`: the loop's own time limit ends it, and it may be asked for again. `failed`: `begun` where something was passed on
 * before, `afterMs` as the server asks (null: it does not say), undefined where another try is in vain.
 */
export type Meaning =
  | { readonly is: 'whole' | 'cut' | 'filtered' | 'silent' }
  | { readonly is: 'failed'; readonly begun: boolean; readonly afterMs?: number | null };

export interface Fault {
  readonly meaning: (way: Way) => Meaning;
  /** The due reply, changed. */
  readonly answer: (due: ServerAnswer, way: Way) => ServerAnswer;
  /** How often it is drawn beside the others. */
  readonly weight: number;
}

const whole: Meaning = { is: 'whole' };
const lasting: Meaning = { is: 'failed', begun: false };
const passing = (afterMs: number | null = null, begun = false): Meaning => ({ is: 'failed', begun, afterMs });

/** Longer than any run. */
const aDay = 86_400;

function refusal(status: number, headers: Readonly<Record<string, string>>, meaning: Meaning, more: ServerAnswer = {}) {
  const body = JSON.stringify({ error: { message: 'Not now.', type: 'some_error' } });
  return row(2, meaning, () => ({ status, headers, body, ...more }));
}

function row(weight: number, meaning: Meaning | Fault['meaning'], answer: Fault['answer']): Fault {
  return { weight, answer, meaning: typeof meaning === 'function' ? meaning : () => meaning };
}

/** A reply of which only the beginning comes, in a stream; in one piece nothing of it can be used. */
const beginning = (due: ServerAnswer, { stream }: Way): ServerAnswer =>
  stream ? { ...due, finishReason: null, done: false } : { ...due, keep: 40 };

const errorOf = ({ provider, stream }: Way): string => {
  const document = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded.' } });
  if (!stream) return document;
  return provider === 'anthropic' ? `event: error\ndata: ${document}\n\n` : `data: ${document}\n\n`;
};

const date = 'Tue, 01 Jul 2031 12:00:00 GMT';
const html = { body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } };
/** Two of the three bytes of a character. */
const halfCharacter = Buffer.from('data: {"choices":[{"delta":{"content":"海').subarray(0, -1).toString('hex');
const invented = '\nObservation: made up\nThought: It is there.\nFinal Answer: made up';

const table = {
  'status 429, wait in milliseconds': refusal(429, { 'retry-after-ms': '4' }, passing(4)),
  'status 429, wait in seconds': refusal(429, { 'retry-after': '0.01' }, passing(10)),
  'status 429, wait until a date': refusal(429, { 'retry-after': date, date }, passing(0)),
  'status 429, no wait told': refusal(429, {}, passing()),
  'status 429, wait beyond the deadline': refusal(429, { 'retry-after': `${aDay}` }, passing(aDay * 1_000)),
  'status 429, no money': row(1, lasting, () => ({
    status: 429,
    body: '{"error":{"message":"No.","code":"insufficient_quota"}}',
  })),
  'status 500': refusal(500, { 'retry-after-ms': '3' }, passing(3)),
  'status 503, a page': refusal(503, { 'retry-after-ms': '2' }, passing(2), { body: html.body }),
  'status 529': refusal(529, { 'retry-after-ms': '5' }, passing(5)),
  'status 500, not to be asked again': refusal(500, { 'x-should-retry': 'false' }, lasting),
  'status 401': refusal(401, {}, lasting),
  'a redirect': row(1, lasting, () => ({ status: 302, headers: { location: 'https://example.com/' } })),
  'a page with status 200': row(1, lasting, () => html),
  'reset before the reply': row(4, passing(), () => ({ chunks: [], end: 'reset' })),
  'reset in the middle': row(
    4,
    ({ stream }) => passing(null, stream),
    (due, way) => ({ ...beginning(due, way), end: 'reset', everyMs: 1 }),
  ),
  'closed in the middle': row(
    3,
    // A document that is cut is none, and a server that sends such would send it again.
    ({ stream }) => (stream ? passing(null, true) : lasting),
    beginning,
  ),
  'an empty reply': row(
    2,
    ({ stream }) => (stream ? passing() : lasting),
    () => ({ chunks: [] }),
  ),
  // Its first sign is that of a stream, whatever was asked for.
  'half a character': row(2, passing(), () => ({ hexChunks: [halfCharacter] })),
  'an error in place of a reply': row(3, passing(), (_, way) => ({ body: errorOf(way) })),
  'an error in the middle': row(
    3,
    ({ stream }) => passing(null, stream),
    (due, way) =>
      way.stream ? { ...beginning(due, way), repeat: { text: errorOf(way), times: 1 } } : { body: errorOf(way) },
  ),
  'an end that nobody knows': row(2, passing(null, true), (due) => ({ ...due, finishReason: 'tired' })),
  'gzip that is none': row(2, passing(), (due) => ({ ...due, encoding: 'gzip', encoded: 'not' })),
  'silence before the reply': row(1, { is: 'silent' }, () => ({ chunks: [], end: 'hang' })),
  'silence in the middle': row(1, { is: 'silent' }, (due, way) => ({ ...beginning(due, way), end: 'hang' })),
  'cut by length': row(4, { is: 'cut' }, (due, { provider }) => ({
    ...due,
    finishReason: provider === 'anthropic' ? 'max_tokens' : 'length',
  })),
  withheld: row(1, { is: 'filtered' }, (due, { provider }) => ({
    ...due,
    finishReason: provider === 'anthropic' ? 'refusal' : 'content_filter',
  })),
  'drops by drops': row(2, whole, (due) => ({ ...due, everyMs: 10 })),
  'a slow head': row(2, whole, (due) => ({ ...due, delayMs: 50 })),
  gzip: row(2, whole, (due) => ({ ...due, encoding: 'gzip' })),
  'all in one packet': row(2, whole, (due) => ({ ...due, joined: true })),
  'other line ends': row(2, whole, (due) => ({ ...due, eol: '\r\n' })),
  'comments between events': row(2, whole, (due) => ({ ...due, noise: ': keep-alive\n\n' })),
  'no last mark': row(2, whole, (due) => ({ ...due, done: false })),
  'left open behind the end': row(2, whole, (due, { stream }) => (stream ? { ...due, end: 'hang' } : due)),
  'an invented observation': row(4, whole, (due, { dialect }) =>
    // Only behind a call: behind an answer it would be a part of it.
    dialect === 'labelled' && due.text?.includes('Action:') ? { ...due, text: due.text + invented } : due,
  ),
} as const satisfies { readonly [kind: string]: Fault };

export type FaultKind = keyof typeof table;

export const faults: { readonly [kind in FaultKind]: Fault } = table;

export const faultKinds: readonly FaultKind[] = Object.keys(table).filter((kind): kind is FaultKind =>
  Object.hasOwn(table, kind),
);

/** As often as its weight says. */
export const weighted: readonly FaultKind[] = faultKinds.flatMap((kind) =>
  Array.from({ length: faults[kind].weight }, () => kind),
);
