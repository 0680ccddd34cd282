/** Where things are in the page, and when they are. */
import type { Locator, Page } from 'playwright-core';
import type { TraceEvent } from '../../src/core/trace.ts';
import { viewOf } from './runs.ts';

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

/**
 * Waits until the page has all of these events, follows them, and has done what comes behind a drawing. Events come in pieces: whoever
 * then looks once, counts, measures or presses a key asks for this first.
 */
export async function whole(page: Page, events: readonly TraceEvent[]): Promise<void> {
  const { runId, phase, stopReason } = viewOf(events);
  await page
    .locator(`main [data-run="${runId}"][data-phase="${phase}"][data-stop="${stopReason ?? ''}"]`)
    .locator(`[data-view="playback"][data-length="${events.length}"][data-position="${events.length}"]`)
    .waitFor();
  await drawn(page);
}

/** Waits until what was changed is drawn, and what a drawing leads to: the focus and the scrolling come a frame later. */
export async function drawn(page: Page): Promise<void> {
  const frame = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';
  for (let count = 0; count < 3; count += 1) await page.evaluate(frame);
}

/** A run in the list. */
export const row = (page: Page, runId: string): Locator => view(page, 'runs').locator(`[data-run="${runId}"]`);
