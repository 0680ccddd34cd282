/** A recorded run, looked at from event to event: the page at event N shows what the first N events say. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { movesOfWays } from '../../src/observe/chart/chart.ts';
import { stateName } from '../../src/observe/chart/path.ts';
import type { RunView } from '../../src/observe/run-view.ts';
import type { Setup } from '../shell/setup.ts';
import { chart, playback, press, row, step, view, whole } from './places.ts';
import { eventful, long, recorded, viewOf } from './runs.ts';
import { inBrowser, numbers, soon, type World } from './world.ts';

async function opened(world: World, of: Setup = eventful()): Promise<{ page: Page; events: readonly TraceEvent[] }> {
  const events = await recorded(of);
  const inspector = await world.inspector();
  await inspector.show(events);
  const page = await world.open(inspector.url);
  await whole(page, events);
  return { page, events };
}

const scrubber = (page: Page) => view(page, 'playback').locator('input[type="range"]');

/** Where the steps begin: behind how many events. */
const beginnings = (events: readonly TraceEvent[]) =>
  events.flatMap((event, index) => {
    const before = events[index - 1];
    const number = 'step' in event ? event.step : 0;
    return number > Math.max(0, ...events.slice(0, index).map((one) => ('step' in one ? one.step : 0))) &&
      before !== undefined
      ? [index + 1]
      : [];
  });

