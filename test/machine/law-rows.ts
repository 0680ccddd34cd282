/** The shape of the tables of edges that break laws. Types only. */
import type { Edge } from '../../machines/edge.ts';
import type { LawName } from '../../machines/laws.ts';

/** By the law that they break: what is wrong, the edge, and what else it breaks. */
export type Broken = { readonly [law in LawName]?: readonly (readonly [string, Edge, ...LawName[]])[] };

/** Edges that come close and break nothing. */
export type Close = readonly (readonly [string, Edge])[];
