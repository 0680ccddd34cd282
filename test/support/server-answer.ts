/** What a server of models answers, whatever its provider's form, and what becomes of it on the wire. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { cut, type Random } from './random.ts';

/** Either a reply made from `text` and its neighbours, or raw bytes: `body`, `chunks` or `hexChunks`. */
export interface ServerAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  /** The model's own calls, behind the text. */
  readonly calls?: readonly ServerCall[];
  /** In the provider's own words. Default: that of a reply that ended well; null sends none. */
  readonly finishReason?: string | null;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  /** Whether a stream has its last mark. Default true. */
  readonly done?: boolean;
  /** The line end of a stream. */
  readonly eol?: '\n' | '\r\n' | '\r';
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Each is written on its own. */
  readonly chunks?: readonly string[];
  readonly hexChunks?: readonly string[];
  /** Raw bytes for ever, or so often, behind all others. */
  readonly repeat?: { readonly text: string; readonly times?: number };
  /** After the last byte: end in good order (default), reset the connection, or leave it open. */
  readonly end?: 'close' | 'reset' | 'hang';
  /** Before the head of the answer, and behind each piece. */
  readonly delayMs?: number;
  readonly everyMs?: number;
  /** Sent behind each event of a stream, such as a comment. */
  readonly noise?: string;
  /** All in one write, or cut once, behind so many bytes. Default: each event on its own. */
  readonly cutAt?: number;
  readonly joined?: true;
  /** Of all bytes only so many are sent. */
  readonly keep?: number;
  /** What `content-encoding` says, and how it is done: by it, without the wrapper of zlib, or damaged. */
  readonly encoding?: string;
  readonly encoded?: 'raw' | 'damaged' | 'truncated' | 'not';
}

export interface ServerCall {
  readonly name: string;
  /** As text, which may be no JSON. */
  readonly arguments: string;
  readonly id?: string;
}

/** How a provider writes a reply. */
export interface Form {
  /** Each event of a stream on its own. */
  events(answer: ServerAnswer, random: Random | null): readonly string[];
  document(answer: ServerAnswer): string;
}

/** The bytes of the answer, each as it is written. */
export function* bytesOnWire(
  answer: ServerAnswer,
  form: Form,
  { stream, random }: { readonly stream: boolean; readonly random: Random | null },
): Generator<Buffer> {
  const pieces = arranged(encodedAs(answer, rawBytes(answer, form, { stream, random })), answer);
  // All cuts at once: what a seed gives next does not depend on when a client leaves.
  yield* random === null ? pieces : pieces.flatMap((bytes) => cut(bytes, random));
  const { repeat } = answer;
  if (repeat === undefined) return;
  const bytes = Buffer.from(repeat.text);
  for (let times = repeat.times ?? Number.POSITIVE_INFINITY; times > 0; times--) yield bytes;
}

function rawBytes(
  answer: ServerAnswer,
  form: Form,
  { stream, random }: { readonly stream: boolean; readonly random: Random | null },
): readonly Buffer[] {
  const { hexChunks, chunks, body, repeat, noise = '' } = answer;
  if (hexChunks !== undefined) return hexChunks.map((hex) => Buffer.from(hex, 'hex'));
  if (chunks !== undefined) return chunks.map((text) => Buffer.from(text));
  if (body !== undefined) return [Buffer.from(body)];
  if (repeat !== undefined && answer.text === undefined) return [];
  if (!stream) return [Buffer.from(form.document(answer))];
  return form.events(answer, random).map((event) => Buffer.from(event + noise));
}

function encodedAs({ encoding, encoded }: ServerAnswer, pieces: readonly Buffer[]): readonly Buffer[] {
  if (encoding === undefined || encoded === 'not') return pieces;
  const whole = encoding
    .split(',')
    .map((name) => name.trim())
    .reduce<Buffer>((bytes, name) => encode(bytes, name, encoded === 'raw'), Buffer.concat(pieces));
  if (encoded === 'truncated') return [whole.subarray(0, Math.floor(whole.length / 2))];
  if (encoded === 'damaged') whole.fill(0xff, Math.floor(whole.length / 2));
  return [whole];
}

function encode(bytes: Buffer, name: string, raw: boolean): Buffer {
  if (name === 'br') return brotliCompressSync(bytes);
  if (name === 'deflate') return raw ? deflateRawSync(bytes) : deflateSync(bytes);
  return name === 'identity' ? bytes : gzipSync(bytes);
}

function arranged(pieces: readonly Buffer[], { cutAt, joined, keep }: ServerAnswer): readonly Buffer[] {
  if (cutAt === undefined && joined === undefined && keep === undefined) return pieces;
  const whole = Buffer.concat(pieces).subarray(0, keep);
  return cutAt === undefined ? [whole] : [whole.subarray(0, cutAt), whole.subarray(cutAt)];
}
