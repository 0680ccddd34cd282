/** DESIGN.md, "Budgets and time": foreign promises are awaited only through `within`, so nothing else here may wait. */
import { dirname } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { at, expectNone, nodesOf, parse, type Source, sources } from './sources.ts';

/** Every wait there is. A count only falls; a new row needs a reason as good as these. */
const allowed: { readonly [path: string]: { readonly waits: number; readonly because: string } } = {
  'src/shell/within.ts': { waits: 2, because: 'it is the wait with a limit, and the ear that hears no rejection' },
  'src/shell/pull.ts': { waits: 2, because: 'it is the pump of a stream, with a limit at each value' },
  'src/agent.ts': { waits: 1, because: '`run: async` turns a throw for misuse into a rejection; it awaits nothing' },
  'src/as-tool.ts': { waits: 1, because: 'the outcome is a promise of our own, and the call that waits has its limit' },
  'src/logic.ts': { waits: 1, because: 'the outcome is a promise of our own, which always settles' },
  'src/dispatch/schema.ts': { waits: 2, because: 'it maps a schema’s own promise, which `within` then waits for' },
};

const watched = ({ path }: Source) => ['src', 'src/shell', 'src/dispatch'].some((place) => isIn(path, place));
const isIn = (path: string, place: string) =>
  place === 'src' ? dirname(path) === place : path.startsWith(`${place}/`);

function waitsIn(source: Source): string[] {
  return nodesOf(source).flatMap((node) => {
    const what = waiting(node);
    return what === null ? [] : [`${at(source, node)} ${what}`];
  });
}

function waiting(node: ts.Node): string | null {
  if (node.kind === ts.SyntaxKind.AsyncKeyword) return 'async';
  if (node.kind === ts.SyntaxKind.AwaitKeyword || ts.isAwaitExpression(node)) return 'await';
  const method = ts.isCallExpression(node) ? memberOf(node.expression) : null;
  return method !== null && ['then', 'catch', 'finally'].includes(method) ? `.${method}(` : null;
}

function memberOf(node: ts.Expression): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text;
  return null;
}

test.each(sources.filter(watched).map((source) => [source.path, source] as const))(
  '%s waits only where it is allowed to',
  (path, source) => {
    const waits = waitsIn(source);
    const most = allowed[path]?.waits ?? 0;
    if (waits.length > most) expectNone([...waits, `${path} may wait in ${most} places: go through \`within\``]);
    expect(waits.length, `${path} waits less often than it may: lower its count in waiting.test.ts`).toBe(most);
  },
);

test('the list of allowed waits names only files that are watched', () => {
  const paths = sources.filter(watched).map(({ path }) => path);
  expect(Object.keys(allowed).filter((path) => !paths.includes(path))).toEqual([]);
});

test.each([
  ['await a;', ['src/a.ts:1 await']],
  ['\nconst a = async () => 1;', ['src/a.ts:2 async']],
  ['const a = { async b() {} };', ['src/a.ts:1 async']],
  ['for await (const a of b);', ['src/a.ts:1 await']],
  ['a.then(b).catch(c)?.finally(d);', ['src/a.ts:1 .finally(', 'src/a.ts:1 .catch(', 'src/a.ts:1 .then(']],
  ["a?.['then'](b);", ['src/a.ts:1 .then(']],
  ["// await a.then(b)\n'then' in a && typeof a.then === 'function';", []],
])('sees the waits of %j', (text, found) => expect(waitsIn(parse('src/a.ts', text))).toEqual(found));
