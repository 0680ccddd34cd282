/** `npm run docs`: makes the generated parts of the pages anew. */
import { existsSync, writeFileSync } from 'node:fs';
import { made, madeFiles, pages, read } from './regions.ts';

for (const page of pages) write(page, read(page), made(read(page)));
for (const [file, make] of madeFiles) write(file, readOrNothing(file), make());

function write(path: string, before: string, after: string): void {
  if (before !== after) writeFileSync(new URL(`../../${path}`, import.meta.url), after);
  console.log(`${path}: ${before === after ? 'up to date' : 'written'}`);
}

function readOrNothing(path: string): string {
  return existsSync(new URL(`../../${path}`, import.meta.url)) ? read(path) : '';
}
