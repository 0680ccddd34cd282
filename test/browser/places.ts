/** Where things are in the page. */
import type { Locator, Page } from 'playwright-core';

export const view = (page: Page, name: string): Locator => page.locator(`[data-view="${name}"]`);

export const chart = (page: Page): Locator => view(page, 'chart');

/** The run that is shown, in that state. */
export const run = (page: Page, phase: string, stop = ''): Locator =>
  page.locator(`[data-run][data-phase="${phase}"][data-stop="${stop}"]`);

/** The playback, at that event. */
export const playback = (page: Page, position: number): Locator =>
  page.locator(`[data-view="playback"][data-position="${position}"]`);

export const press = (page: Page, name: string): Locator => page.locator(`[data-press="${name}"]`);

export const step = (page: Page, number: number): Locator => page.locator(`.step[data-step="${number}"]`);

/** A run in the list. */
export const row = (page: Page, runId: string): Locator => view(page, 'runs').locator(`[data-run="${runId}"]`);
