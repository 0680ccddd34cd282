/**
 * Text that is generated or executed, never retold. A page holds `<!-- begin NAME -->` … `<!-- end NAME -->`; what stands
 * between is made here, and a test fails where a page differs from it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createReactMachine } from '../../machines/react.machine.ts';
import { charts } from '../../src/observe/chart/layout.ts';
import { svgOf } from '../../src/observe/chart/svg.ts';
import { mermaidOf } from '../../src/verify/mermaid.ts';
import { netsTable } from '../nets/table.ts';
import { probeRow, probeTable } from '../probe/region.ts';
import { bundled } from '../support/bundled.ts';
import { dialectTable, hintTable, labelTable, oneHint } from './reading.ts';
import * as spec from './spec.ts';

const root = new URL('../../', import.meta.url);

export const pages = [
  'README.md',
  'docs/machine.md',
  'docs/spec.md',
  'docs/embedding.md',
  'docs/reading.md',
  'docs/models.md',
  'docs/tools.md',
  'docs/safety.md',
  'docs/answers.md',
  'docs/verify.md',
  'docs/lasting.md',
  'docs/seeing.md',
];

/** Files that are made whole. */
export const madeFiles: ReadonlyMap<string, () => string> = new Map([
  ['docs/machine.svg', () => svgOf(charts.wide)],
  ['docs/machine-tall.svg', () => svgOf(charts.tall)],
]);

const makers: Readonly<Record<string, () => string>> = {
  diagram: () => fenced('mermaid', mermaidOf(createReactMachine())),
  states: spec.stateTable,
  transitions: spec.transitionTable,
  guards: spec.guardTable,
  context: spec.contextTable,
  statuses: spec.statusTable,
  actions: spec.actionTable,
  commands: spec.commandTables,
  events: spec.eventTables,
  laws: spec.lawList,
  limits: spec.limitTable,
  types: spec.typeSources,
  'first-run': () => snippet('first-run'),
  'first-run output': () => fenced('text', output('first-run')),
  'probe row': probeRow,
  probe: probeTable,
  nets: netsTable,
  certificate: () => fenced('text', read('docs/certificate.txt').trimEnd()),
  'expect-ends': () => snippet('expect-ends'),
  'expect-ends output': () => fenced('text', output('expect-ends')),
  'read-reply': () => snippet('read-reply'),
  'read-reply output': () => fenced('text', output('read-reply')),
  dialects: dialectTable,
  'wrong labels': labelTable,
  hints: hintTable,
  hint: () => fenced('text', oneHint()),
  'tool-marks': () => snippet('tool-marks'),
  'tool-marks output': () => fenced('text', output('tool-marks')),
  'tool-results': () => snippet('tool-results'),
  'tool-results output': () => fenced('text', output('tool-results')),
  'going-on': () => snippet('going-on'),
  'going-on output': () => fenced('text', output('going-on')),
  'tool probe': () => snippet('probe'),
  'tool probe output': () => fenced('text', output('probe')),
  'tool-sources': () => snippet('tool-sources'),
  'tool-sources output': () => fenced('text', output('tool-sources')),
  policies: () => snippet('policies'),
  'policies output': () => output('policies'),
  approval: () => snippet('approval'),
  'approval output': () => fenced('text', output('approval')),
  secrets: () => snippet('secrets'),
  'secrets output': () => fenced('text', output('secrets')),
  answers: () => snippet('answers'),
  'answers output': () => fenced('text', output('answers')),
  'tool-failures': () => output('tool-failures'),
  report: () => snippet('report'),
  'report output': () => fenced('text', output('report')),
  'trace-files': () => snippet('trace-files'),
  'trace-files output': () => fenced('text', output('trace-files')),
  otel: () => snippet('otel'),
  'otel output': () => fenced('text', output('otel')),
  audit: () => snippet('audit'),
  'audit output': () => fenced('text', output('audit')),
  'ai-sdk': () => snippet('ai-sdk'),
  'ai-sdk output': () => fenced('text', output('ai-sdk')),
  openai: () => snippet('openai'),
  'openai output': () => fenced('text', output('openai')),
  anthropic: () => snippet('anthropic'),
  'anthropic output': () => fenced('text', output('anthropic')),
  'agent-as-tool': () => snippet('agent-as-tool'),
  'agent-as-tool output': () => fenced('text', output('agent-as-tool')),
  'own-model': () => snippet('own-model'),
  'own-model output': () => fenced('text', output('own-model')),
  'model-retries': () => snippet('model-retries'),
  'model-retries output': () => fenced('text', output('model-retries')),
  'several-models': () => snippet('several-models'),
  'several-models output': () => fenced('text', output('several-models')),
  'record-replay': () => snippet('record-replay'),
  'record-replay output': () => fenced('text', output('record-replay')),
  'days-later': () => snippet('days-later'),
  'days-later output': () => fenced('text', output('days-later')),
  stores: () => snippet('stores'),
  'stores output': () => fenced('text', output('stores')),
  sqlite: () => snippet('sqlite'),
  'sqlite output': () => fenced('text', output('sqlite')),
  spilled: () => snippet('spilled'),
  'spilled output': () => fenced('text', output('spilled')),
  stately: () => snippet('stately'),
  'stately output': () => fenced('text', output('stately')),
  inspector: () => snippet('inspector'),
  'inspector output': () => fenced('text', output('inspector')),
  embedding: () => snippet('embedding'),
  'embedding output': () => fenced('text', output('embedding')),
};

export const regionNames = Object.keys(makers);

export function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** The page with every region made anew. */
export function made(page: string): string {
  return page.replaceAll(/<!-- begin ([^\n]+) -->\n[\s\S]*?<!-- end \1 -->/g, (_whole, name: string) => {
    const maker = makers[name];
    if (maker === undefined) throw new Error(`There is no region "${name}". Known: ${regionNames.join(', ')}.`);
    return `<!-- begin ${name} -->\n${maker()}\n<!-- end ${name} -->`;
  });
}

/** The part of an example between `// #region NAME` and `// #endregion`. */
function snippet(name: string): string {
  const source = read(`docs/examples/${name}.ts`);
  const [, inner] = source.split(`// #region ${name}\n`);
  const [code] = inner?.split('// #endregion') ?? [];
  if (code === undefined) throw new Error(`docs/examples/${name}.ts has no region ${name}.`);
  return fenced('ts', code.trimEnd());
}

const printed = new Map<string, string>();

/** What the example prints. It is run once: each takes a process. */
export function output(name: string): string {
  const known = printed.get(name);
  if (known !== undefined) return known;
  const words = [bundled(`docs/examples/${name}.ts`)];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`docs/examples/${name}.ts failed:\n${stderr}`);
  printed.set(name, stdout.trimEnd());
  return stdout.trimEnd();
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
