/** What events and commands carry, read from their types by the TypeScript compiler: a member more is a row more. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = new URL('../../', import.meta.url);
const files = ['src/core/events.ts', 'src/core/snapshot.ts', 'machines/commands.ts'];

export interface Member {
  readonly name: string;
  /** As it is written. */
  readonly type: string;
  readonly optional: boolean;
  /** What stands above it. */
  readonly told: string;
}

export interface Tagged {
  /** The value of `type`. */
  readonly tag: string;
  readonly members: readonly Member[];
}

let read: ts.Program | null = null;

function program(): ts.Program {
  read ??= ts.createProgram(
    files.map((file) => fileURLToPath(new URL(file, root))),
    {
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
    },
  );
  return read;
}

/** The members of a union such as `ReactEvent`, in the order in which it names them. */
export function taggedIn(file: string, union: string): readonly Tagged[] {
  const { type } = declaration(file, union);
  if (type === undefined || !ts.isUnionTypeNode(type)) throw new Error(`${union} in ${file} is no union.`);
  return type.types.map(tagged);
}

/** The members of an interface, in its order. */
export function membersOf(file: string, name: string): readonly Member[] {
  const checker = program().getTypeChecker();
  const symbol = exportsOf(file).find((one) => one.name === name);
  if (symbol === undefined) throw new Error(`${file} exports no ${name}.`);
  return membersIn(checker.getDeclaredTypeOfSymbol(symbol));
}

/** The source of each type of ours that these members name, and of those that they name in turn; without those of `shown`. */
export function sourcesOf(members: readonly Member[], shown: readonly string[]): readonly string[] {
  const found = new Map<string, string>(shown.map((name) => [name, '']));
  const visit = (text: string) => {
    for (const [name] of text.matchAll(/\b[A-Z]\w+\b/g)) {
      const declared = found.has(name) ? undefined : declarations().get(name);
      if (declared === undefined) continue;
      const source = sourceOf(declared);
      found.set(name, source);
      visit(source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^']*'/g, ''));
    }
  };
  for (const { type } of members) visit(type);
  return [...found]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, source]) => source)
    .filter((source) => source !== '');
}

function tagged(node: ts.TypeNode): Tagged {
  const members = membersIn(program().getTypeChecker().getTypeFromTypeNode(node));
  const tag = members.find(({ name }) => name === 'type')?.type ?? '';
  return { tag: tag.replaceAll("'", ''), members: members.filter(({ name }) => name !== 'type') };
}

function membersIn(type: ts.Type): readonly Member[] {
  const checker = program().getTypeChecker();
  return checker.getPropertiesOfType(type).map((symbol) => ({
    name: symbol.name,
    type: typeText(symbol),
    optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
    told: ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll('\n', ' '),
  }));
}

function typeText(symbol: ts.Symbol): string {
  const [declared] = symbol.declarations ?? [];
  if (declared === undefined || !ts.isPropertySignature(declared) || declared.type === undefined)
    throw new Error(`${symbol.name} is no member with a type.`);
  return declared.type.getText().replaceAll('readonly ', '');
}

/** With the comment that stands on it. A list such as `(typeof stopReasons)[number]` is written out. */
function sourceOf(node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): string {
  const before = node.getSourceFile().text.slice(node.getFullStart(), node.getStart());
  const comment = before.split('\n\n').at(-1)?.trim() ?? '';
  const type = program().getTypeChecker().getTypeAtLocation(node);
  const written = node.getText().replace('export ', '');
  const values = type.isUnion() ? type.types.map((one) => (one.isStringLiteral() ? `'${one.value}'` : '')) : [];
  const lines = [`type ${node.name.text} =`, ...values.map((value) => `  | ${value}`)].join('\n');
  return [comment, written.includes('typeof') ? `${lines};` : written].filter((text) => text !== '').join('\n');
}

function declaration(file: string, name: string): ts.TypeAliasDeclaration {
  const source = program().getSourceFile(fileURLToPath(new URL(file, root)));
  const found = source?.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === name);
  if (found === undefined || !ts.isTypeAliasDeclaration(found)) throw new Error(`${file} has no type ${name}.`);
  return found;
}

function exportsOf(file: string): readonly ts.Symbol[] {
  const checker = program().getTypeChecker();
  const source = program().getSourceFile(fileURLToPath(new URL(file, root)));
  const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  return symbol === undefined ? [] : checker.getExportsOfModule(symbol);
}

/** Every interface and type of `src/core/` and `machines/`, by name. */
function declarations(): ReadonlyMap<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration> {
  const found = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>();
  for (const source of program().getSourceFiles()) {
    if (!/\/(src\/core|machines)\/[^/]+\.ts$/.test(source.fileName) || source.fileName.includes('node_modules'))
      continue;
    for (const one of source.statements)
      if (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) found.set(one.name.text, one);
  }
  return found;
}
