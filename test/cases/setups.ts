/** Cases about building, checking and importing: the compiler and the bundler, on the sources as they are. */

import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { gzipSync } from 'node:zlib';
import { noFormats, partsOnEdge } from '../build-parts.mjs';
import { type Facts, noFacts, type SetupSeen } from './facts.ts';
import type { Case, Given } from './format.ts';
import { importInChild } from './import-check.ts';
import { missingParts } from './options.ts';
import { root } from './root.ts';
import { typecheck } from './typecheck.ts';
import { manyTools, schemaSources } from './typed-programs.ts';

type Setup = NonNullable<Given['setup']>;

export async function observeSetup(one: Case): Promise<Facts> {
  const { setup } = one.given;
  const kind = setup === undefined ? undefined : kinds.get(setup.kind);
  if (setup === undefined || kind === undefined) throw new Error(`a setup of the kind ${setup?.kind} is unknown`);
  return { ...noFacts, missing: missingParts(one), setup: { ...nothing, ...(await kind(setup)) } };
}

const nothing: SetupSeen = Object.freeze({
  compileErrors: null,
  instantiations: null,
  typecheckMs: null,
  gzipBytes: null,
  bundled: null,
  importErrors: null,
  copies: null,
  quickstart: null,
});

const kinds: ReadonlyMap<string, (setup: Setup) => Promise<Partial<SetupSeen>>> = new Map([
  ['typecheck', ({ tools = 1, schemaFields = 1 }) => typecheck(manyTools(tools, schemaFields))],
  ['matrix', () => typecheck(schemaSources)],
  ['bundle', bundle],
  ['import', importInChild],
  ['quickstart', quickstart],
]);

/** The entries by what a case calls them. */
const entries: ReadonlyMap<string, string> = new Map([
  ['engine core only', 'src/index.ts'],
  ['machine', 'src/machine.ts'],
  ['testing', 'src/testing.ts'],
  ['tools', 'tools/shipped.ts'],
  ['openai', 'src/models/openai.ts'],
]);

/** With all that it needs, as a host at the edge would load it. */
async function bundle({ import: what = 'engine core only', minify = true }: Setup): Promise<Partial<SetupSeen>> {
  const entry = entries.get(what);
  if (entry === undefined) throw new Error(`a bundle of ${what} is unknown`);
  const { outputFiles, metafile } = await (await import('esbuild')).build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*', ...builtinModules],
    plugins: [noFormats, partsOnEdge],
    logLevel: 'silent',
  });
  const code = outputFiles.map(({ text }) => text).join('\n');
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const builtins = outside.filter((path) => path.startsWith('node:') || builtinModules.includes(path));
  return { gzipBytes: gzipSync(code).length, bundled: { text: code, builtins } };
}

/** The first program of the README, without what a reader would not write: blank lines, comments and the fence. */
async function quickstart(): Promise<Partial<SetupSeen>> {
  const readme = await readFile(`${root}README.md`, 'utf8');
  const program = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  if (program === '') throw new Error('the README has no program');
  const lines = program.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
  return { quickstart: { lines: lines.length, subclass: /\bextends\b|\bclass\s/.test(program) } };
}
