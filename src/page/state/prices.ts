/** What models cost, where whoever opened the page said so: it stands in the page. */
import { createContext } from 'preact';
import type { ModelName } from '../../core/model.ts';
import type { Price, Prices } from '../../observe/report/metrics.ts';
import { parsed } from './read-wire.ts';

/** Null where the page has none. */
export function pricesInPage(): Prices | null {
  const value = parsed(document.getElementById('fuseloop-prices')?.textContent ?? '');
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Price] => isPrice(entry[1])));
}

function isPrice(value: unknown): value is Price {
  if (typeof value !== 'object' || value === null) return false;
  const { inputPerMillion, outputPerMillion }: { inputPerMillion?: unknown; outputPerMillion?: unknown } = value;
  return typeof inputPerMillion === 'number' && typeof outputPerMillion === 'number';
}

export const PricesContext = createContext<Prices | null>(null);

/** Of the run whose steps are shown. */
export const ModelContext = createContext<ModelName | null>(null);
