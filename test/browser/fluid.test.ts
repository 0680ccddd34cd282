/** However long a run is and however many there are, the page follows. Only ratios: machines differ. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { act, answer, returns } from '../shell/setup.ts';
import { drawn, playback, row, step, view, whole } from './places.ts';
import { gate, gatedModel, long, recorded, viewOf } from './runs.ts';
import { inBrowser, numbers, soon, type World } from './world.ts';

const ofSteps = new Map<number, Promise<readonly TraceEvent[]>>();

/** Recorded once: long ones take their time. */
function recordedOf(steps: number): Promise<readonly TraceEvent[]> {
  const events = ofSteps.get(steps) ?? recorded(long(steps), `of ${steps}`);
  ofSteps.set(steps, events);
  return events;
}

async function opened(world: World, steps: number): Promise<{ page: Page; events: readonly TraceEvent[] }> {
  const events = await recordedOf(steps);
  const inspector = await world.inspector();
  await inspector.show(events);
  const page = await world.open(inspector.url);
  await whole(page, events);
  return { page, events };
}

const presses = [
  { what: 'forward', key: 'ArrowRight', withShift: true },
  { what: 'back', key: 'ArrowLeft', withShift: true },
  { what: 'byEvent', key: 'ArrowRight', withShift: false },
] as const;

/** What a press costs on each page, in milliseconds. They take turns, so that whatever else the machine does holds up all of them. */
async function costsOf(pages: readonly Page[], { key, withShift }: (typeof presses)[number]): Promise<number[]> {
  const costs = pages.map((): number[] => []);
  for (let turn = 0; turn < 5; turn += 1)
    for (const [index, page] of pages.entries()) {
      await page.bringToFront();
      costs[index]?.push(...(await numbers(page, `watched.costsOfKey('${key}', ${withShift}, 5)`)));
    }
  return costs.map((all) => all.toSorted((a, b) => a - b)[12] ?? 0);
}

const elements = async (page: Page) => Number(await page.evaluate("document.querySelectorAll('*').length"));
const scrubber = (page: Page) => view(page, 'playback').locator('input[type="range"]');

inBrowser('a page with much in it', (world) => {
  it('goes through a run of 1,000 steps nearly as quickly as through one of 50', async () => {
    const both = [await opened(world, 50), await opened(world, 1_000)];
    for (const { page, events } of both) {
      await scrubber(page).fill(String(Math.floor(events.length / 3)));
      await playback(page, Math.floor(events.length / 3)).waitFor();
      await drawn(page);
    }
    const pages = both.map(({ page }) => page);
    for (const press of presses) {
      const [short = 0, long = Number.POSITIVE_INFINITY] = await costsOf(pages, press);
      console.log(`${press.what}, in ms, 50 and 1,000 steps: ${short}, ${long}`);
      expect(long, press.what).toBeLessThan(10 * short);
    }
    const [few = 0, many = Number.POSITIVE_INFINITY] = await Promise.all(pages.map(elements));
    expect(many).toBeLessThan(5 * few);
    for (const { page, events } of both) {
      await page.keyboard.press('End');
      await playback(page, events.length).waitFor();
      await page.keyboard.press('Home');
      await playback(page, 1).waitFor();
      expect(await view(page, 'steps').locator('.step').count()).toBeLessThan(3);
    }
  });

  it('scrolls through all 1,000 steps, with a bounded part of them in the page, and is not held up by it', async () => {
    const [few, many] = [await scrolled(world, 50), await scrolled(world, 1_000)];
    console.log(`scrolled, 50 and 1,000 steps: ${JSON.stringify([few, many])}`);
    expect(many.mostRows).toBeLessThan(200);
    expect(many.elements).toBeLessThan(10 * few.elements);
    expect(many.heldUpMsPerStep).toBeLessThan(10 * few.heldUpMsPerStep);
  });

  it('shows 200 runs at once as they go, and misses nothing of any', async () => {
    const inspector = await world.inspector();
    const events = new Map<string, TraceEvent[]>();
    const held = gate();
    const replies = [act('look', { a: 1 }), 'no form', act('look', { a: 2 }), act('look', { a: 3 }), answer('42')];
    const page = await world.open(inspector.url);
    await page.locator('[data-connection="open"]').waitFor();
    await view(page, 'runs').locator('.empty').waitFor();
    await drawn(page);
    await page.evaluate('watched.listDraws = 0');
    const runs = Array.from({ length: 200 }, (_, index) => {
      const agent = createAgent({
        model: gatedModel(replies, held),
        tools: { look: returns('seen') },
        onEvent: [inspector.onEvent, (event, { runId }) => events.set(runId, [...(events.get(runId) ?? []), event])],
      });
      return agent.run(`Look ${index}.`, { runId: `r${index}` });
    });
    await soon(() => view(page, 'runs').locator('.run-row[data-live="true"]').count()).toBe(200);
    held.openAll();
    const outcomes = await Promise.all(runs);
    expect(outcomes.every(({ stopReason }) => stopReason === 'final')).toBe(true);
    await soon(() => view(page, 'runs').locator('.run-row[data-live="false"] [data-status="final"]').count()).toBe(200);
    for (const runId of ['r0', 'r99', 'r199']) {
      const all = events.get(runId) ?? [];
      await row(page, runId).locator('.run-choose').click();
      await whole(page, all);
    }
    const total = [...events.values()].reduce((sum, { length }) => sum + length, 0);
    const draws = Number(await page.evaluate('watched.listDraws'));
    console.log(`${total} events of 200 runs: the list was drawn ${draws} times`);
    expect(draws).toBeGreaterThan(1);
    expect(draws).toBeLessThan(total / 10);
  });
});

/** A task that is shorter is not counted: milliseconds. */
const longTaskMs = 50;

/** Opened, then from the last step up to the first, as fast as the page brings them. */
async function scrolled(world: World, steps: number) {
  const { page, events } = await opened(world, steps);
  expect(viewOf(events).steps.length).toBe(steps);
  await page.keyboard.press('j');
  await step(page, steps).waitFor();
  await drawn(page);
  const rows = view(page, 'steps').locator('.step-list > .step');
  const firstOf = async () => Number(await rows.first().getAttribute('data-step'));
  let [first, mostRows] = [await firstOf(), await rows.count()];
  while (first > 1) {
    await page.evaluate("document.querySelector('.run-story').scrollTop = 0");
    await soon(firstOf).toBeLessThan(first);
    first = await firstOf();
    mostRows = Math.max(mostRows, await rows.count());
  }
  const longTasks = await numbers(page, 'watched.longTasks');
  const atEnd = await elements(page);
  await step(page, 1).locator('.step-line').click();
  await soon(() => step(page, 1).getAttribute('data-open')).toBe('true');
  return { mostRows, elements: atEnd, heldUpMsPerStep: (longTaskMs + sumOf(longTasks)) / steps };
}

const sumOf = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0);
