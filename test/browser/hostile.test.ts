/** Text of models and tools is text, wherever it stands: nothing of it runs, and no element is made of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TraceEvent } from '../../src/core/trace.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { fuseloop } from '../cli/command.ts';
import { anyInput, type Setup } from '../shell/setup.ts';
import { drawn, playback, view, whole } from './places.ts';
import { liveAgent, recorded, viewOf } from './runs.ts';
import { inBrowser, soon, type World } from './world.ts';

/** Each would set `hacked`, ask another host, or turn the line around, if it were taken for more than a text. */
const attacks = [
  `<img src=x onerror="window.hacked='img'">`,
  `</script><script>window.hacked='script'</script>`,
  `--><!-- fuseloop-runs --><svg onload="window.hacked='svg'">`,
  `<a href="javascript:window.hacked='link'">javascript:window.hacked='link'</a>`,
  `<iframe src="http://evil.invalid/"></iframe><link rel=stylesheet href="http://evil.invalid/a.css">`,
  `{{constructor.constructor("window.hacked=1")()}} \${window.hacked=2} <%= hacked %>`,
  '<style>*{display:none}</style><base href="http://evil.invalid/"><form action="http://evil.invalid/">',
  '\u202eesrever\u202c \u2066isolated\u2069 \u001b[31mred\u0007',
  `"'\`><math><mtext></style><img src onerror=window.hacked=3>`,
];
const all = attacks.join(' ');

/** In a name: what a file system and a tool's name let through. */
const inName = '<img src=x onerror=window.hacked=4>';

const hostile = (): Setup => ({
  agent: {
    policy: 'ask',
    dialect: 'json',
    instructions: all,
    budget: { maxSteps: 20, maxViolations: 5, maxToolErrors: 9 },
    checkAnswer: refusesOnce(),
  },
  tools: {
    [inName]: tool({ inputSchema: anyInput, description: all, execute: () => ({ [all]: all, list: attacks }) }),
    save: tool({ inputSchema: anyInput, sideEffect: true, execute: () => all }),
    fail: tool({
      inputSchema: anyInput,
      execute: () => {
        throw new TypeError(all, { cause: new Error(all) });
      },
    }),
    strict: tool({
      inputSchema: { type: 'object', properties: { [all]: { type: 'number' } }, required: [all] },
      execute: () => '',
    }),
  },
  replies: [
    json(inName, { [all]: all, nested: { [inName]: attacks } }),
    all,
    json('save', { path: all }),
    json('fail', { text: all }),
    json('strict', { [all]: all }),
    json(`${inName} ${attacks[1]}`, { a: all }),
    { text: all.slice(0, 40), failure: { failure: 'broke_off', message: all, hint: all, retry: { afterMs: 0 } } },
    json('final_answer', all),
    json('final_answer', all),
  ],
});

function refusesOnce() {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1 ? all : { note: all };
  };
}

const json = (name: string, input: unknown) => JSON.stringify({ thought: all, action: name, action_input: input });

/** Elements that the page itself never makes, attributes that it never sets, and addresses that it never names. */
const foreignElements = `[...document.querySelectorAll('*')].filter((one) =>
  ['IMG', 'IFRAME', 'LINK', 'BASE', 'A', 'OBJECT', 'EMBED', 'MATH', 'VIDEO'].includes(one.tagName.toUpperCase()) ||
  [...one.attributes].some(({ name, value }) => name.startsWith('on') || name === 'href' || name === 'src' && value !== '') ||
  (one.tagName === 'SCRIPT' && one.type === '' && document.scripts.length > 2) ||
  (one.tagName === 'STYLE' && one.parentElement !== document.head) ||
  (one.tagName === 'FORM' && !one.matches('[data-decide-call]'))).map((one) => one.outerHTML.slice(0, 200))`;

/** Texts with characters that are made not to be seen. */
const unseen = `[...document.querySelectorAll('body :not(script)')].flatMap((one) =>
  [...one.childNodes].filter((node) => node.nodeType === 3 && /[\\u202e\\u2066\\u001b]/.test(node.data))
    .map(() => one.outerHTML.slice(0, 300)))`;

