/** What models cost, from the file that `--prices` names. */
import { readFile } from 'node:fs/promises';
import { messageOf } from '../core/message-of.ts';
import type { Prices } from '../observe/report/metrics.ts';
import type { Flag } from './flag-table.ts';
import { misuse } from './misuse.ts';
import { readPrices } from './schemas.ts';

export const pricesFlag = {
  type: 'string',
  value: 'FILE',
  tells: 'what models cost, as JSON; without, cost is left out',
  allowed: 'It is a JSON file such as {"gpt-4o-mini": {"inputPerMillion": 0.15, "outputPerMillion": 0.6}}.',
} as const satisfies Flag;

/** Throws misuse. */
export async function pricesIn(path: string): Promise<Prices> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (thrown) {
    throw misuse(`--prices ${path} cannot be read: ${messageOf(thrown)}.`, howPrices, thrown);
  }
  const read = readPrices(value);
  if ('problem' in read) throw misuse(`--prices ${path} holds no prices: ${read.problem}.`, howPrices);
  return read.prices;
}

const howPrices =
  'It is JSON such as {"gpt-4o-mini": {"inputPerMillion": 0.15, "outputPerMillion": 0.6, "cachedPerMillion": 0.075}}.';
