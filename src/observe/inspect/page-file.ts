/** The inspector's page: one file, `inspector.html`, which the build makes. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AgentError } from '../../core/errors.ts';
import { messageOf } from '../../core/message-of.ts';
import type { Prices } from '../report/metrics.ts';
import { harmless } from './harmless.ts';
import type { Inline } from './headers.ts';

export interface PageFile {
  readonly html: string;
  readonly inline: Inline;
}

export interface PageOptions {
  /** Of the page, where it does not lie in the package. */
  readonly page?: string | undefined;
  readonly prices?: Prices | undefined;
}

/** Stands once in the page, where data goes. */
export const runsMark = '<!-- fuseloop-runs -->';

/** AgentError (`invalid_option`) where the page cannot be read. */
export async function readPage({ page, prices }: PageOptions): Promise<PageFile> {
  const bare = page === undefined ? await packagedPage() : await givenPage(page);
  const html = prices === undefined ? bare : bare.replace(runsMark, () => `${elementOf(prices)}${runsMark}`);
  return { html, inline: { scripts: hashesOf(bare, 'script'), styles: hashesOf(bare, 'style') } };
}

/** Data: a browser runs nothing of it. */
function elementOf(prices: Prices): string {
  return `<script type="application/json" id="fuseloop-prices">${harmless(JSON.stringify(prices))}</script>`;
}

async function givenPage(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    throw noPage(`The page ${JSON.stringify(path)} cannot be read: ${messageOf(thrown)}.`, thrown);
  }
}

/** In the package it lies beside this module; from the sources the package's folder is above. */
async function packagedPage(): Promise<string> {
  let folder = new URL('.', import.meta.url);
  for (let level = 0; level < mostLevels; level++) {
    for (const place of ['inspector.html', 'dist/inspector.html']) {
      const html = await readFile(new URL(place, folder), 'utf8').catch(() => null);
      if (html !== null) return html;
    }
    folder = new URL('../', folder);
  }
  throw noPage(`The page of the inspector, inspector.html, is not beside ${fileURLToPath(import.meta.url)}.`);
}

const mostLevels = 5;

function noPage(message: string, cause?: unknown): AgentError {
  const hint =
    'In a clone, npm run build makes dist/inspector.html. Where the package is bundled, name its file: { page }.';
  return new AgentError('invalid_option', message, { hint, cause });
}

/** Of the text of each element of that name. The page is our own, and spells its tags in lower case. */
function hashesOf(html: string, name: 'script' | 'style'): readonly string[] {
  const hashes: string[] = [];
  for (let at = html.indexOf(`<${name}`); at !== -1; at = html.indexOf(`<${name}`, at + 1)) {
    const from = html.indexOf('>', at) + 1;
    const to = html.indexOf(`</${name}>`, from);
    if (to === -1) break;
    hashes.push(createHash('sha256').update(html.slice(from, to)).digest('base64'));
    at = to;
  }
  return hashes;
}