/** Everything that can be unfolded, unfolded; what stands in the page then. */
async function unfoldAll(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Open all' }).click();
  await page.locator('.step[data-open="true"]').first().waitFor();
  // One inside the other.
  for (let depth = 0; depth < 8; depth++) {
    const opened = await page.evaluate(`(() => {
      const folded = [...document.querySelectorAll('main [aria-expanded="false"]')];
      const more = [...document.querySelectorAll('main .prompt-tools .link')].filter((one) => /Show/.test(one.textContent));
      for (const one of [...folded, ...more]) one.click();
      return folded.length + more.length;
    })()`);
    await drawn(page);
    if (opened === 0) break;
  }
  return (await page.locator('body').textContent()) ?? '';
}

async function expectTexts(page: Page): Promise<void> {
  const told = await unfoldAll(page);
  for (const attack of attacks.slice(0, 7)) expect(told, attack).toContain(attack);
  // What would turn the line around, or command a terminal, stands as an escape.
  expect(told).toContain('\\u202eesrever');
  expect(await page.evaluate(unseen)).toEqual([]);
  expect(await page.evaluate(foreignElements)).toEqual([]);
  expect(await page.evaluate('String(window.hacked)')).toBe('undefined');
  expect(await page.title()).not.toContain('<');
}

async function hostileTrace(): Promise<readonly TraceEvent[]> {
  const events = await recorded({ ...hostile(), agent: { ...hostile().agent } }, 'hostile');
  const kinds = new Set(events.map(({ type }) => type));
  for (const kind of ['approval.granted', 'call.settled', 'reply.failed', 'answer.rejected', 'answer.accepted'])
    expect(kinds).toContain(kind);
  return events;
}

inBrowser('hostile text in the page', (world: World) => {
  it('is text in a live run, while a person decides and afterwards', async () => {
    const inspector = await world.inspector({ by: all });
    const { replies, tools = {}, agent: options } = hostile();
    const { agent, events } = liveAgent({ ...options, tools, model: scriptedModel(replies, { name: all }) });
    const page = await world.open(inspector.url);
    const started = agent.start(all);
    inspector.watch(started, { decidable: true });
    // The first call waits as well: nothing says that it only reads.
    await view(page, 'deciding').waitFor();
    expect(await page.evaluate(foreignElements)).toEqual([]);
    expect(await approvedAll(page, events)).toBe(3);
    expect((await started.outcome).stopReason).toBe('final');
    await whole(page, events);
    await expectTexts(page);
  });

  it('is text in a recorded run, at each of its events', async () => {
    const events = await hostileTrace();
    const inspector = await world.inspector();
    await inspector.show(events, { file: `${inName}.jsonl` });
    const page = await world.open(inspector.url);
    await whole(page, events);
    await expectTexts(page);
    for (let position = events.length - 1; position >= 1; position--) {
      await page.keyboard.press('ArrowLeft');
      await playback(page, position).waitFor();
      expect(await page.evaluate(foreignElements), `event ${position}`).toEqual([]);
    }
  });

  it('is text in the file that --html writes, which asks for nothing', async () => {
    const trace = join(world.folder, `${inName}.jsonl`);
    const html = join(world.folder, 'runs.html');
    const events = await hostileTrace();
    writeFileSync(trace, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const { code, stderr } = await fuseloop(['inspect', trace, '--html', html]);
    expect(code, stderr).toBe(0);
    const before = world.requests.length;
    const page = await world.open(pathToFileURL(html).href);
    await whole(page, events);
    await expectTexts(page);
    await page.getByRole('button', { name: 'Help and keys' }).click();
    await page.locator('dialog[open]').waitFor();
    expect(world.requests.slice(before)).toEqual([pathToFileURL(html).href]);
  });
});

/** Approves in the page each call that waits, once, until the run is over. Gives how many there were. `events` grows. */
async function approvedAll(page: Page, events: readonly TraceEvent[]): Promise<number> {
  const decided = new Set<string>();
  const next = () => {
    const { phase, steps } = viewOf(events);
    if (phase === 'ended') return null;
    const waits = steps.at(-1)?.calls.find((call) => call.approval?.decision === null && !decided.has(call.callId));
    return waits?.callId;
  };
  for (;;) {
    await soon(next).not.toBe(undefined);
    const callId = next();
    if (callId === null) return decided.size;
    if (callId === undefined) continue;
    decided.add(callId);
    await page.locator(`[data-decide-call="${callId}"] [data-decide="approve"]`).click();
  }
}
