/** What is true of the store in memory alone; what every store keeps is in store-contract.ts. */
import { expect, it } from 'vitest';
import { memoryStore } from '../../src/store.ts';
import { started } from './lines.ts';

it('shares nothing with what it gives', async () => {
  const store = memoryStore();
  const held = await store.open('r');
  await held.append([started('r')]);
  const [once, again] = [await store.read('r'), await store.read('r')];
  expect(once).toEqual(again);
  expect(once?.[0]).not.toBe(again?.[0]);
});

it('two stores share nothing', async () => {
  const [one, other] = [memoryStore(), memoryStore()];
  await one.open('r');
  expect((await other.open('r')).epoch).toBe(1);
});
