/** Everybody can use the page: with a screen reader, in the dark, on a phone, in both languages. axe-core says what it finds. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { scriptedModel } from '../../src/models/scripted.ts';
import { act, answer, returns } from '../shell/setup.ts';
import { drawn, press, row, step, view, whole } from './places.ts';
import { eventful, liveAgent, recorded } from './runs.ts';
import { inBrowser, type Opening, soon, type World } from './world.ts';

const looks: readonly (readonly [name: string, options: Opening])[] = [
  ['in the light', { colorScheme: 'light' }],
  ['in the dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true }],
  [
    'in Chinese, in the dark, on a phone',
    { viewport: { width: 390, height: 844 }, locale: 'zh-CN', colorScheme: 'dark' },
  ],
];

/** What axe-core finds in there that keeps somebody out: rule, and where. */
async function found(page: Page, within: string): Promise<unknown> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  return page.evaluate(`axe.run('${within}', { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
}

/** The page does not go over the edge of the screen. */
async function expectReach(page: Page, what: string, within = 'html'): Promise<void> {
  expect(await found(page, within), what).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${what}: its width`).toBe(true);
}

/** A page with two runs, when all of the one that it shows is there. */
async function twoRuns(world: World, options?: Opening): Promise<Page> {
  const inspector = await world.inspector();
  const events = await recorded(eventful(), 'a long one');
  await inspector.show(events, { file: 'one.jsonl' });
  await inspector.show(await recorded({ ...eventful(), replies: eventful().replies.slice(4) }, 'other'));
  const page = await world.open(inspector.url, options);
  await row(page, 'other').waitFor();
  await whole(page, events);
  return page;
}

/** Everything in the step, one after the other. */
async function unfold(page: Page, number: number): Promise<void> {
  await step(page, number).locator('[data-part="events"]').waitFor();
  const folded = step(page, number).locator('.fold-title[aria-expanded="false"]');
  for (; (await folded.count()) > 0; await drawn(page)) await folded.first().click();
  await step(page, number).locator('.raw-event').first().waitFor();
}

inBrowser('the page is open to everybody', (world) => {
  it('as far as axe-core sees, which sees what is wrong', async () => {
    const page = await twoRuns(world);
    await page.evaluate("document.querySelector('main').append(document.createElement('input'))");
    expect(JSON.stringify(await found(page, 'html'))).toContain('label');
  });

  it.each(looks)('%s', async (_name, options) => {
    const empty = await world.open((await world.inspector()).url, options);
    await empty.locator('[data-connection="open"]').waitFor();
    await view(empty, 'runs').locator('.empty').waitFor();
    await drawn(empty);
    await expectReach(empty, 'without runs');

    const page = await twoRuns(world, options);
    await expectReach(page, 'a run');
    await view(page, 'steps').locator('.steps-tools button').first().click();
    await unfold(page, 1);
    await expectReach(page, 'steps unfolded');
    await press(page, 'help').click();
    await page.locator('dialog[open]').waitFor();
    await drawn(page);
    await expectReach(page, 'help', 'dialog');
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.locator('.run-compare').first().click();
    const ended = view(page, 'comparison').locator('.compared-run [data-status="final"]');
    await soon(() => ended.count()).toBe(2);
    await drawn(page);
    await expectReach(page, 'two runs');
  });

  it.each(looks)('%s, where a person is asked', async (_name, options) => {
    const inspector = await world.inspector();
    const { agent, events } = liveAgent({
      model: scriptedModel([act('save', { path: 'a.txt' }), answer('done')]),
      tools: { save: returns('saved', { sideEffect: true }) },
      policy: 'ask',
    });
    const page = await world.open(inspector.url, options);
    const started = agent.start('Save it.');
    inspector.watch(started, { decidable: true });
    await page.locator('[data-decide-call] textarea').fill('{"path": ');
    await page.locator('[aria-invalid="true"]').waitFor();
    await whole(page, events);
    await expectReach(page, 'deciding');
    started.abort();
    await started.outcome;
  });

  it('by the keyboard alone: everything that can be pressed is reached, and shows that it is', async () => {
    const page = await twoRuns(world);
    const wanted =
      await page.evaluate(`[...document.querySelectorAll('button, input, select, textarea, [tabindex="0"]')]
      .filter((one) => !one.disabled && one.getClientRects().length > 0).length`);
    const reached = await page.evaluate('window.reached = new Set(), 0');
    expect(reached).toBe(0);
    let isOver = false;
    for (let count = 0; count <= Number(wanted) + 1 && !isOver; count++) {
      await page.keyboard.press('Tab');
      isOver =
        (await page.evaluate(`(() => {
        const { activeElement } = document;
        if (activeElement === document.body || reached.has(activeElement)) return true;
        reached.add(activeElement);
        const { outlineStyle, boxShadow } = getComputedStyle(activeElement);
        if (outlineStyle === 'none' && boxShadow === 'none' && !activeElement.closest('label, .run-row')?.matches(':focus-within'))
          throw new Error('no focus to be seen: ' + activeElement.outerHTML.slice(0, 200));
        return false;
      })()`)) === true;
    }
    expect(await page.evaluate('reached.size')).toBe(wanted);
  });
});
