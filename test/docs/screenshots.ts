/**
 * `npm run docs:screenshots`: the pictures of the inspector in docs/, of the demonstration of an incident. They are looked at, and
 * not compared: fonts differ from machine to machine.
 */
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createAgent } from '../../src/agent.ts';
import { incidentDemo } from '../../src/cli/demos/incident.ts';
import { createInspector } from '../../src/observe/inspect/inspector.ts';
import { systemClock } from '../../src/shell/system-clock.ts';
import { launchBrowser } from '../browser/chromium.ts';
import { playback, run, step, view } from '../browser/places.ts';
import { writePage } from '../build-page.mjs';

const screen = { width: 1440, height: 900 };
const pictures: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['inspector-light', { viewport: screen, colorScheme: 'light' }],
  ['inspector-dark', { viewport: screen, colorScheme: 'dark' }],
  ['inspector-phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
];
/** One with a call, its input and what it gave. */
const unfolded = 5;

await writePage();
const inspector = await createInspector();
const { task, tools, model } = incidentDemo;
const agent = createAgent({ model: model(systemClock), tools, onEvent: inspector.onEvent });
await agent.run(task, { runId: 'incident' });
const browser = await launchBrowser();
try {
  for (const [name, options] of pictures) await take(browser, name, options);
} finally {
  await browser.close();
  await inspector.close();
}

async function take(browser: Browser, name: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.goto(inspector.url);
  await run(page, 'ended', 'final').waitFor();
  await playback(page, Number(await view(page, 'playback').getAttribute('data-length'))).waitFor();
  await unfold(page);
  const path = fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url));
  await page.screenshot({ path });
  await context.close();
  console.log(path);
}

async function unfold(page: Page): Promise<void> {
  await step(page, unfolded).locator('.step-line').click();
  await step(page, unfolded).locator('[data-part="thought"]').waitFor();
  await step(page, unfolded).evaluate((one: { scrollIntoView(how: object): void }) =>
    one.scrollIntoView({ block: 'start' }),
  );
  await page.locator('#run-title').focus();
  // What came back into sight is drawn a frame later.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}
