/** Plants a bug in a copy of the sources, and casts the nets over it, each in a process of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { type Bug, type Net, nets } from './bug.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** By net: what it said, or null where it caught nothing. */
export type Caught = { readonly [net in Net]: string | null };

/**
 * With `null` nothing is planted. Throws where the bug's text does not stand in its file exactly once.
 *
 * A net that does not hold the bug's file is what it is where nothing is planted, and draws the same from the same seed:
 * it is not cast again.
 */
export async function plant(bug: Bug | null): Promise<Caught> {
  const folder = mkdtempSync(join(tmpdir(), 'fuseloop-nets-'));
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: nets.map((net) => `test/nets/${net}.ts`),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
      plugins: bug === null ? [] : [planting(bug)],
    });
    const holding = nets.filter((net) => bug === null || filesOf(metafile, net).includes(bug.file));
    if (holding.length === 0) throw new Error(`No net holds ${bug?.file}.`);
    const said = await Promise.all(holding.map(async (net) => [net, await run(join(folder, `${net}.mjs`))] as const));
    const nothing: Caught = { explorer: null, walks: null, simulator: null };
    return { ...nothing, ...Object.fromEntries(said) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Metafile = NonNullable<Awaited<ReturnType<typeof build<{ metafile: true }>>>['metafile']>;

function filesOf({ outputs }: Metafile, net: Net): readonly string[] {
  const output = Object.values(outputs).find(({ entryPoint }) => entryPoint === `test/nets/${net}.ts`);
  return Object.keys(output?.inputs ?? {});
}

export function planting({ file, find, replace }: Pick<Bug, 'file' | 'find' | 'replace'>): Plugin {
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

/** What the net caught. */
function run(file: string): Promise<string | null> {
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0
        ? resolve(JSON.parse(stdout.join('')))
        : reject(new Error(`A net ended with ${code}: ${stderr.join('')}`)),
    );
  });
}
