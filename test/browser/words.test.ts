/** What the page says in words, in both languages: names of states, decisions that are not taken, and what of a run is not there. */
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput } from '../shell/setup.ts';
import { chart, run, view } from './places.ts';
import { eventful, liveAgent, recorded, viewOf } from './runs.ts';
import { inBrowser, soon, texts, type World } from './world.ts';

const chinese = { locale: 'zh-CN' };
const hasChinese = /\p{Script=Han}/u;

/** Waits until all events are there: what is looked at once does not change any more. */
async function shownWhole(page: Page, events: readonly TraceEvent[]): Promise<void> {
  const { phase, stopReason } = viewOf(events);
  await run(page, phase, stopReason ?? '').waitFor();
  await page.locator(`[data-view="playback"][data-length="${events.length}"]`).waitFor();
}

/** A call that waits, in a page in Chinese. `sent` is what becomes of the decision on its way. */
async function decided(world: World, sent: (route: Route, run: { deny(callId: string): void }) => Promise<void>) {
  const inspector = await world.inspector();
  const model = scriptedModel([act('save', { path: 'a.txt' }), answer('done')]);
  const save = tool({ inputSchema: anyInput, sideEffect: true, execute: () => 'saved' });
  const { agent } = liveAgent({ model, tools: { save }, policy: 'ask' });
  const page = await world.open(inspector.url, { ...chinese, expects: /40[039]|415|Failed to load/ });
  const started = agent.start('Save it.');
  inspector.watch(started, { decidable: true });
  await view(page, 'deciding').waitFor();
  await page.route('**/decisions*', (route) => sent(route, started));
  await page.locator('[data-decide="approve"]').click();
  const told = page.locator('[data-part="refusal"], [data-part="late"]').first();
  await told.waitFor();
  const text = (await told.textContent()) ?? '';
  started.abort();
  await started.outcome;
  return text;
}

const sends = (decision: unknown) => (route: Route) => route.continue({ postData: JSON.stringify(decision) });

const refusals: readonly {
  readonly code: string;
  readonly sent: Parameters<typeof decided>[1];
  readonly says: RegExp;
}[] = [
  {
    code: 'forbidden',
    sent: (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/token=\w+/, 'token=wrong'),
      }),
    says: /令牌或来源不对/,
  },
  { code: 'not_awaiting', sent: sends({ kind: 'approve', callId: '9.9' }), says: /并不在等待决定/ },
  { code: 'redacted', sent: sends({ kind: 'approve', callId: '1.1', input: '[redacted]' }), says: /代表一个秘密/ },
  { code: 'no_decision', sent: sends({ kind: 'other' }), says: /这不是一个决定/ },
  {
    code: 'run_over',
    async sent(route, started) {
      started.deny('1.1');
      await soon(() => route.request().frame().page().locator('[data-phase="ended"]').count()).toBe(1);
      await route.continue();
    },
    says: /运行已结束/,
  },
  { code: 'no server', sent: (route) => route.abort(), says: /无法连接服务器/ },
  { code: 'no answer of ours', sent: (route) => route.fulfill({ status: 409, body: 'no' }), says: /应答为 409/ },
];

inBrowser('the page in words', (world) => {
  it('names each state of the machine in Chinese, beside its own name', async () => {
    const inspector = await world.inspector();
    const events = await recorded(eventful());
    await inspector.show(events);
    const page = await world.open(inspector.url, chinese);
    await shownWhole(page, events);
    const labels = await texts(
      page,
      `[...document.querySelectorAll('[data-state]')].map((one) => one.dataset.state + ' ' + one.querySelector('text').textContent)`,
    );
    expect(labels).toHaveLength(12);
    for (const label of labels) {
      const [name = '', ...said] = label.split(' ');
      expect(said.join(' ')).toContain(name.split('.').at(-1));
      expect(said.join(' '), name).toMatch(hasChinese);
    }
    const titles = await texts(
      page,
      `[...document.querySelectorAll('[data-state] > title')].map((one) => one.textContent)`,
    );
    expect(titles).toHaveLength(12);
    for (const title of titles) expect(title).toMatch(hasChinese);
    await soon(() => chart(page).locator('figcaption').textContent()).toBe('状态机处于 FINAL（完成）。');
  });

  it.each(refusals)('says in Chinese why a decision was not taken: $code', async ({ sent, says }) => {
    expect(await decided(world, sent)).toMatch(says);
  });

  it.each([
    {
      what: 'the beginning',
      kept: (_: TraceEvent, place: number) => place > 11,
      part: 'beginning',
      english: /beginning of this run is not here: 12 events/,
      zh: /开头不在这里：缺少 12 个事件/,
      gauge: '/ ?',
    },
    {
      what: 'the middle',
      kept: (_: TraceEvent, place: number) => place < 5 || place > 14,
      part: 'missing',
      english: /10 events are missing from this trace.*without them/,
      zh: /缺少 10 个事件.*不包括/,
      gauge: '~',
    },
  ])('says in both languages that $what is missing, and that texts were cut', async (row) => {
    const inspector = await world.inspector();
    const cut = (event: TraceEvent, place: number): TraceEvent => (place < 3 ? { ...event, cut: true } : event);
    const events = (await recorded(eventful())).filter(row.kept).map(cut);
    await inspector.show(events);
    const page = await world.open(inspector.url, { locale: 'en-GB' });
    await shownWhole(page, events);
    const told = (part: string) => page.locator(`.run-gaps [data-part="${part}"]`).textContent();
    expect(await told(row.part)).toMatch(row.english);
    expect(await told('cut')).toMatch(/In 3 events long texts were cut/);
    expect(await page.locator('.run-gaps li').count()).toBe(2);
    // No number is taken for more than it is.
    expect(await page.locator('[data-gauge="steps"] .gauge-value').textContent()).toContain(row.gauge);
    expect(await view(page, 'runs').locator('.run-incomplete').textContent()).toBe('incomplete');
    await page.locator('[data-press="language"]').click();
    await page.locator('html[lang="zh-CN"]').waitFor();
    await soon(() => told(row.part)).toMatch(row.zh);
    expect(await told('cut')).toMatch(/有 3 个事件的长文本被截断/);
  });

  it('says of a whole run nothing of the kind', async () => {
    const inspector = await world.inspector();
    const events = await recorded(eventful());
    await inspector.show(events);
    const page = await world.open(inspector.url);
    await shownWhole(page, events);
    expect(await page.locator('.run-gaps').count()).toBe(0);
    expect(await page.locator('.run-incomplete').count()).toBe(0);
  });
});
