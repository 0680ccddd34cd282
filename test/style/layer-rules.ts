/** The layers of DESIGN.md as rules: each takes sources and gives what is wrong, as `path:line what`. */
import { basename, dirname } from 'node:path';
import ts from 'typescript';
import { at, importsOf, nodesOf, type Source } from './sources.ts';

/** A folder with its `/`, or `src/*.ts`. */
type Place = string;

interface Layer {
  readonly place: Place;
  /** Beside itself. */
  readonly imports: readonly Place[];
  readonly packages: readonly string[] | 'any';
}

const core = 'src/core/';
const pure = ['machines/', 'src/protocol/', 'src/context/'];
const effects = ['src/dispatch/', 'src/models/', 'src/stores/', 'tools/', 'src/adapters/'];
const shell = ['src/*.ts', 'src/shell/'];
const belowProof = [core, 'src/shapes/', ...pure, ...effects, ...shell, 'src/observe/'];

export const layers: readonly Layer[] = [
  // What is proved is handed to users' tests through this door, and through no other.
  { place: 'src/testing.ts', imports: [...belowProof, 'src/verify/'], packages: [] },
  { place: 'src/record.ts', imports: [core, 'src/record/'], packages: [] },
  { place: 'src/store.ts', imports: [core, 'src/stores/'], packages: [] },
  ...['src/observe.ts', 'src/trace.ts', 'src/otel.ts'].map(
    (place): Layer => ({ place, imports: [core, 'src/observe/'], packages: [] }),
  ),
  // An inspector draws the machine: the door hands its definition over to observers, which know no machine.
  { place: 'src/inspect.ts', imports: [core, 'src/observe/', 'machines/'], packages: [] },
  // The words of events as schemas: for whoever reads what was written.
  { place: 'src/shapes/', imports: [core], packages: ['zod'] },
  // Runs in a browser: the build makes one page of it, and nothing imports it.
  { place: 'src/page/', imports: [core, 'src/observe/'], packages: ['preact'] },
  { place: core, imports: [], packages: [] },
  { place: 'machines/', imports: [core], packages: ['xstate'] },
  { place: 'src/protocol/', imports: [core], packages: ['jsonrepair'] },
  { place: 'src/context/', imports: [core], packages: [] },
  ...effects.map((place): Layer => ({ place, imports: [core, 'src/shapes/'], packages: 'any' })),
  ...shell.map((place): Layer => ({ place, imports: [core, ...pure, ...effects, ...shell], packages: ['xstate'] })),
  { place: 'src/observe/', imports: [core, 'src/shapes/', 'src/context/'], packages: 'any' },
  { place: 'src/verify/', imports: belowProof, packages: 'any' },
  { place: 'src/record/', imports: [...belowProof, 'src/verify/'], packages: 'any' },
  { place: 'src/cli/', imports: [...belowProof, 'src/verify/', 'src/record/'], packages: 'any' },
];

const within = (path: string, place: Place) =>
  place === 'src/*.ts' ? dirname(path) === 'src' : path.startsWith(place);

export function layerProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const layer = layers.find(({ place }) => within(source.path, place));
    if (layer === undefined) return [`${source.path}:1 is in no layer: give its folder a row in ${basename(here)}`];
    const { place, packages } = layer;
    const places = [...new Set([place, ...layer.imports])];
    return importsOf(source).flatMap(({ at, specifier, file, package: name }) => {
      if (file !== null && !places.some((allowed) => within(file, allowed)))
        return [`${at} ${place} must not import '${specifier}': it may import ${places.join(', ')}`];
      if (name !== null && packages !== 'any' && !packages.includes(name))
        return [`${at} ${place} must not import '${specifier}': packages it may import: ${packages.join() || 'none'}`];
      return [];
    });
  });
}

const here = import.meta.filename;

/** Packages of which each of these places may have a file of its own: an entry that loads one need not load the others. */
const oneFileEach: ReadonlyMap<string, readonly Place[]> = new Map([['zod', ['src/cli/', 'src/shapes/']]]);

/** `packages` are those that somebody may do without; each keeps to one file, so that the rest can load without it. */
export function optionalPackageProblems(sources: readonly Source[], packages: readonly string[]): string[] {
  const imports = sources.flatMap((source) => importsOf(source).map((one) => ({ ...one, path: source.path })));
  return packages.flatMap((name) => {
    const users = imports.filter((one) => one.package === name);
    const files = new Set(users.map(({ path }) => path)).size;
    const places = oneFileEach.get(name) ?? [];
    const own = new Set(users.map(({ path }) => places.find((place) => within(path, place)) ?? ''));
    if (files > 0 && files === own.size) return [];
    if (files === 0) return [`package.json:1 '${name}' is imported nowhere: drop it`];
    return users.map(({ at }) => `${at} '${name}' is imported in ${files} files: keep it to one`);
  });
}

const impureNames: ReadonlySet<string> = new Set(
  ['Date', 'process', 'console', 'performance', 'globalThis', 'fetch', 'Promise', 'queueMicrotask', 'crypto'].concat(
    ['Timeout', 'Interval', 'Immediate'].flatMap((timer) => [`set${timer}`, `clear${timer}`]),
  ),
);

/** L0 and L1 neither wait, nor read a clock, nor draw randomness, nor know the machine they run on. */
export function purityProblems(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => [core, ...pure].some((place) => within(path, place)))
    .flatMap((source) => [
      ...nodesOf(source).flatMap((node) => {
        const what = impurity(node);
        return what === null ? [] : [`${at(source, node)} ${what} in L0 or L1, which are pure`];
      }),
      ...importsOf(source).flatMap((one) => (one.package?.startsWith('node:') ? [`${one.at} ${one.package}`] : [])),
    ]);
}

function impurity(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return 'async';
  if (node.kind === ts.SyntaxKind.AwaitKeyword || ts.isAwaitExpression(node)) return 'await';
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') return 'Math.random';
  if (ts.isIdentifier(node) && impureNames.has(node.text) && isValue(node)) return node.text;
  return null;
}

/** Not the name of a member (`limits.process`, `{ process: 1 }`), nor a type. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent)) return false;
  const names = ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent);
  return !(names && parent.name === node);
}

export function defaultExportProblems(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    nodesOf(source)
      .filter(
        (node) =>
          ts.isExportAssignment(node) ||
          node.kind === ts.SyntaxKind.DefaultKeyword ||
          (ts.isExportSpecifier(node) && node.name.text === 'default'),
      )
      .filter((node) => !ts.isDefaultClause(node.parent))
      .map((node) => `${at(source, node)} a default export: give it a name`),
  );
}

export function barrelProblems(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /^index\.[cm]?[jt]sx?$/.test(basename(path)) && path !== 'src/index.ts')
    .map(({ path }) => `${path}:1 an inner barrel: src/index.ts is the only index`);
}

/** Cycles of imports that load something; each is told once, from its first file on. */
export function cycleProblems(sources: readonly Source[]): string[] {
  const edges = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).filter(({ typeOnly, file }) => !typeOnly && file !== null),
    ]),
  );
  const done = new Set<string>();
  const problems: string[] = [];
  const visit = (path: string, trail: readonly string[], from: string) => {
    if (trail.includes(path)) {
      problems.push(`${from} closes a cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const { file, at } of edges.get(path) ?? []) visit(file ?? '', [...trail, path], at);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, [], path);
  return problems;
}
