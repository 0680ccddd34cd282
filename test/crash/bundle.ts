/** The child as one file: a process of the matrix then starts in a tenth of the time. */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface Bundle {
  readonly file: string;
  remove(): void;
}

/** Beside the packages, so that those which are not bundled are found. */
export async function bundleOf(entry: string): Promise<Bundle> {
  const file = fileURLToPath(new URL(`../../node_modules/.cache/fuseloop-crash/${randomUUID()}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['better-sqlite3'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  return { file, remove: () => rmSync(file, { force: true }) };
}
