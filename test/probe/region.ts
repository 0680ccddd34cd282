/**
 * The README's table of the probe, made from the results that `npm run probe -- --write` kept: how long a run takes differs
 * each time, and a page that is made anew must not.
 */
import { readFileSync } from 'node:fs';
import type { Measured } from './measure.ts';
import { rowNamed } from './rows.ts';
import { markdownTable } from './table.ts';

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

export function probeRegion(table: string): string {
  return `<!-- begin probe -->\n${table}\n<!-- end probe -->`;
}
