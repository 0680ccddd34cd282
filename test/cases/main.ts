/** `npm run test:cases`: what came of every case, one line each. */
import { readFileSync } from 'node:fs';
import { listedLater } from './later.ts';
import { report } from './report.ts';

const ownFile = new URL('cases.jsonl', import.meta.url);

const help = `npm run test:cases [-- ID …]

Plays faults that users of agent loops really met, and checks that this one does better. Prints one line a case and, last,
"N passed, N failed". Ends with 1 where any failed.

  ID …                        only these cases
  --help                      this text

  FUSELOOP_CASES=FILE         another file in the format of test/cases/cases.jsonl
  FUSELOOP_CASES_SLOWNESS=N   limits on real time are N times as long (virtual time is not touched)
`;

async function main(words: readonly string[]): Promise<number> {
  const unknown = words.find((word) => word.startsWith('-') && word !== '--help' && word !== '-h');
  if (unknown !== undefined) {
    console.error(`${unknown} is not an option.\n\n${help}`);
    return 2;
  }
  if (words.some((word) => word.startsWith('-'))) {
    console.log(help.trimEnd());
    return 0;
  }
  const other = process.env.FUSELOOP_CASES ?? '';
  const file = readFile(other === '' ? ownFile : other);
  if (file === null) {
    console.error(`FUSELOOP_CASES names ${other}, which cannot be read. Give the path of a file of cases.`);
    return 2;
  }
  const print = (line: string) => console.log(line);
  const { failed } = await report({ file, later: listedLater, isOwnFile: other === '', ids: words, print });
  return failed === 0 ? 0 : 1;
}

function readFile(path: string | URL): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

process.exitCode = await main(process.argv.slice(2));
