/** The dialects that are read from the text of a reply. A new one is one line here. */
import type { ShippedDialect } from './dialect.ts';
import { id } from './id.ts';
import { json } from './json.ts';
import { labelled } from './labelled.ts';
import { paper } from './paper.ts';
import { defaultTags } from './tags.ts';

/**
 * Where a reply holds no step of its own dialect, one is looked for in these forms, in this order. Ids mean nothing to a
 * model that was not told of them.
 */
export const foreignForms: readonly ShippedDialect[] = Object.freeze([
  labelled,
  ...(defaultTags === null ? [] : [defaultTags]),
  json,
  ...(paper === null ? [] : [paper]),
]);

export const textDialects: readonly ShippedDialect[] = Object.freeze([...foreignForms, ...(id === null ? [] : [id])]);
