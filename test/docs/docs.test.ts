/** The pages say what is so: generated parts are up to date, examples print what is shown, links lead somewhere. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { made, madeFiles, output, pages, read, regionNames } from './regions.ts';

describe.each(pages)('%s', (page) => {
  it('is up to date (npm run docs)', () => {
    expect(read(page)).toBe(made(read(page)));
  });

  it('has links that lead somewhere', () => {
    const folder = new URL(`../../${page}`, import.meta.url);
    const links = [...read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? '');
    const local = links.filter((link) => !link.startsWith('http'));
    expect(local.filter((link) => !existsSync(new URL(link, folder)))).toEqual([]);
  });
});

it.each([...madeFiles])('%s is up to date (npm run docs)', (file, make) => {
  expect(read(file)).toBe(make());
});

it('every region is shown on a page', () => {
  const all = pages.map(read).join('\n');
  expect(regionNames.filter((name) => !all.includes(`<!-- begin ${name} -->`))).toEqual([]);
});

it('every example runs', () => {
  const examples = readdirSync(new URL('../../docs/examples/', import.meta.url)).map((file) => file.replace('.ts', ''));
  for (const example of examples) expect(output(example)).not.toBe('');
});

it('the README is at most 150 lines, AGENTS.md at most 60', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(151);
  expect(read('AGENTS.md').split('\n').length).toBeLessThanOrEqual(61);
});
