import type { Plugin } from 'esbuild';

export const partsApart: Plugin;
export const partsOnEdge: Plugin;
export const noFormats: Plugin;
