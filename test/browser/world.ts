/**
 * A browser for the tests of a file, inspectors with the page as it is built, and what must hold whatever a test does: no page asks
 * another host, nothing throws in one, its policy has to keep it from nothing, and no text of a run is taken for a program.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { createInspector, type Inspector, type InspectorOptions } from '../../src/observe/inspect/inspector.ts';
import { writePage } from '../build-page.mjs';
import { describeInBrowser, foreignHost, launchBrowser } from './chromium.ts';

export interface World {
  readonly browser: () => Browser;
  /** For what a test writes. */
  readonly folder: string;
  /** Closed behind the test. */
  inspector(options?: InspectorOptions): Promise<Inspector>;
  /** A new page, in a browser that knows nothing yet, at the address. */
  open(address: string, options?: Opening): Promise<Page>;
  /** Another page of the same browser. */
  openBeside(page: Page, address: string): Promise<Page>;
  /** The requests of all pages of the test, and of the pages of its file. */
  readonly requests: readonly string[];
}

export interface Opening extends BrowserContextOptions {
  /** What of the console belongs to the test, such as that a request was refused. */
  readonly expects?: RegExp;
}

/** A `describe` with its own browser; skipped where there is none. */
export function inBrowser(title: string, tests: (world: World) => void): void {
  describeInBrowser(title, () => tests(createWorld()));
}

function createWorld(): World {
  // A browser beside all other tests may be slow; what it does is waited for, and not for a time.
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
  const folder = mkdtempSync(join(tmpdir(), 'fuseloop-browser-'));
  const inspectors: Inspector[] = [];
  const contexts: BrowserContext[] = [];
  const requests: string[] = [];
  const problems: string[] = [];
  let browser: Browser | null = null;
  const launched = () => {
    if (browser === null) throw new Error('The browser is not there yet.');
    return browser;
  };

  beforeAll(async () => {
    await writePage();
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) {
      problems.push(...(await problemsOf(context)));
      await context.close();
    }
    await Promise.all(inspectors.splice(0).map((inspector) => inspector.close()));
    expect(problems.splice(0)).toEqual([]);
    expect(requests.filter((address) => !isOfThisMachine(address))).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    browser: launched,
    folder,
    requests,
    async inspector(options) {
      const inspector = await createInspector(options);
      inspectors.push(inspector);
      return inspector;
    },
    async open(address, { expects, ...options } = {}) {
      const context = await launched().newContext({ viewport: { width: 1440, height: 900 }, ...options });
      contexts.push(context);
      await context.addInitScript({ path: fileURLToPath(new URL('in-page.js', import.meta.url)) });
      const isExpected = (text: string) => expects?.test(text) ?? false;
      context.on('request', (request) => requests.push(request.url()));
      context.on('weberror', (error) => problems.push(`thrown: ${error.error().message}`));
      context.on('console', (message) => {
        const text = `${message.text()} ${message.location().url}`;
        if (isTrouble(message) && !isExpected(text)) problems.push(`console: ${text}`);
      });
      const page = await context.newPage();
      await page.goto(address);
      return page;
    },
    async openBeside(page, address) {
      const other = await page.context().newPage();
      await other.goto(address);
      return other;
    },
  };
}

const isTrouble = (message: ConsoleMessage) => ['error', 'warning'].includes(message.type());

/** What the pages themselves noticed. */
async function problemsOf(context: BrowserContext): Promise<string[]> {
  const problems: string[] = [];
  for (const page of context.pages()) {
    if ((await page.evaluate('typeof watched')) !== 'object') continue;
    problems.push(...(await texts(page, 'watched.blocked')).map((what) => `blocked: ${what}`));
    const hacked = await page.evaluate('String(window.hacked)');
    if (hacked !== 'undefined') problems.push(`a text ran: ${hacked}`);
  }
  return problems;
}

function isOfThisMachine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return ['file:', 'data:'].includes(protocol) || ['127.0.0.1', 'localhost', foreignHost].includes(hostname);
}

/** A list of texts that the page gives. */
export async function texts(page: Page, expression: string): Promise<string[]> {
  return list(await page.evaluate(expression)).map(String);
}

export async function numbers(page: Page, expression: string): Promise<number[]> {
  return list(await page.evaluate(expression)).map(Number);
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`The page gave no list: ${JSON.stringify(value)}`);
}

/** Waits until it holds; what it says last is the failure. */
export const soon = <Value>(get: () => Value) => expect.poll(get, { timeout: 60_000, interval: 25 });
