/** What a person chose is there again when the page is loaded again; what the system says holds until somebody chose. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { press, row, run, view } from './places.ts';
import { eventful, recorded } from './runs.ts';
import { inBrowser, soon, type World } from './world.ts';

async function threeRuns(world: World) {
  const inspector = await world.inspector();
  for (const runId of ['one', 'two', 'three']) await inspector.show(await recorded(eventful(), runId));
  return inspector;
}

const ground = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');
const isShown = (page: Page, runId: string) => page.locator(`main [data-run="${runId}"]`).waitFor();

inBrowser('the page loaded again', (world) => {
  it('shows the same run, and the same two side by side', async () => {
    const page = await world.open((await threeRuns(world)).url);
    for (const runId of ['two', 'three', 'one']) {
      await row(page, runId).locator('.run-choose').click();
      await isShown(page, runId);
      await page.reload();
      await isShown(page, runId);
    }
    await row(page, 'two').locator('.run-compare').click();
    await view(page, 'comparison').waitFor();
    await page.reload();
    await view(page, 'comparison').waitFor();
    expect(await view(page, 'runs').locator('[aria-pressed="true"]').count()).toBe(1);
    expect(await row(page, 'two').locator('[aria-pressed="true"]').count()).toBe(1);
  });

  it('keeps theme and language', async () => {
    const page = await world.open((await threeRuns(world)).url, { colorScheme: 'light' });
    await run(page, 'ended', 'final').waitFor();
    const light = await ground(page);
    // As the system, light, dark.
    await press(page, 'theme').click();
    await press(page, 'theme').click();
    await soon(() => ground(page)).not.toBe(light);
    const dark = await ground(page);
    await press(page, 'language').click();
    await page.locator('html[lang="zh-CN"]').waitFor();
    await page.reload();
    await page.locator('html[lang="zh-CN"][data-theme="dark"]').waitFor();
    expect(await ground(page)).toBe(dark);
    await press(page, 'language').click();
    await press(page, 'theme').click();
    await page.locator('html[lang="en"]:not([data-theme])').waitFor();
    await page.reload();
    await page.locator('html[lang="en"]:not([data-theme])').waitFor();
    expect(await ground(page)).toBe(light);
  });

  it('is light and dark as the system is, until somebody chose', async () => {
    const page = await world.open((await threeRuns(world)).url, { colorScheme: 'light' });
    await run(page, 'ended', 'final').waitFor();
    const light = await ground(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await ground(page);
    expect(dark).not.toBe(light);
    await press(page, 'theme').click();
    await soon(() => ground(page)).toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await press(page, 'theme').click();
    await soon(() => ground(page)).toBe(dark);
  });

  it('speaks the language of the browser, until somebody chose', async () => {
    const page = await world.open((await threeRuns(world)).url, { locale: 'zh-TW' });
    await page.locator('html[lang="zh-CN"]').waitFor();
    await press(page, 'language').click();
    await page.locator('html[lang="en"]').waitFor();
    await page.reload();
    await page.locator('html[lang="en"]').waitFor();
  });
});
