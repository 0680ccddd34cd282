/**
 * `npm run probe`: does it end, whatever the model, the tools and the caller do? Each input runs in a process of its own
 * against the built package, on the real clock; what does not end is killed and shown as `hangs`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { engineNamed, engineNames } from './engines.ts';
import { problemsOf } from './judge.ts';
import { type MeasureOptions, measure } from './measure.ts';
import { probeRegion, storedResults } from './region.ts';
import { rowNamed, rows } from './rows.ts';
import { markdownTable, type Result, terminalTable } from './table.ts';

const help = `Usage: npm run probe -- [INPUT…] [options]

  --json         the results as JSON
  --markdown     the table for the README, between its markers
  --write        keeps the results in test/probe/results.json, from which the README's table is made
  --source       probes the sources, without building the package
  --engine NAME  ${engineNames.join(', ')}
  --jobs N       how many run at the same time (3)
  --help         this text

Exit code: 0 where every input ended as its row says, 1 where one did not, 2 for misuse. About 40 seconds; most of it
waits for one default limit of 15 seconds.

Inputs: ${wrapped(rows.map(({ id }) => id))}`;

/** In lines that a terminal holds. */
function wrapped(words: readonly string[]): string {
  return words.reduce((text, word) => `${text}${/[^\n]{85,}$/.test(text) ? '\n  ' : ' '}${word}`, '').trim();
}

try {
  process.exitCode = await main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values: flags, positionals: ids } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      markdown: { type: 'boolean' },
      write: { type: 'boolean' },
      source: { type: 'boolean' },
      engine: { type: 'string', default: engineNames[0] ?? '' },
      jobs: { type: 'string', default: '3' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (flags.help) {
    console.log(help);
    return 0;
  }
  const source = flags.source === true;
  const chosen = ids.length === 0 ? rows : ids.map(rowNamed);
  const engine = engineNamed(flags.engine).name;
  const jobs = Number(flags.jobs);
  if (!Number.isInteger(jobs) || jobs < 1) throw new Error(`--jobs is ${flags.jobs}. It is a whole number from 1.`);
  if (flags.write && (source || chosen !== rows)) throw new Error('--write is for all inputs and the built package.');
  if (!source) buildWhereOld();
  const results = await measureAll(chosen, { engine, source, graceMs: 10_000, exitMs: 3_000 }, jobs);
  if (flags.write) writeFileSync(storedResults, `${JSON.stringify(results.map(plain), null, 2)}\n`);
  if (flags.json) console.log(JSON.stringify(results.map(plain), null, 2));
  else console.log(flags.markdown ? probeRegion(markdownTable(results)) : terminalTable(results));
  return results.every(({ row, measured }) => problemsOf(row, measured).length === 0) ? 0 : 1;
}

/** A few at the same time, those that take longest first; the results in the order of the rows. */
async function measureAll(
  chosen: readonly (typeof rows)[number][],
  options: MeasureOptions,
  jobs: number,
): Promise<Result[]> {
  const waiting = [...chosen].sort((one, other) => (other.limitMs ?? 0) - (one.limitMs ?? 0));
  const results: Result[] = [];
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      results.push({ row, measured: await measure(row, options) });
      if (process.stderr.isTTY) process.stderr.write(`\r${results.length} of ${chosen.length} `);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  return chosen.flatMap((row) => results.filter((result) => result.row === row));
}

function plain({ row, measured }: Result) {
  const { input: _input, ...told } = row;
  return { row: told, measured, problems: problemsOf(row, measured) };
}

/** The package is built where there is none, or a source is newer. */
function buildWhereOld(): void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const timeOf = (path: string) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const filesOf = (folder: string) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
  const sources = ['package.json', 'test/build.mjs', ...['src', 'machines', 'tools'].flatMap(filesOf)];
  if (Math.max(...sources.map(timeOf)) < timeOf('dist/index.js')) return;
  const built = spawnSync(process.execPath, ['test/build.mjs'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (built.status !== 0) throw new Error('The package could not be built.');
}
