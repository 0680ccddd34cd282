/** What a chat completions server sends: the bytes of an answer, cut at places that a seed decides. */

export type Random = (below: number) => number;

/** Either a completion made from `text` and its neighbours, or raw bytes: `body`, `chunks` or `hexChunks`. */
export interface ServerAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  /** The model's own calls, behind the text. */
  readonly calls?: readonly ServerCall[];
  /** Default `stop`, or `tool_calls` with calls; null sends none. */
  readonly finishReason?: string | null;
  /** Sent in a chunk of its own after the finish reason. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  /** Whether a stream ends with `[DONE]`. Default true. */
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
  /** After the last byte: end in good order (default), reset the connection, or leave it open. */
  readonly end?: 'close' | 'reset' | 'hang';
  /** Before the head of the answer. */
  readonly delayMs?: number;
}

export interface ServerCall {
  readonly name: string;
  /** As text, which may be no JSON. */
  readonly arguments: string;
  readonly id?: string;
}

export function bytesOf(answer: ServerAnswer, stream: boolean, random: Random | null): readonly Buffer[] {
  if (answer.hexChunks !== undefined) return answer.hexChunks.map((hex) => Buffer.from(hex, 'hex'));
  if (answer.chunks !== undefined) return answer.chunks.map((text) => Buffer.from(text));
  if (answer.body !== undefined) return [Buffer.from(answer.body)];
  return stream ? streamOf(answer, random) : [Buffer.from(documentOf(answer))];
}

function documentOf(answer: ServerAnswer): string {
  const { text = '', reasoning, calls, usage } = answer;
  const tool_calls = calls?.map(({ id, ...called }) => ({ id, type: 'function', function: called }));
  const message = { role: 'assistant', content: text, reasoning_content: reasoning, tool_calls };
  return JSON.stringify({
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
    usage,
  });
}

function streamOf(answer: ServerAnswer, random: Random | null): readonly Buffer[] {
  const { text = '', reasoning, calls = [], usage, done = true, eol = '\n' } = answer;
  const finishReason = finishOf(answer);
  const documents = [
    chunkOf({ role: 'assistant', content: '' }, null),
    ...(reasoning === undefined ? [] : [chunkOf({ reasoning_content: reasoning }, null)]),
    ...deltas(text, random).map((content) => chunkOf({ content }, null)),
    ...calls
      .flatMap((call, index) => callDeltas(call, index, random))
      .map((piece) => chunkOf({ tool_calls: [piece] }, null)),
    ...(finishReason === null ? [] : [chunkOf({}, finishReason)]),
    ...(usage === undefined ? [] : [JSON.stringify({ choices: [], usage })]),
    ...(done ? ['[DONE]'] : []),
  ];
  return documents.map((document) => Buffer.from(`data: ${document}${eol}${eol}`));
}

function finishOf({ finishReason, calls }: ServerAnswer): string | null {
  return finishReason === undefined ? (calls === undefined ? 'stop' : 'tool_calls') : finishReason;
}

/** The id and the name come first, then the arguments token by token. */
function callDeltas({ id, name, arguments: text }: ServerCall, index: number, random: Random | null): object[] {
  return [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...deltas(text, random).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function chunkOf(delta: object, finishReason: string | null): string {
  return JSON.stringify({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
}

/** Tokens of one to six characters. */
function deltas(text: string, random: Random | null): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; ) {
    const end = start + 1 + (random?.(6) ?? 3);
    pieces.push(characters.slice(start, end).join(''));
    start = end;
  }
  return pieces;
}

export function cut(bytes: Buffer, random: Random): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = start + 1 + random(24);
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** mulberry32 (public domain): small, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
