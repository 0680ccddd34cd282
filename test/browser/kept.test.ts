/** What a person chose is there again when the page is loaded again; what the system says holds until somebody chose. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { drawn, press, row, view, whole } from './places.ts';
import { eventful, recorded } from './runs.ts';
import { inBrowser, type Opening, soon, type World } from './world.ts';

/** A page with these runs, the first of which it shows. */
async function opened(world: World, runIds: readonly string[], options?: Opening) {
  const inspector = await world.inspector();
  const runs = new Map<string, readonly TraceEvent[]>();
  for (const runId of runIds) runs.set(runId, await recorded(eventful(), runId));
  for (const events of runs.values()) await inspector.show(events);
  const page = await world.open(inspector.url, options);
  const isShown = (runId = 'one') => whole(page, runs.get(runId) ?? []);
  /** And all of the run is there again: what the page shows before its own script ran says nothing. */
  const reload = async (runId = 'one') => {
    await page.reload();
    await isShown(runId);
  };
  return { page, isShown, reload };
}

const ground = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

inBrowser('the page loaded again', (world) => {
  it('shows the same run, and the same two side by side', async () => {
    const { page, isShown, reload } = await opened(world, ['one', 'two', 'three']);
    for (const runId of ['two', 'three', 'one']) {
      await row(page, runId).locator('.run-choose').click();
      await isShown(runId);
      await reload(runId);
    }
    await row(page, 'two').locator('.run-compare').click();
    await view(page, 'comparison').waitFor();
    await page.reload();
    await view(page, 'comparison').waitFor();
    await row(page, 'two').locator('[aria-pressed="true"]').waitFor();
    expect(await view(page, 'runs').locator('[aria-pressed="true"]').count()).toBe(1);
  });

  it('keeps theme and language', async () => {
    const { page, isShown, reload } = await opened(world, ['one'], { colorScheme: 'light' });
    await isShown();
    const light = await ground(page);
    // As the system, light, dark.
    await press(page, 'theme').click();
    await page.locator('html[data-theme="light"]').waitFor();
    await press(page, 'theme').click();
    await page.locator('html[data-theme="dark"]').waitFor();
    const dark = await ground(page);
    expect(dark).not.toBe(light);
    await press(page, 'language').click();
    await page.locator('html[lang="zh-CN"]').waitFor();
    await reload();
    await page.locator('html[lang="zh-CN"][data-theme="dark"]').waitFor();
    expect(await ground(page)).toBe(dark);
    await press(page, 'language').click();
    await press(page, 'theme').click();
    await page.locator('html[lang="en"]:not([data-theme])').waitFor();
    await reload();
    expect(await page.locator('html[lang="en"]:not([data-theme])').count()).toBe(1);
    expect(await ground(page)).toBe(light);
  });

  it('is light and dark as the system is, until somebody chose', async () => {
    const { page, isShown } = await opened(world, ['one'], { colorScheme: 'light' });
    await isShown();
    const light = await ground(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await soon(() => ground(page)).not.toBe(light);
    const dark = await ground(page);
    await press(page, 'theme').click();
    await soon(() => ground(page)).toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await drawn(page);
    await press(page, 'theme').click();
    await soon(() => ground(page)).toBe(dark);
  });

  it('speaks the language of the browser, until somebody chose', async () => {
    const { page, isShown, reload } = await opened(world, ['one'], { locale: 'zh-TW' });
    await isShown();
    await page.locator('html[lang="zh-CN"]').waitFor();
    await press(page, 'language').click();
    await page.locator('html[lang="en"]').waitFor();
    await reload();
    expect(await page.locator('html[lang="en"]').count()).toBe(1);
  });
});
