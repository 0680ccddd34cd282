/** The sources as syntax trees, with their imports: what the style tests read. It judges nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect } from 'vitest';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Source {
  /** From the top of the project, with `/`. */
  readonly path: string;
  readonly tree: ts.SourceFile;
}

export const parse = (path: string, text: string): Source => ({
  path,
  tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
});

/** Everything that ships: `src/`, `machines/`, `tools/`. */
export const sources: readonly Source[] = ['src', 'machines', 'tools'].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .sort()
    .map((path) => parse(path, readFileSync(root + path, 'utf8'))),
);

export interface Import {
  /** `path:line`, for messages. */
  readonly at: string;
  /** What stands in the quotes. */
  readonly specifier: string;
  /** The file it means, or null for a package. */
  readonly file: string | null;
  /** `zod` for `zod/v4`, `node:fs` for `fs/promises`, or null for a file. */
  readonly package: string | null;
  /** Erased by the compiler: it loads nothing. */
  readonly typeOnly: boolean;
}

/** Static, dynamic, type-only and re-exporting imports alike. */
export function importsOf(source: Source): Import[] {
  return nodesOf(source).flatMap((node) => {
    const name = moduleName(node);
    return name === null ? [] : [importOf(source, node, ts.isStringLiteralLike(name) ? name.text : name.getText())];
  });
}

function moduleName(node: ts.Node): ts.Expression | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier ?? null;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)
      ? node.argument.literal
      : null;
  if (!ts.isCallExpression(node)) return null;
  const loads = node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require';
  return loads ? (node.arguments[0] ?? null) : null;
}

function importOf(source: Source, node: ts.Node, specifier: string): Import {
  const isFile = specifier.startsWith('.') || specifier.startsWith('/');
  return {
    at: at(source, node),
    specifier,
    file: isFile ? posix.join(posix.dirname(source.path), specifier) : null,
    package: isFile ? null : packageOf(specifier),
    typeOnly:
      ts.isImportTypeNode(node) ||
      (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
      (ts.isExportDeclaration(node) && node.isTypeOnly),
  };
}

function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return builtinModules.includes(name) ? `node:${name}` : name;
}

/** Every node of a file, parents before their children. */
export function nodesOf({ tree }: Source): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

export function at({ path, tree }: Source, node: ts.Node): string {
  return `${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`;
}

/** Fails with the problems themselves, one a line, and not with a comparison of lists. */
export function expectNone(problems: readonly string[]): void {
  if (problems.length > 0) expect.fail(`\n${problems.join('\n')}\n`);
}
