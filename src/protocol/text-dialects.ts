/** The dialects that are read from the text of a reply. A new one is one line here. */
import type { ShippedDialect } from './dialect.ts';
import { id } from './id.ts';
import { json } from './json.ts';
import { labelled } from './labelled.ts';
import { paper } from './paper.ts';
import { tags } from './tags.ts';

/** Where a reply holds no step of its own dialect, one is looked for in the forms of the others in this order. */
export const textDialects: readonly ShippedDialect[] = Object.freeze([labelled, tags(), json, paper, id]);
