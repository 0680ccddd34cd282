/** The inspector's page as it is built: one file that asks for nothing and lets nothing else run. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { buildPage, runsMark } from '../build-page.mjs';

const page = await buildPage();

const inside = (name: string) =>
  [...page.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(([, text]) => text ?? '');
const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.split('; ') ?? [];
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('it has one script and one style, and its policy allows these alone', () => {
  const [scripts, styles] = [inside('script'), inside('style')];
  expect([scripts.length, styles.length]).toEqual([1, 1]);
  expect(policy).toEqual([
    "default-src 'none'",
    `script-src ${hashOf(scripts[0] ?? '')}`,
    `style-src ${hashOf(styles[0] ?? '')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});

test.each([
  ['another file', /<(link|img|iframe|object|embed|base)\b|\ssrc=["']|@import|url\(/i],
  ['an address but the names of XML', /https?:\/\/(?!www\.w3\.org\/)/],
  ['code made of text', /\beval\(|\bnew Function\b|\bFunction\(["'`]/],
  ['handlers in attributes', /<[a-z]+ [^>]*\bon[a-z]+=/],
])('it holds no %s', (_, forbidden) => {
  expect(forbidden.exec(page)?.[0] ?? null).toBeNull();
});

test('there is one place for runs, before the script', () => {
  expect(page.split(runsMark)).toHaveLength(2);
  expect(page.indexOf(runsMark)).toBeLessThan(page.indexOf('<script>'));
});