/** What the page shows of a run, and what the picture says, in the same words. */
async function shownIn(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const all = (selector, of) => [...document.querySelectorAll(selector)].map(of);
    const run = document.querySelector('.run');
    return {
      phase: run.dataset.phase,
      stop: run.dataset.stop,
      steps: all('.step-list > .step', (one) => Number(one.dataset.step)),
      calls: all('[data-call-status]', (one) => one.dataset.callStatus),
      used: all('.gauge meter', (one) => one.value),
      ways: Object.fromEntries(all('[data-way]', (one) => [one.dataset.way, Number(one.dataset.count)])),
      answer: document.querySelector('[data-part="final-answer"] .answer')?.textContent ?? null,
    };
  })()`);
}

function saidBy(picture: RunView): unknown {
  const { phase, stopReason, steps, usage, limits, moves, atMs, violationsInRow, toolErrorsInRow, answer } = picture;
  const gone = (ways: readonly string[]) => ways.reduce((sum, way) => sum + (moves.get(way) ?? 0), 0);
  return {
    phase,
    stop: stopReason ?? '',
    steps: steps.map(({ number }) => number),
    calls: steps.flatMap(({ calls }) => calls.map(({ status }) => status)),
    used: [
      ...[Math.min(usage.steps, limits.maxSteps), Math.min(usage.totalTokens, limits.maxTokens)],
      ...[Math.min(atMs, limits.wallClockMs), usage.toolCalls, violationsInRow, toolErrorsInRow],
    ],
    ways: Object.fromEntries(Object.entries(movesOfWays).map(([id, ways]) => [id, gone(ways)])),
    answer,
  };
}

const nowMs = async (page: Page) => Number(await page.evaluate('performance.now()'));

/** No gap of these runs is so long that the page would play it more quickly. */
const lastedMs = (events: readonly TraceEvent[]) => (events.at(-1)?.wallMs ?? 0) - (events[0]?.wallMs ?? 0);

/** The eventful one, with long pauses. */
const unhurried = (): Setup => {
  const { replies, ...rest } = eventful();
  return {
    ...rest,
    replies: replies.map((reply) => (typeof reply === 'object' ? { ...reply, delayMs: 5_000 } : reply)),
  };
};

inBrowser('a recorded run in the page', (world) => {
  it('shows at each event what the events up to it say', async () => {
    const { page, events } = await opened(world);
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(10);
    // Each kind of event, and every third.
    const isFirst = (index: number) => events.findIndex(({ type }) => type === events[index]?.type) === index;
    const sample = events.flatMap((_, index) => (index % 3 === 0 || isFirst(index) ? [index + 1] : []));
    for (const position of sample.toReversed()) {
      await scrubber(page).fill(String(position));
      await playback(page, position).waitFor();
      const picture = viewOf(events.slice(0, position));
      expect(await shownIn(page), `event ${position}`).toEqual(saidBy(picture));
      await soon(() => chart(page).getAttribute('data-lit')).toBe(stateName(picture.state));
    }
  });

  const ways = [
    { by: 'the buttons', on: (page: Page, name: string) => press(page, name).click() },
    { by: 'the keys', on: (page: Page, name: string) => page.keyboard.press(keys.get(name) ?? '') },
  ];
  const keys = new Map([
    ['first', 'Home'],
    ['last', 'End'],
    ['back', 'ArrowLeft'],
    ['forward', 'ArrowRight'],
    ['backStep', 'Shift+ArrowLeft'],
    ['forwardStep', 'Shift+ArrowRight'],
    ['play', 'Space'],
  ]);
  it.each(ways)('goes back and forth by event and by step with $by', async ({ on }) => {
    const { page, events } = await opened(world);
    const starts = beginnings(events);
    const at = (position: number | undefined) => playback(page, position ?? -1).waitFor();
    await on(page, 'first');
    await at(1);
    // There is nothing before it.
    await page.keyboard.press('ArrowLeft');
    for (const position of [2, 3, 4]) {
      await on(page, 'forward');
      await at(position);
    }
    await on(page, 'back');
    await at(3);
    for (const start of starts.filter((one) => one > 3)) {
      await on(page, 'forwardStep');
      await at(start);
    }
    await on(page, 'forwardStep');
    await at(events.length);
    for (const start of starts.toReversed()) {
      await on(page, 'backStep');
      await at(start);
    }
    await on(page, 'last');
    await at(events.length);
  });

  it.each(ways)('plays to the end at the speed that was chosen, with $by', async ({ on }) => {
    const { page, events } = await opened(world);
    await view(page, 'playback').locator('select').selectOption('4');
    await page.locator('#run-title').focus();
    await on(page, 'first');
    await playback(page, 1).waitFor();
    await page.evaluate('watched.positions.length = 0');
    const before = await nowMs(page);
    await on(page, 'play');
    await playback(page, events.length).waitFor();
    await press(page, 'play').waitFor();
    const positions = await numbers(page, 'watched.positions');
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    // The run paused before each reply, and so the playback did: a slow page may take longer, none is through sooner.
    expect((await nowMs(page)) - before).toBeGreaterThan((0.99 * lastedMs(events)) / 4);
  });

  it('stops where it is told to, and plays on from there', async () => {
    // It plays for most of a minute, if nobody stops it.
    const { page, events } = await opened(world, unhurried());
    await view(page, 'playback').locator('select').selectOption('0.5');
    await page.locator('#run-title').focus();
    await page.keyboard.press('Home');
    await playback(page, 1).waitFor();
    await page.keyboard.press('Space');
    await playback(page, 1).waitFor({ state: 'detached' });
    await page.keyboard.press('Space');
    await press(page, 'play').waitFor();
    const position = Number(await view(page, 'playback').getAttribute('data-position'));
    expect(position).toBeGreaterThan(1);
    expect(position).toBeLessThan(events.length);
    await view(page, 'playback').locator('select').selectOption('16');
    await press(page, 'play').click();
    await playback(page, events.length).waitFor();
  });

  it.each(['the mouse', 'the keyboard'])('plays with Space a run that was chosen with %s', async (by) => {
    const inspector = await world.inspector();
    const [events, others] = [await recorded(eventful(), 'one'), await recorded(eventful(), 'two')];
    await inspector.show(events);
    await inspector.show(others);
    const page = await world.open(inspector.url);
    for (const [runId, wanted] of [
      ['two', others],
      ['one', events],
    ] as const) {
      const choose = row(page, runId).locator('.run-choose');
      await (by === 'the mouse' ? choose.click() : choose.press('Enter'));
      await page.locator(`main [data-run="${runId}"] #run-title:focus`).waitFor();
      await whole(page, wanted);
    }
    await view(page, 'playback').locator('select').selectOption('16');
    await row(page, 'one').locator('.run-choose').click();
    await page.locator('#run-title:focus').waitFor();
    await page.keyboard.press('Home');
    await playback(page, 1).waitFor();
    await page.keyboard.press('Space');
    await playback(page, events.length).waitFor();
  });

  it('opens a long run at its ending', async () => {
    const { page } = await opened(world, long(200));
    await view(page, 'steps').locator('.step').first().waitFor();
    expect(await page.evaluate("document.querySelector('.run-story').scrollTop")).toBe(0);
    expect(await page.locator('[data-part="final-answer"]').isVisible()).toBe(true);
  });

  it('chooses steps, opens and closes them with the keys', async () => {
    const { page, events } = await opened(world);
    const isOpen = (number: number) => step(page, number).getAttribute('data-open');
    await page.keyboard.press('Home');
    await playback(page, 1).waitFor();
    await page.keyboard.press('End');
    await playback(page, events.length).waitFor();
    const last = viewOf(events).steps.length;
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('o');
    await soon(() => isOpen(last - 1)).toBe('true');
    await page.keyboard.press('o');
    await soon(() => isOpen(last - 1)).toBe('false');
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    // The keys of the page rest while the help is open.
    await page.keyboard.press('Home');
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    expect(await view(page, 'playback').getAttribute('data-position')).toBe(String(events.length));
  });
});
