/**
 * The measured process of the figures of reading. It is started fresh for each, and prints one line of JSON.
 *
 *   node reading-process.js names
 *   node reading-process.js growth <dialect> <rounds> <sliceMs> <number of a hostile text, or -1 for all>
 *   node reading-process.js speed <dialect> <rounds> <sliceMs>
 *
 * The readers come from the sources, bundled as `npm run build` does it: the package has no door to all their scanners.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { hostileTexts, lengths } from './hostile.js';
import { repliesIn, tools } from './replies.js';
import { median } from './statistics.js';

/** For the compiler. */
const warmRounds = 4;
/** In code units, about a token each. */
const chunkLength = 4;

const { createReader, dialectNamed, dialectNames } = await bundled('../../src/protocol/read.ts');
const [what, name, ...figures] = process.argv.slice(2);
const measure = { names: () => dialectNames, growth, speed }[what];
console.log(JSON.stringify(measure(name, ...figures.map(Number))));

async function bundled(path) {
  const entry = fileURLToPath(new URL(path, import.meta.url));
  const options = {
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
  };
  const { outputFiles } = await build({ ...options, entryPoints: [entry], minify: true, write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** CPU microseconds for each hostile text at each length, as `[number, [[length, microseconds], …]]`. */
function growth(dialect, rounds, sliceMs, only) {
  const numbers = only < 0 ? hostileTexts.map((_, number) => number) : [only];
  return numbers.map((number) => {
    const texts = lengths.map((length) => repeated(hostileTexts[number], length));
    const reads = texts.map((text) => () => readWhole(dialect, { text, call: null }));
    const times = interleaved(reads, rounds, sliceMs);
    return [number, texts.map(({ length }, index) => [length, times[index]])];
  });
}

function repeated(unit, length) {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** For each reply its size, and CPU microseconds for reading it whole, streamed, and for the carrier alone. */
function speed(dialect, rounds, sliceMs) {
  const replies = repliesIn(dialectNamed(dialect)).map((reply) => ({ ...reply, chunks: chunksOf(reply) }));
  for (const reply of replies) check(dialect, reply);
  const reads = replies.flatMap((reply) => [
    () => readWhole(dialect, reply),
    () => readStreamed(createReader({ dialect, tools }), reply.chunks),
    () => readStreamed(createCarrier(), reply.chunks),
  ]);
  const times = interleaved(reads, rounds, sliceMs);
  return replies.map(({ kind, language, text, call, chunks }, index) => {
    const [wholeUs, streamedUs, carrierUs] = times.slice(3 * index, 3 * index + 3);
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(call?.input ?? '');
    return { kind, language, bytes, chunks: chunks.length, wholeUs, streamedUs, carrierUs };
  });
}

function readWhole(dialect, { text, call }) {
  const reader = createReader({ dialect, tools });
  reader.feed(text);
  if (call !== null) reader.takeCall({ index: 0, id: 'c1', tool: call.tool, input: call.input });
  return reader.end().reading;
}

function chunksOf({ text, call }) {
  const chunks = cut(text).map((part) => ({ text: part, piece: null }));
  if (call === null) return chunks;
  const first = { index: 0, id: 'c1', tool: call.tool, input: '' };
  const pieces = [first, ...cut(call.input).map((input) => ({ index: 0, id: null, tool: '', input }))];
  return [...chunks, ...pieces.map((piece) => ({ text: '', piece }))];
}

/** Copies, as they come from a network: pieces that point into the whole text would be cheaper to look at. */
function cut(text) {
  const parts = [];
  for (let at = 0; at < text.length; at += chunkLength)
    parts.push(Buffer.from(text.slice(at, at + chunkLength)).toString());
  return parts;
}

function readStreamed(reader, chunks) {
  let marks = 0;
  for (const { text, piece } of chunks)
    if (piece === null) marks += reader.feed(text).length;
    else reader.takeCall(piece);
  return { marks, ended: reader.end() };
}

/** Does nothing but keep what it is given. */
function createCarrier() {
  const list = [];
  const none = [];
  return {
    feed(chunk) {
      list.push(chunk);
      return none;
    },
    takeCall(piece) {
      list.push(piece.input);
    },
    end: () => list,
  };
}

/** A figure of something that did not do its work would be worth nothing. */
function check(dialect, reply) {
  const wanted = reply.kind.includes('answer') ? 'answer' : 'calls';
  const streamed = readStreamed(createReader({ dialect, tools }), reply.chunks).ended.reading;
  const kinds = [readWhole(dialect, reply).kind, streamed.kind];
  if (kinds.some((kind) => kind !== wanted))
    throw new Error(`${dialect}: ${reply.kind} in ${reply.language} is read as ${kinds.join(' and ')}.`);
}

/** CPU microseconds of each function, as the median over rounds in which all of them take turns. */
function interleaved(functions, rounds, sliceMs) {
  for (const run of functions) slice(run, warmRounds * sliceMs);
  const slices = functions.map(() => []);
  for (let round = 1; round <= rounds; round++)
    for (const [index, run] of functions.entries()) slices[index].push(slice(run, sliceMs));
  return slices.map(median);
}

function slice(run, sliceMs) {
  const endMs = performance.now() + sliceMs;
  const before = process.cpuUsage();
  let runs = 0;
  do {
    run();
    runs++;
  } while (performance.now() < endMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / runs;
}
