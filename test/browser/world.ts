/**
 * A browser, inspectors with the page as it is built, and what must hold whatever a test does: no page asks another host, nothing
 * throws in one, its policy has to keep it from nothing, and no text of a run is taken for a program.
 *
 * `FUSELOOP_SLOW_PAGE=6` makes pages six times as slow, and their events come one at a time: each test must hold then, too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { createInspector, type Inspector, type InspectorOptions } from '../../src/observe/inspect/inspector.ts';
import { writePage } from '../build-page.mjs';
import { describeInBrowser, foreignHost, sharedBrowser } from './chromium.ts';

export interface World {
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

/** How many times as slow as they are pages are made. */
const slowness = Number(process.env.FUSELOOP_SLOW_PAGE ?? 1);
/** Longer than anything takes on a busy machine: only what never comes ends by it. */
const testMs = 120_000 * slowness;
/** A little less, so that what was waited for is told. */
const waitMs = testMs - 20_000;

let built: Promise<void> | null = null;

/** A `describe` with a browser; skipped where there is none. */
export function inBrowser(title: string, tests: (world: World) => void): void {
  describeInBrowser(title, () => tests(createWorld()));
}

function createWorld(): World {
  vi.setConfig({ testTimeout: testMs, hookTimeout: testMs });
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
    built ??= writePage();
    await built;
    browser = await sharedBrowser();
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
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return {
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
      context.setDefaultTimeout(waitMs);
      await context.addInitScript({ path: inFolder('in-page.js') });
      if (slowness > 1) await context.addInitScript({ path: inFolder('one-at-a-time.js') });
      const isExpected = (text: string) => expects?.test(text) ?? false;
      context.on('request', (request) => requests.push(request.url()));
      context.on('weberror', (error) => problems.push(`thrown: ${error.error().message}`));
      context.on('console', (message) => {
        const text = `${message.text()} ${message.location().url}`;
        if (isTrouble(message) && !isExpected(text)) problems.push(`console: ${text}`);
      });
      return newPage(context, address);
    },
    openBeside: (page, address) => newPage(page.context(), address),
  };
}

async function newPage(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  if (slowness > 1) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  }
  await page.goto(address);
  return page;
}

const inFolder = (name: string) => fileURLToPath(new URL(name, import.meta.url));

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
export const soon = <Value>(get: () => Value) => expect.poll(get, { timeout: waitMs, interval: 25 });
