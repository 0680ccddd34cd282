/** What is true of the store in memory alone; what every store keeps is in store-contract.ts. */
import { expect, it } from 'vitest';
import { memoryStore } from '../../src/store.ts';

it('shares nothing with what was given, and nothing with what it gives', async () => {
  const store = memoryStore();
  const held = await store.open('r');
  const line = { type: 'loop.warned', step: 1, atMs: 5, sequence: 0, state: { A: 'b' }, wallMs: 7 } as const;
  const given = { ...line, state: { A: 'b' } };
  await held.append([given]);
  given.state.A = 'changed';
  const once = await store.read('r');
  expect(once).toEqual([line]);
  expect((await store.read('r'))?.[0]).not.toBe(once?.[0]);
});

it('two stores share nothing', async () => {
  const [one, other] = [memoryStore(), memoryStore()];
  await one.open('r');
  expect((await other.open('r')).epoch).toBe(1);
});
