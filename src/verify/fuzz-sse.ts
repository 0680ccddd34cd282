/**
 * The target `sse`: streams of chat completions, whole and damaged, cut anywhere, and plain documents, to the reading of
 * the OpenAI adapter.
 */
import type { ModelEvent } from '../core/model.ts';
import { createFailures } from '../models/http/failures.ts';
import { readDocument, readStream } from '../models/openai/reply.ts';
import { openaiWords } from '../models/openai/words.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { broken, type FuzzTarget, feed, mustEqual } from './fuzz-target.ts';
import { chunkings, cutBytes } from './pieces.ts';

interface Example {
  readonly reads: 'stream' | 'document';
  /** The bytes as text, each character one byte. */
  readonly sent: string;
  /** What it says, where nothing was damaged. */
  readonly meant: { readonly text: string; readonly finish: string } | null;
  readonly breaks: boolean;
  readonly lengths: readonly number[];
}

export type Readers = { readonly [reads in Example['reads']]: typeof readStream };

/** `readers`: those of the adapter, or others that keep the same promise. */
export function sseTarget(readers: Readers = { stream: readStream, document: readDocument }): FuzzTarget {
  return {
    name: 'sse',
    takes: [],
    tells: 'bytes of a model server, damaged and cut anywhere: one end or failure, last, the same however it is cut',
    runs: 3_000,
    feed: (fc) => feed({ fc, draws: examples(fc), holds: (example) => holds(example, readers) }),
  };
}

function examples(fc: FastCheck): Arbitrary<Example> {
  const shared = { breaks: fc.constantFrom(false, false, false, true), lengths: chunkings(fc) };
  const reads = fc.constantFrom<Example['reads'][]>('stream', 'stream', 'stream', 'document');
  const whole = fc.tuple(fc.record(shared), wholeStreams(fc)).map(([rest, { sent, meant }]): Example => {
    return { ...rest, reads: 'stream', sent, meant: rest.breaks ? null : meant };
  });
  const damaged = fc
    .tuple(
      fc.record({ ...shared, reads }),
      fc.oneof(
        wholeStreams(fc).map(({ sent }) => sent),
        soup(fc),
      ),
      damages(fc),
    )
    .map(([rest, sent, damage]): Example => ({ ...rest, sent: damage(sent), meant: null }));
  return fc.oneof({ weight: 1, arbitrary: whole }, { weight: 3, arbitrary: damaged });
}

/** A text as a server sends it: in UTF-8, each byte as one character. */
function bytesOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

function wholeStreams(
  fc: FastCheck,
): Arbitrary<{ readonly sent: string; readonly meant: NonNullable<Example['meant']> }> {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('\n\n', 'data: x', '🙂', '[DONE]'),
  );
  return fc
    .record({
      pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
      finish: fc.constantFrom('stop', 'length', 'content_filter'),
      newline: fc.constantFrom('\n', '\r\n', '\r'),
      noise: fc.constantFrom('', ': ping', 'event: message', 'id: 7', 'retry: 10'),
      done: fc.boolean(),
    })
    .map(({ pieces, finish, newline, noise, done }) => {
      const chunks = pieces.map((content) => ({ choices: [{ delta: { content } }] }));
      const documents = [...chunks, { choices: [{ delta: {}, finish_reason: finish }] }].map((it) =>
        JSON.stringify(it),
      );
      const events = [...documents, ...(done ? ['[DONE]'] : [])];
      const lines = events.flatMap((data) => [...(noise === '' ? [] : [noise]), `data: ${data}`, '']);
      return { sent: bytesOf(lines.map((line) => line + newline).join('')), meant: { text: pieces.join(''), finish } };
    });
}

