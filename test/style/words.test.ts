/** What no tracked file may hold: where it was made, who helped, where packages came from, foreign line ends. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectNone, root } from './sources.ts';

interface Text {
  readonly path: string;
  readonly text: string;
}

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
  readonly where?: (path: string) => boolean;
  /** A line that it must see; in two parts, so that this file does not hold it. */
  readonly planted: readonly [string, string];
}

const rules: readonly Rule[] = [
  { what: 'a machine path', pattern: /(?<![\w.-])\/(work|root)\//, planted: ['see /wo', 'rk/main/a.ts'] },
  { what: 'a home folder', pattern: /(?<![\w.-])\/(home|Users)\/\w+/, planted: ['/ho', 'me/somebody/a'] },
  { what: 'a temporary folder', pattern: /\/tmp\/[\w.-]*[._-]\w+\//, planted: ['/tm', 'p/bash_jobs.0/a'] },
  {
    what: 'a registry host',
    pattern: /\bregistry\.(npm|yarn)\w*\.\w+|\bnpm\.pkg\.\w+|\.jfrog\.io\b/i,
    planted: ['"resolved": "https://regis', 'try.npmjs.org/zod"'],
  },
  { what: 'a word of the workshop', pattern: /\bsub[a]gents?\b|\bhelper[ ]session/i, planted: ['a sub', 'agent'] },
  {
    what: 'a file outside the project',
    pattern: /\.\.\/shared\b/,
    where: (path) => !path.startsWith('test/'),
    planted: ['from ../sha', 'red/cases'],
  },
  { what: 'a CRLF', pattern: /\r$/, planted: ['a', '\r'] },
];

function problemsIn({ path, text }: Text, { what, pattern, where = () => true }: Rule): string[] {
  if (!where(path)) return [];
  return text.split('\n').flatMap((line, index) => {
    const found = line.match(pattern);
    return found === null ? [] : [`${path}:${index + 1} ${what}: ${JSON.stringify(found[0])}`];
  });
}

/** Text files only: not one that was just removed, nor a link, nor one with a zero byte. */
const tracked: readonly Text[] = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && lstatSync(root + path, { throwIfNoEntry: false })?.isFile())
  .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
  .filter(({ text }) => !text.includes('\0'));

test('git tracks files', () => expect(tracked.map(({ path }) => path)).toContain('package.json'));

test.each(rules)('no tracked file holds $what', (rule) => {
  expectNone(tracked.flatMap((text) => problemsIn(text, rule)));
});

test.each(rules)('sees $what where it is planted', (rule) => {
  const text = `an innocent line\n${rule.planted.join('')}\n`;
  expect(problemsIn({ path: 'docs/a.md', text }, rule)).toEqual([expect.stringMatching(/^docs\/a\.md:2 /)]);
});
