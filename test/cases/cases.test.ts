/** Every case of the file is a row: it passes, or it stands on the list of those that cannot yet. */
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { readCases } from './format.ts';
import { listedLater } from './later.ts';
import { lookAt } from './report.ts';

vi.setConfig({ maxConcurrency: 3 });

const entries = readCases(readFileSync(new URL('cases.jsonl', import.meta.url), 'utf8'));

describe('faults that users met', () => {
  test.concurrent.each(entries.filter(({ id }) => !listedLater.has(id)))('$id', async (entry) => {
    expect(await lookAt(entry)).toEqual([]);
  });
});

describe('what cannot pass yet', () => {
  test.concurrent.each(entries.filter(({ id }) => listedLater.has(id)))('$id still fails', async (entry) => {
    expect(await lookAt(entry), `${entry.id} passes: take it off the list`).not.toEqual([]);
  });

  test('each id on the list is in the file', () => {
    expect(entries.map(({ id }) => id)).toEqual(expect.arrayContaining([...listedLater.keys()]));
  });
});

test('the file holds cases of every theme', () => {
  const themes = new Set(entries.flatMap((entry) => entry.case?.theme ?? []));
  expect([...themes].sort().join('')).toBe('abcdefghijkl');
});