const fragments = [
  ...[
    'data: ',
    'data:',
    'event: x',
    ': c',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '[DONE]',
    '{',
    '}',
    '"',
    '{}',
    'null',
    '[]',
    '\ufeff',
  ],
  ...[
    '{"choices":[]}',
    '{"choices":[{"delta":{"content":"a"}}]}',
    '{"choices":[{"delta":{"content":["b",{"text":"c"}]}}]}',
  ],
  ...[
    '{"choices":[{"finish_reason":"stop"}]}',
    '{"choices":[{"finish_reason":"whatever"}]}',
    '{"error":{"message":"no"}}',
  ],
  ...[
    '{"error":null}',
    '{"choices":[null]}',
    '{"choices":{"0":1}}',
    '{"usage":{"prompt_tokens":1,"completion_tokens":2}}',
  ],
  ...[
    '{"usage":{"prompt_tokens":-1,"completion_tokens":1e99}}',
    '{"choices":[{"message":{"content":"d"}}]}',
    '\0',
    '🙂',
  ],
  ...[
    '{"choices":[{"delta":{"reasoning_content":"r"}}]}',
    '{"choices":[{"delta":{"refusal":"no"}}]}',
    '{"__proto__":1}',
  ],
] as const;

function soup(fc: FastCheck): Arbitrary<string> {
  const lines = fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => bytesOf(parts.join('')));
  const events = fc
    .array(fc.constantFrom(...fragments), { maxLength: 8 })
    .map((parts) => bytesOf(parts.map((part) => `data: ${part}\n\n`).join('')));
  const bytes = fc.uint8Array({ maxLength: 60 }).map((all) => String.fromCharCode(...all));
  return fc.oneof(lines, events, bytes);
}

function damages(fc: FastCheck): Arbitrary<(sent: string) => string> {
  const damage = fc.record({
    how: fc.constantFrom('none', 'cut', 'drop', 'flip', 'insert', 'double'),
    at: fc.nat(400),
    byte: fc.nat(255).map((code) => String.fromCharCode(code)),
  });
  return fc.array(damage, { maxLength: 3 }).map((all) => (sent: string) => all.reduce(damaged, sent));
}

function damaged(sent: string, { how, at, byte }: { how: string; at: number; byte: string }): string {
  const place = sent.length === 0 ? 0 : at % sent.length;
  const [before, behind] = [sent.slice(0, place), sent.slice(place)];
  if (how === 'cut') return before;
  if (how === 'drop') return before + behind.slice(1);
  if (how === 'flip') return before + byte + behind.slice(1);
  if (how === 'insert') return before + byte + behind;
  return how === 'double' ? before + behind.slice(0, 40) + behind : sent;
}

async function holds({ reads, sent, meant, breaks, lengths }: Example, readers: Readers): Promise<void> {
  const bytes = Uint8Array.from(sent, (character) => character.charCodeAt(0));
  const readIn = (pieces: readonly Uint8Array[]) => heard(readers[reads], pieces, breaks);
  const whole = await readIn([bytes]);
  mustEqual('Cut into pieces it is read in another way', await readIn(cutBytes(bytes, lengths)), whole);
  mustEqual('Byte by byte it is read in another way', await readIn(cutBytes(bytes, [1])), whole);
  if (meant === null) return;
  mustEqual('The text is not what was sent', whole.text, meant.text);
  mustEqual('The end is not what was sent', whole.last, { type: 'end', finish: meant.finish, usage: null });
}

const failures = createFailures(
  { where: 'openai', keyHint: '', url: new URL('http://127.0.0.1/v1'), model: 'fuzzed', secrets: [] },
  openaiWords,
);

interface Heard {
  readonly text: string;
  readonly reasoning: string;
  readonly last: ModelEvent | undefined;
}

async function heard(read: typeof readStream, pieces: readonly Uint8Array[], breaks: boolean): Promise<Heard> {
  const reply = { bytes: arriving(pieces, breaks) };
  const options = { failures, onBreak: (thrown: unknown) => failures.brokeOff(thrown), leave: () => {} };
  const events: ModelEvent[] = [];
  for await (const event of read(reply, options)) events.push(event);
  const ends = events.filter(({ type }) => type === 'end' || type === 'failed').length;
  const last = events.at(-1);
  if (ends !== 1) throw broken(`The reply has ${ends} ends`);
  if (last?.type !== 'end' && last?.type !== 'failed') throw broken(`Behind the end comes ${JSON.stringify(last)}`);
  const said = (type: 'text' | 'reasoning') => events.map((event) => (event.type === type ? event.text : '')).join('');
  return { text: said('text'), reasoning: said('reasoning'), last };
}

async function* arriving(pieces: readonly Uint8Array[], breaks: boolean): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (breaks) throw new Error('the connection was reset');
}
