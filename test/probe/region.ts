/**
 * The README's table of the probe, made from the results that `npm run probe -- --write` kept: how long a run takes differs
 * each time, and a page that is made anew must not.
 */
import { readFileSync } from 'node:fs';
import type { Measured } from './measure.ts';
import { rowNamed } from './rows.ts';
import { endingOf, markdownTable } from './table.ts';

export const storedResults = new URL('results.json', import.meta.url);

interface Stored {
  readonly row: { readonly id: string };
  readonly measured: Measured;
}

export function readStored(): readonly Stored[] {
  const stored: readonly Stored[] = JSON.parse(readFileSync(storedResults, 'utf8'));
  return stored;
}

/** The maker of the region: what stands between its markers. */
export function probeTable(): string {
  return markdownTable(readStored().map(({ row, measured }) => ({ row: rowNamed(row.id), measured })));
}

/** The inputs of the README's one row, with the heads of their columns. */
const inOneRow: readonly (readonly [id: string, head: string])[] = [
  ['no-limit-calls', 'no limit given'],
  ['limit-nan', 'NaN'],
  ['limit-zero', '0'],
  ['limit-fraction', '2.5'],
  ['tool-hangs-abort', 'tool hangs, abort'],
  ['tool-hangs', 'tool hangs'],
  ['model-silent', 'model silent'],
  ['model-streams', 'streams for ever'],
  ['empty-pieces', 'empty pieces for ever'],
  ['tool-5-mb', '5 MB result'],
  ['invented', 'invented observation'],
  ['same-call', 'same call for ever'],
  ['a-b-a-b', 'A-B-A-B for ever'],
  ['schema-hangs', 'schema hangs'],
  ['check-hangs', 'hook hangs'],
];

/** The maker of the README's region: one row for each engine, so that others can stand below. */
export function probeRow(): string {
  const stored = readStored();
  const endings = inOneRow.map(([id]) => {
    const found = stored.find(({ row }) => row.id === id);
    return found === undefined ? 'not measured' : endingOf(found.measured);
  });
  const heads = ['', ...inOneRow.map(([, head]) => head)];
  return [heads, heads.map(() => '---'), ['fuseloop', ...endings]].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

export function probeRegion(table: string): string {
  return `<!-- begin probe -->\n${table}\n<!-- end probe -->`;
}
