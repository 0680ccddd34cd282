/** What runs and steps cost, on the page: where somebody says what models cost, and nowhere else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { recordedRuns } from '../../src/observe/inspect/embedded.ts';
import type { Prices } from '../../src/observe/report/metrics.ts';
import { costText } from '../../src/observe/report/words.ts';
import { step, whole } from './places.ts';
import { eventful, recorded, viewOf } from './runs.ts';
import { inBrowser } from './world.ts';

const prices: Prices = {
  script: { inputPerMillion: 3, outputPerMillion: 15 },
  '</script><script>window.hacked = 1</script>': { inputPerMillion: 1, outputPerMillion: 1 },
};
const worth = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
  costText((3 * inputTokens + 15 * outputTokens) / 1_000_000);

const factsOf = (page: Page) => page.locator('.run-facts-list').textContent();

inBrowser('what a run cost', (world) => {
  const served = async (given: { readonly prices?: Prices }) => {
    const events = await recorded(eventful());
    const inspector = await world.inspector(given);
    await inspector.show(events);
    const page = await world.open(inspector.url);
    await whole(page, events);
    return { page, view: viewOf(events) };
  };

  it('is told of the run and of each step', async () => {
    const { page, view } = await served({ prices });
    expect(await factsOf(page)).toMatch(new RegExp(`Cost\\s*${worth(view.usage)}`));
    const first = view.steps.find(({ tries }) => tries.length === 1);
    if (first === undefined) throw new Error('No step has one try.');
    await step(page, first.number).locator('.step-line').click();
    expect(await step(page, first.number).locator('[data-part=facts]').textContent()).toContain(
      `Cost ${worth(first.tokens)}`,
    );
  });

  it('is left out where no prices are known', async () => {
    const { page } = await served({});
    expect(await factsOf(page)).not.toContain('Cost');
  });

  it('names the models that have no price', async () => {
    const { page } = await served({ prices: { other: { inputPerMillion: 1, outputPerMillion: 1 } } });
    expect(await factsOf(page)).toMatch(/Cost\s*0\.00 without script/);
  });

  it('stands in the page that is one file', async () => {
    const events = await recorded(eventful());
    const runs = await recordedRuns({ prices });
    await runs.show(events, { file: 'run.jsonl' });
    const file = join(world.folder, 'priced.html');
    writeFileSync(file, [...runs.html()].join(''));
    const page = await world.open(pathToFileURL(file).href);
    await whole(page, events);
    expect(await factsOf(page)).toMatch(new RegExp(`Cost\\s*${worth(viewOf(events).usage)}`));
  });
});
