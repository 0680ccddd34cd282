/** The folder of the project, from wherever this code runs: as a source file, or bundled into one text. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

function folderAbove(start: URL): URL {
  const above = new URL('../', start);
  return existsSync(new URL('package.json', start)) || above.href === start.href ? start : folderAbove(above);
}

export const root = fileURLToPath(folderAbove(new URL('./', import.meta.url)));
