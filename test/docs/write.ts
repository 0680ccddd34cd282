/** `npm run docs`: makes the generated parts of the pages anew. */
import { writeFileSync } from 'node:fs';
import { made, pages, read } from './regions.ts';

for (const page of pages) {
  const before = read(page);
  const after = made(before);
  writeFileSync(new URL(`../../${page}`, import.meta.url), after);
  console.log(`${page}: ${before === after ? 'up to date' : 'written'}`);
}
