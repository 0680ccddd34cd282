/** A program of the sources as one file which Node alone can run: its process then takes a third of the time that it takes with tsx. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const known = new Map<string, string>();

/** `entry` and packages are found as in the sources. Gives the path of the file, which is made anew once a process. */
export function bundled(entry: string): string {
  const file = known.get(entry) ?? written(entry);
  known.set(entry, file);
  return file;
}

/** In one move: tests beside this one write the very same file. */
function written(entry: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
  });
  const file = join(root, '.cache/bundled', entry.replace(/\.ts$/, '.mjs'));
  const own = `${file}.${randomUUID()}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(own, outputFiles.map(({ text }) => text).join('\n'));
  renameSync(own, file);
  return file;
}
