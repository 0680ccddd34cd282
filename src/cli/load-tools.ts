/** Tools from a module of the user. Importing it runs it: that is what --tools asks for. */
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../core/message-of.ts';
import type { AnyTool, ToolRecord } from '../core/tool.ts';
import { misuse } from './misuse.ts';
import { toolShape } from './schemas.ts';

const form =
  'A module exports tools by name, such as export const weather = { description, inputSchema, execute }, or an object of them as its default.';

/** Throws misuse where the module cannot be loaded, or holds something that was meant as a tool and is none. */
export async function loadTools(path: string): Promise<ToolRecord> {
  const exported = await importModule('--tools', path);
  const tools = new Map<string, AnyTool>();
  for (const [name, value] of candidatesIn(exported, path)) {
    const tool = checkTool(path, name, value);
    if (tools.has(name) && tools.get(name) !== tool)
      throw misuse(`--tools ${path}: two tools are called ${name}.`, 'Give each tool a name of its own.');
    tools.set(name, tool);
  }
  if (tools.size > 0) return Object.fromEntries(tools);
  const names = Object.keys(exported);
  throw misuse(
    `--tools ${path}: no tool is exported (${names.length === 0 ? 'nothing is' : `only ${names.join(', ')}`}).`,
    form,
  );
}

export type Exported = { readonly [name: string]: unknown };

/** Throws misuse where it cannot be loaded; `flag` is what named it. */
export async function importModule(flag: string, path: string): Promise<Exported> {
  const file = resolve(path);
  try {
    const loaded: Exported = await import(pathToFileURL(file).href);
    return loaded;
  } catch (thrown) {
    throw misuse(
      `${flag} ${path} cannot be loaded: ${messageOf(thrown).replace(/ imported from .*/, '')}`,
      `It is looked for at ${file}. It must be JavaScript that runs by itself: an ES module (.mjs, or .js), or .cjs.`,
      thrown,
    );
  }
}

/** Named exports that look like a tool, and what the default export holds. A default tool is called like its file. */
function candidatesIn(exported: Exported, path: string): readonly (readonly [string, unknown])[] {
  const named = Object.entries(exported).filter(([name, value]) => !ofModules.has(name) && looksLikeTool(value));
  const { default: whole } = exported;
  if (typeof whole !== 'object' || whole === null) return named;
  if (looksLikeTool(whole)) return [[basename(path, extname(path)), whole], ...named];
  return [...Object.entries(whole), ...named];
}

/** `module.exports` is how Node 23 and later export a CommonJS module as a whole. */
const ofModules: ReadonlySet<string> = new Set(['default', 'module.exports', '__esModule']);

function looksLikeTool(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('execute' in value || 'inputSchema' in value);
}

function checkTool(path: string, name: string, value: unknown): AnyTool {
  const checked = toolShape.safeParse(value);
  // The tool itself, not the copy that the schema makes: its `execute` may use `this`.
  if (checked.success && isTool(value)) return value;
  const [issue] = checked.error?.issues ?? [];
  const what = issue === undefined ? 'is no tool' : [...issue.path, issue.message].join(' ');
  throw misuse(`--tools ${path}: ${name} cannot be used: ${what}.`, form);
}

function isTool(value: unknown): value is AnyTool {
  return toolShape.safeParse(value).success;
}
