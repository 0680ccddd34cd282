/** What is put together otherwise than it stands in the sources: for the build, and for whoever bundles the sources. */

/** In what Node loads, a file of its own; in bundles for the edge, what stands in for it. `imports` in package.json decides. */
const parts = [
  { name: '#laws', filter: /\/lawful-port\.ts$/, onEdge: 'src/shell/lawless-port.ts' },
  { name: '#lasting', filter: /\/lasting\.ts$/, onEdge: 'src/shell/no-lasting.ts' },
  { name: '#paper', filter: /^\.\/paper\.ts$/, onEdge: 'src/no-paper.ts' },
  { name: '#id', filter: /^\.\/id\.ts$/, onEdge: 'src/no-id.ts' },
  { name: '#tags', filter: /\/tags\.ts$/, onEdge: 'src/no-tags.ts' },
  { name: '#chinese', filter: /\/chinese-(messages|examples|texts)\.ts$/, onEdge: 'src/no-chinese.ts' },
  { name: '#going-on', filter: /\/going-on\.ts$/, onEdge: 'src/shell/no-going-on.ts' },
];

export const partsApart = {
  name: 'parts-apart',
  setup({ onResolve }) {
    // The part itself is an entry of the same build, so that it shares with the core what both need.
    for (const { name, filter } of parts)
      onResolve({ filter }, ({ kind }) => (kind === 'entry-point' ? null : { path: name, external: true }));
  },
};

export const partsOnEdge = {
  name: 'parts-on-edge',
  setup({ onResolve }) {
    for (const { filter, onEdge } of parts)
      onResolve({ filter }, () => ({ path: new URL(`../${onEdge}`, import.meta.url).pathname }));
  },
};

/** Schemas are checked without formats (`checked-schema.ts`): what would check them is left out. */
export const noFormats = {
  name: 'no-formats',
  setup({ onLoad }) {
    onLoad({ filter: /@cfworker.json-schema.dist.esm.format\.js$/ }, () => ({ contents: 'export const format = {};' }));
  },
};
