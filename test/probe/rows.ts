/**
 * The inputs of the probe: models, tools and callers that do their worst, each with the ending that is promised. Where
 * waiting for the default limit would take long, the row sets a small one and says so.
 */
import { hooks } from './inputs/hooks.ts';
import { limits } from './inputs/limits.ts';
import { models } from './inputs/models.ts';
import type { Row } from './inputs/row.ts';
import { tools } from './inputs/tools.ts';

export const rows: readonly Row[] = [...limits, ...models, ...tools, ...hooks];

export function rowNamed(id: string): Row {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) throw new Error(`There is no input ${id}. Known: ${rows.map((each) => each.id).join(', ')}.`);
  return row;
}
