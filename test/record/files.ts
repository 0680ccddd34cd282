/** Recordings in a folder of their own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export const folder = mkdtempSync(join(tmpdir(), 'fuseloop-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

/** The path of a file that is not there yet. */
export function newFile(): string {
  return join(folder, `${++files}.jsonl`);
}

export function linesIn(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

export function exchangesIn(file: string) {
  return linesIn(file).map((line) => JSON.parse(line));
}
