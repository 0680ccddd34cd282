/**
 * What reading a reply costs, for every dialect: how the time grows with the length of a hostile text, how fast a whole
 * reply is read, and what a chunk costs that streams in.
 */
import { fileURLToPath } from 'node:url';
import { run } from './fresh.js';
import { hostileTexts } from './hostile.js';
import { printRows, printTable, progress, row } from './show.js';
import { growthExponent } from './statistics.js';

export const readingBars = { exponent: 1.1, megabytesPerSecond: 100, chunkUs: 0.2 };

/** `together`: one process for all hostile texts of a dialect, instead of one each. */
export const readingEffort = {
  full: { rounds: 5, growthMs: 15, speedMs: 12, together: false },
  quick: { rounds: 3, growthMs: 1, speedMs: 3, together: true },
};

/** Prints the figures; true where one of them is over its bar. */
export async function benchReading(effort) {
  const dialects = await measured('names');
  const figures = [];
  for (const dialect of dialects) figures.push(await measureDialect(dialect, effort));
  progress('');
  const rows = figures.flatMap(judge);
  printKinds(figures);
  console.log('\nReading, by dialect\n');
  printRows(rows);
  console.log(`\n${summary(figures)}`);
  return rows.some(({ over }) => over);
}

async function measureDialect(dialect, { rounds, growthMs, speedMs, together }) {
  const exponents = [];
  for (const number of together ? [-1] : hostileTexts.keys()) {
    progress(`${dialect}: growth ${number + 1} of ${hostileTexts.length}`);
    for (const [index, points] of await measured('growth', dialect, rounds, growthMs, number))
      exponents.push({ text: nameOf(hostileTexts[index]), exponent: growthExponent(points), points });
  }
  progress(`${dialect}: speed`);
  return { dialect, exponents, replies: await measured('speed', dialect, rounds, speedMs) };
}

function measured(...words) {
  return run([fileURLToPath(new URL('./reading-process.js', import.meta.url)), ...words.map(String)]);
}

function nameOf(text) {
  return text.length > 20 ? `${JSON.stringify(text.slice(0, 8))}…` : JSON.stringify(text);
}

function judge({ dialect, exponents, replies }) {
  const worst = exponents.reduce((one, other) => (other.exponent > one.exponent ? other : one));
  const speed = speedOf(replies);
  const chunkUs = chunkUsOf(replies);
  const { exponent, megabytesPerSecond, chunkUs: chunkBar } = readingBars;
  return [
    row(`${dialect}, growth exponent`, `${worst.exponent.toFixed(2)} (${worst.text})`, worst.exponent, exponent),
    row(`${dialect}, whole replies`, `${speed.toFixed(0)} MB/s`, speed, megabytesPerSecond, 'least'),
    row(`${dialect}, a chunk above the carrier`, `${chunkUs.toFixed(3)} µs`, chunkUs, chunkBar),
  ];
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Each reply read equally often. A microsecond for a byte of UTF-8 is 1 MB a second. */
function speedOf(replies) {
  return sum(replies.map(({ bytes }) => bytes)) / sum(replies.map(({ wholeUs }) => wholeUs));
}

function chunkUsOf(replies) {
  const above = replies.map(({ streamedUs, carrierUs }) => streamedUs - carrierUs);
  return sum(above) / sum(replies.map(({ chunks }) => chunks));
}

/** One line for each kind of reply, in each language: MB/s and microseconds a chunk for each dialect. */
function printKinds(figures) {
  console.log('\nReading by kind of reply: MB (10⁶ bytes of UTF-8) a second whole, and µs a chunk above the carrier\n');
  const [{ replies: first }] = figures;
  printTable(
    ['reply', 'bytes', ...figures.map(({ dialect }) => dialect)],
    first.map(({ kind, language, bytes }, index) => [
      `${kind}, ${language}`,
      String(bytes),
      ...figures.map(({ replies }) => kindText(replies[index])),
    ]),
  );
}

function kindText(reply) {
  return `${speedOf([reply]).toFixed(0)} · ${chunkUsOf([reply]).toFixed(2)}`;
}

function summary(figures) {
  const parts = figures.map(({ dialect, exponents, replies }) => {
    const worst = Math.max(...exponents.map(({ exponent }) => exponent));
    return `${dialect} ${worst.toFixed(2)}, ${speedOf(replies).toFixed(0)} MB/s, ${chunkUsOf(replies).toFixed(2)} µs`;
  });
  return `reading: ${parts.join(' · ')}`;
}
