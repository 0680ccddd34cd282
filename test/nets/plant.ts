/** Plants a bug in a copy of the sources, and casts the nets over it in a process of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Bug, Net } from './bugs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** By net: what it said, or null where it caught nothing. */
export type Caught = { readonly [net in Net]: string | null };

/** With `null` nothing is planted. Throws where the bug's text does not stand in its file exactly once. */
export async function plant(bug: Bug | null): Promise<Caught> {
  const folder = mkdtempSync(join(tmpdir(), 'fuseloop-nets-'));
  try {
    const outfile = join(folder, 'cast.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: ['test/nets/cast.ts'],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
      plugins: bug === null ? [] : [planting(bug)],
    });
    const caught: Caught = JSON.parse(await run(outfile));
    return caught;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function planting({ file, find, replace }: Bug): Plugin {
  return {
    name: 'planting',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path !== join(root, file)) return null;
        return { contents: planted(readFileSync(path, 'utf8'), { file, find, replace }), loader: 'ts' };
      });
    },
  };
}

export function planted(text: string, { file, find, replace }: Pick<Bug, 'file' | 'find' | 'replace'>): string {
  const pieces = text.split(find);
  if (pieces.length !== 2) throw new Error(`${JSON.stringify(find)} stands ${pieces.length - 1} times in ${file}.`);
  return pieces.join(replace);
}

function run(file: string): Promise<string> {
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0 ? resolve(stdout.join('')) : reject(new Error(`The nets ended with ${code}: ${stderr.join('')}`)),
    );
  });
}
