/** DESIGN.md, "Layers and folders": read from the import statements and the syntax of everything that ships. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  barrelProblems,
  cycleProblems,
  defaultExportProblems,
  layerProblems,
  layers,
  optionalPackageProblems,
  purityProblems,
} from './layer-rules.ts';
import { expectNone, parse, root, type Source, sources } from './sources.ts';

const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const optionalPackages: readonly string[] = [
  ...['undici', 'zod', 'eventsource-parser'],
  ...Object.keys(manifest.peerDependenciesMeta ?? {}),
  ...Object.keys(manifest.optionalDependencies ?? {}),
];

const rules = {
  'imports go down the layers': layerProblems,
  'an optional package is imported in exactly one file': (all: readonly Source[]) =>
    optionalPackageProblems(all, optionalPackages),
  'L0 and L1 are pure': purityProblems,
  'no default exports': defaultExportProblems,
  'no inner barrels': barrelProblems,
  'no import cycles at run time': cycleProblems,
} as const;

test.each(Object.entries(rules))('%s', (_, problemsIn) => expectNone(problemsIn(sources)));

test('every layer that must exist has files', () => {
  const needed = ['src/core/', 'machines/', 'src/protocol/', 'src/context/', 'src/dispatch/', 'src/models/', 'tools/'];
  expect(needed.filter((place) => !sources.some(({ path }) => path.startsWith(place)))).toEqual([]);
});

type Files = { readonly [path: string]: string };

/** What each rule must see: files, then the beginning of the message; or files in which it must see nothing. */
const planted: readonly (readonly [keyof typeof rules, Files, string | null])[] = [
  ['imports go down the layers', { 'src/core/a.ts': "import '../step.ts';" }, 'src/core/a.ts:1'],
  ['imports go down the layers', { 'src/core/a.ts': "\nimport type { z } from 'zod';" }, 'src/core/a.ts:2'],
  ['imports go down the layers', { 'src/core/a.ts': "import 'node:fs';" }, 'src/core/a.ts:1'],
  ['imports go down the layers', { 'machines/a.ts': "export * from '../src/protocol/b.ts';" }, 'machines/a.ts:1'],
  ['imports go down the layers', { 'machines/a.ts': "import 'jsonrepair';" }, 'machines/a.ts:1'],
  ['imports go down the layers', { 'src/protocol/a.ts': "import '../context/b.ts';" }, 'src/protocol/a.ts:1'],
  ['imports go down the layers', { 'src/context/a.ts': "import '../protocol/b.ts';" }, 'src/context/a.ts:1'],
  ['imports go down the layers', { 'src/dispatch/a.ts': "import('../models/b.ts');" }, 'src/dispatch/a.ts:1'],
  ['imports go down the layers', { 'src/models/a.ts': "import '../protocol/b.ts';" }, 'src/models/a.ts:1'],
  ['imports go down the layers', { 'src/stores/a.ts': "import '../shell/b.ts';" }, 'src/stores/a.ts:1'],
  ['imports go down the layers', { 'tools/a.ts': "import '../src/tool.ts';" }, 'tools/a.ts:1'],
  ['imports go down the layers', { 'src/adapters/a.ts': "import '../run.ts';" }, 'src/adapters/a.ts:1'],
  ['imports go down the layers', { 'src/run.ts': "import './observe/b.ts';" }, 'src/run.ts:1'],
  ['imports go down the layers', { 'src/run.ts': "import './cli/main.ts';" }, 'src/run.ts:1'],
  ['imports go down the layers', { 'src/run.ts': "import { z } from 'zod/v4';" }, 'src/run.ts:1'],
  ['imports go down the layers', { 'src/observe/a.ts': "import '../run.ts';" }, 'src/observe/a.ts:1'],
  ['imports go down the layers', { 'src/verify/a.ts': "import '../cli/b.ts';" }, 'src/verify/a.ts:1'],
  ['imports go down the layers', { 'src/agent.ts': "import './verify/b.ts';" }, 'src/agent.ts:1'],
  ['imports go down the layers', { 'src/testing.ts': "import './verify/b.ts';" }, null],
  ['imports go down the layers', { 'src/observe.ts': "import './observe/b.ts';" }, null],
  ['imports go down the layers', { 'src/observe.ts': "import './run.ts';" }, 'src/observe.ts:1'],
  ['imports go down the layers', { 'src/elsewhere/a.ts': '' }, 'src/elsewhere/a.ts:1'],
  ['imports go down the layers', { 'src/core/a.ts': "type A = import('../run.ts').Run;" }, 'src/core/a.ts:1'],
  ['imports go down the layers', { 'src/cli/a.ts': "import '../verify/b.ts'; import 'zod';" }, null],
  ['imports go down the layers', { 'src/run.ts': "import '../machines/a.ts'; import './shell/b.ts';" }, null],

  [
    'an optional package is imported in exactly one file',
    { 'src/a.ts': "import 'zod';", 'src/b.ts': "import 'zod/v4';" },
    "src/b.ts:1 'zod'",
  ],
  ['an optional package is imported in exactly one file', {}, "package.json:1 'undici'"],
  [
    'an optional package is imported in exactly one file',
    { 'src/shapes/a.ts': "import 'zod';", 'src/shapes/b.ts': "import 'zod';", 'src/cli/a.ts': "import 'zod';" },
    "src/shapes/b.ts:1 'zod'",
  ],
  [
    'an optional package is imported in exactly one file',
    { 'src/stores/a.ts': "import 'undici';", 'src/cli/a.ts': "import 'undici';" },
    "src/cli/a.ts:1 'undici'",
  ],

  ['L0 and L1 are pure', { 'src/core/a.ts': 'const a = async () => 1;' }, 'src/core/a.ts:1 async'],
  ['L0 and L1 are pure', { 'machines/a.ts': 'await a;' }, 'machines/a.ts:1 await'],
  ['L0 and L1 are pure', { 'machines/a.ts': 'for await (const a of b);' }, 'machines/a.ts:1 await'],
  ['L0 and L1 are pure', { 'machines/a.ts': 'new Date();' }, 'machines/a.ts:1 Date'],
  ['L0 and L1 are pure', { 'machines/a.ts': 'const d = { Date };' }, 'machines/a.ts:1 Date'],
  ['L0 and L1 are pure', { 'src/context/a.ts': 'Math.random();' }, 'src/context/a.ts:1 Math.random'],
  ['L0 and L1 are pure', { 'src/protocol/a.ts': 'setTimeout(a, 1);' }, 'src/protocol/a.ts:1 setTimeout'],
  ['L0 and L1 are pure', { 'src/protocol/a.ts': 'process.env.A;' }, 'src/protocol/a.ts:1 process'],
  ['L0 and L1 are pure', { 'src/protocol/a.ts': 'console.log(1);' }, 'src/protocol/a.ts:1 console'],
  ['L0 and L1 are pure', { 'src/protocol/a.ts': "import 'os';" }, 'src/protocol/a.ts:1 node:os'],
  ['L0 and L1 are pure', { 'src/core/a.ts': '// await Date\nconst a = { process: b.Date, c: "console" };' }, null],
  ['L0 and L1 are pure', { 'src/shell/a.ts': 'await new Date();' }, null],

  ['no default exports', { 'src/a.ts': 'export default 1;' }, 'src/a.ts:1'],
  ['no default exports', { 'src/a.ts': '\nexport default function a() {}' }, 'src/a.ts:2'],
  ['no default exports', { 'src/a.ts': 'const a = 1; export { a as default };' }, 'src/a.ts:1'],
  ['no default exports', { 'src/a.ts': 'switch (a) { default: b(); }' }, null],

  ['no inner barrels', { 'src/core/index.ts': '' }, 'src/core/index.ts:1'],
  ['no inner barrels', { 'src/index.ts': '' }, null],

  [
    'no import cycles at run time',
    { 'src/a.ts': "import './b.ts';", 'src/b.ts': "\nimport { type A } from './a.ts';" },
    'src/b.ts:2 closes a cycle: src/a.ts → src/b.ts → src/a.ts',
  ],
  [
    'no import cycles at run time',
    { 'src/a.ts': "import './b.ts';", 'src/b.ts': "import type { A } from './a.ts';" },
    null,
  ],
];

test.each(planted)('%s: sees %j', (rule, files, message) => {
  const problems = rules[rule](Object.entries(files).map(([path, text]) => parse(path, text)));
  if (message === null) expectNone(problems);
  else expect(problems.filter((problem) => problem.startsWith(message))).not.toEqual([]);
});

test('no layer has two rows', () => {
  const places = layers.map(({ place }) => place);
  expect(places).toEqual([...new Set(places)]);
});
