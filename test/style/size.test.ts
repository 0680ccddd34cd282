/** STYLE.md 13: small on purpose. Prints the tail, and fails where it grows beyond what was agreed. */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { expectNone, nodesOf, parse, type Source, sources } from './sources.ts';

const mostLines = { file: 250, function: 60 } as const;

/** What is longer, with its measured length. A number only falls, and a row leaves when it is no longer needed. */
const allowed: readonly { readonly what: string; readonly lines: number; readonly because: string }[] = [
  { what: 'src/run.ts createRun', lines: 119, because: 'one run is one closure: its parts share its state' },
  {
    what: 'machines/react.machine.ts createReactMachine',
    lines: 150,
    because: 'the machine reads as one specification',
  },
];

interface Sized {
  /** `src/run.ts`, or `src/run.ts:61 createRun`. */
  readonly where: string;
  /** `src/run.ts`, or `src/run.ts createRun`: as the list has it. */
  readonly what: string;
  readonly lines: number;
  readonly kind: 'file' | 'function';
}

const lineOf = ({ tree }: Source, position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;

function fileSize(source: Source): Sized {
  const { path, tree } = source;
  return { where: path, what: path, lines: lineOf(source, tree.text.trimEnd().length), kind: 'file' };
}

/** From its first word to its closing brace, with what is nested in it and without the comment above it. */
function functionSizes(source: Source): Sized[] {
  return nodesOf(source).flatMap((node): Sized[] => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return [];
    const first = lineOf(source, node.getStart(source.tree));
    const name = nameOf(node);
    return [
      {
        where: `${source.path}:${first} ${name}`,
        what: `${source.path} ${name}`,
        lines: lineOf(source, node.end) - first + 1,
        kind: 'function',
      },
    ];
  });
}

/** Its own name, or that of what it is given to; for a callback, what it is handed to. */
function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText();
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  return ts.isCallExpression(parent) ? `${parent.expression.getText().split('\n')[0]}(…)` : '(unnamed)';
}

function sizeProblems(all: readonly Sized[], list: typeof allowed): string[] {
  const tooLong = all.flatMap(({ where, what, lines, kind }) => {
    const agreed = list.find((row) => row.what === what);
    const most = agreed?.lines ?? mostLines[kind];
    return lines > most ? [`${where} has ${lines} lines; a ${kind} may have ${mostLines[kind]}, this one ${most}`] : [];
  });
  const outdated = list.flatMap(({ what, lines }) => {
    const longest = Math.max(...all.filter((one) => one.what === what).map((one) => one.lines));
    const limit = mostLines[all.find((one) => one.what === what)?.kind ?? 'file'];
    if (longest <= limit) return [`size.test.ts: ${what} needs no row any more: drop it`];
    return longest < lines ? [`size.test.ts: ${what} is down to ${longest} lines: write that in its row`] : [];
  });
  return [...tooLong, ...outdated];
}

const files = sources.map(fileSize);
const functions = sources.flatMap(functionSizes);

test.each([
  ['files', files, 120],
  ['functions', functions, 20],
] as const)('the longest %s, printed', (what, all, aim) => {
  const longest = [...all].sort((a, b) => b.lines - a.lines).slice(0, 10);
  const small = Math.round((100 * all.filter(({ lines }) => lines <= aim).length) / all.length);
  const rows = longest.map(({ lines, where }) => `${String(lines).padStart(5)}  ${where}`);
  console.log([`${all.length} ${what}, ${small} % within ${aim} lines; the longest:`, ...rows].join('\n'));
  expect(longest).not.toEqual([]);
});

test('no file and no function is longer than agreed', () => {
  expectNone(sizeProblems([...files, ...functions], allowed));
});

const long = (lines: number) => parse('src/a.ts', `${'\n'.repeat(lines - 2)}// the end\n// of it\n`);
const longFunction = (lines: number) =>
  parse('src/a.ts', `/** Told. */\nconst grow = () => {${'\n'.repeat(lines - 1)}};`);
const row = (what: string, lines: number) => [{ what, lines, because: 'it is planted' }];

test.each([
  ['a file of 250 lines', long(250), [], null],
  ['a file of 251 lines', long(251), [], 'src/a.ts has 251 lines'],
  ['an agreed file', long(260), row('src/a.ts', 260), null],
  ['an agreed file that grew', long(261), row('src/a.ts', 260), 'src/a.ts has 261 lines'],
  ['a function of 60 lines', longFunction(60), [], null],
  ['a function of 61 lines', longFunction(61), [], 'src/a.ts:2 grow has 61 lines'],
  ['an agreed function', longFunction(70), row('src/a.ts grow', 70), null],
  ['an agreed function that grew', longFunction(71), row('src/a.ts grow', 70), 'src/a.ts:2 grow has 71 lines'],
  ['an agreed function that shrank', longFunction(65), row('src/a.ts grow', 70), 'size.test.ts: src/a.ts grow is down'],
  ['a row that is not needed', longFunction(9), row('src/a.ts grow', 70), 'size.test.ts: src/a.ts grow needs no row'],
  ['a row of nothing', long(9), row('src/gone.ts', 300), 'size.test.ts: src/gone.ts needs no row'],
] as const)('sees %s', (_, source, list, message) => {
  const problems = sizeProblems([fileSize(source), ...functionSizes(source)], list);
  if (message === null) expectNone(problems);
  else expect(problems).toEqual([expect.stringContaining(message)]);
});
