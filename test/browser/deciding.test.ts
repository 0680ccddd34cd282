/** A person decides in the page, and the run goes on as was decided. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput } from '../shell/setup.ts';
import { bundled } from '../support/bundled.ts';
import { drawn, run, view } from './places.ts';
import { liveAgent } from './runs.ts';
import { inBrowser, type Opening, soon, type World } from './world.ts';

interface Waiting {
  readonly page: Page;
  readonly started: ReturnType<ReturnType<typeof liveAgent>['agent']['start']>;
  /** The inputs that ran. */
  readonly saved: unknown[];
  /** The last message that the model was given. */
  readonly told: () => string;
  readonly decisions: readonly string[];
}

/** A run that waits for a person, and the page in which it does. */
async function waiting(world: World, options?: Opening): Promise<Waiting> {
  const inspector = await world.inspector({ by: 'ann' });
  const saved: unknown[] = [];
  const model = scriptedModel([act('save', { path: 'a.txt', lines: 3 }), answer('done')]);
  const save = tool({ inputSchema: anyInput, sideEffect: true, execute: (input) => saved.push(input) });
  const { agent } = liveAgent({ model, tools: { save }, policy: 'ask' });
  const page = await world.open(inspector.url, options);
  const decisions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') decisions.push(bodyOf(request));
  });
  const started = agent.start('Save it.');
  inspector.watch(started, { decidable: true });
  await view(page, 'deciding').waitFor();
  return { page, started, saved, decisions, told: () => model.requests.at(-1)?.messages.at(-1)?.content ?? '' };
}

const bodyOf = (request: Request) => request.postData() ?? '';
const button = (page: Page, name: string) => page.locator(`[data-decide="${name}"]`);
const input = (page: Page) => page.locator('[data-decide-call] textarea');

/** How far the state that is lit reaches out of what is to be seen of the chart, in pixels. */
const litOutOfSight = `(() => {
  const box = document.querySelector('.state:not(.kind-outer)[data-lit] .box').getBoundingClientRect();
  const seen = document.querySelector('.run-side').getBoundingClientRect();
  const main = document.querySelector('main').getBoundingClientRect();
  return Math.max(0, seen.top - box.top, box.bottom - Math.min(seen.bottom, main.bottom, innerHeight));
})()`;

inBrowser('a decision in the page', (world) => {
  it.each([900, 768, 640])('leaves the state that is lit in sight, in a window %i high', async (height) => {
    const { page, started } = await waiting(world, { viewport: { width: 1280, height } });
    await page.locator('[data-state="ACTION.awaitingApproval"][data-lit]').waitFor();
    await soon(() => page.evaluate(litOutOfSight)).toBe(0);
    // And in one that becomes lower meanwhile.
    await page.setViewportSize({ width: 1280, height: 640 });
    await page.waitForFunction('innerHeight === 640');
    await soon(() => page.evaluate(litOutOfSight)).toBe(0);
    started.abort();
    await started.outcome;
  });

  it('lets the call run as it was asked', async () => {
    const { page, started, saved } = await waiting(world);
    expect(saved).toEqual([]);
    await button(page, 'approve').click();
    expect((await started.outcome).stopReason).toBe('final');
    expect(saved).toEqual([{ path: 'a.txt', lines: 3 }]);
    await run(page, 'ended', 'final').waitFor();
    await view(page, 'deciding').waitFor({ state: 'detached' });
  });

  it('lets the call run as it was edited', async () => {
    const { page, started, saved } = await waiting(world);
    await input(page).fill('{"path":"b.txt","lines":4}');
    await button(page, 'approve').click();
    expect((await started.outcome).stopReason).toBe('final');
    expect(saved).toEqual([{ path: 'b.txt', lines: 4 }]);
    await run(page, 'ended', 'final').waitFor();
    await page.locator('.step[data-step="1"] .step-line').click();
    await soon(() => page.locator('[data-decision="granted"]').textContent()).toContain('Approved by ann');
  });

  it('is what stands there, and is sent once, also where the page has drawn nothing since', async () => {
    const { page, started, saved, decisions } = await waiting(world);
    await page.evaluate(`(() => {
      const field = document.querySelector('[data-decide-call] textarea');
      field.value = '{"path":"c.txt"}';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.form.requestSubmit();
      field.form.requestSubmit();
    })()`);
    expect((await started.outcome).stopReason).toBe('final');
    expect(saved).toEqual([{ path: 'c.txt' }]);
    await soon(() => decisions).toEqual(['{"kind":"approve","callId":"1.1","input":{"path":"c.txt"}}']);
  });

  it('refuses an edit that is no JSON, and sends nothing', async () => {
    const { page, started, saved, decisions } = await waiting(world);
    await input(page).fill('{"path": ');
    await page.getByText('This is not JSON').waitFor();
    expect(await button(page, 'approve').isDisabled()).toBe(true);
    expect(await input(page).getAttribute('aria-invalid')).toBe('true');
    await input(page).press('Control+Enter');
    await drawn(page);
    await page.getByRole('button', { name: 'As it was' }).click();
    await button(page, 'approve').click();
    expect((await started.outcome).stopReason).toBe('final');
    // The browser tells of a request when it has time to.
    await soon(() => decisions).toEqual(['{"kind":"approve","callId":"1.1"}']);
    expect(saved).toEqual([{ path: 'a.txt', lines: 3 }]);
  });

  it('denies the call, and the model is told why', async () => {
    const { page, started, saved, told } = await waiting(world);
    await page.getByLabel('Reason (the model is told)').fill('not on a Friday');
    await button(page, 'deny').click();
    expect((await started.outcome).stopReason).toBe('final');
    expect(saved).toEqual([]);
    expect(told()).toContain('not on a Friday');
    await run(page, 'ended', 'final').waitFor();
  });

  it('aborts the run, after it asked once more', async () => {
    const { page, started, saved } = await waiting(world);
    await button(page, 'abort').click();
    await page.getByText('Abort: are you sure?').waitFor();
    await button(page, 'abort').click();
    expect((await started.outcome).stopReason).toBe('aborted');
    expect(saved).toEqual([]);
    await run(page, 'ended', 'aborted').waitFor();
  });

  it('that comes too late changes nothing, and the page says what the server said', async () => {
    const { page, started, saved } = await waiting(world, { expects: /409/ });
    // Held up on its way, while the program itself decides.
    await page.route('**/decisions*', async (route) => {
      started.deny('1.1', 'decided elsewhere');
      await started.outcome;
      await route.continue();
    });
    await button(page, 'approve').click();
    await run(page, 'ended', 'final').waitFor();
    await view(page, 'deciding').waitFor({ state: 'detached' });
    const told = page.getByRole('alert').filter({ hasText: 'The run is over: nothing can be decided any more.' });
    await told.waitFor();
    expect(saved).toEqual([]);
    await told.getByRole('button', { name: 'Close' }).click();
    await told.waitFor({ state: 'detached' });
  });

  it('lets the demonstration of the command line go on, which then ends well', async () => {
    const child = spawn(process.execPath, [bundled('src/cli/main.ts'), 'run', '--demo', 'rollback', '--inspect'], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: { ...process.env, FUSELOOP_DEMO_PACE: '0' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    await soon(() => stderr).toMatch(/Inspector: \S+\n/);
    const page = await world.open(/Inspector: (\S+)/.exec(stderr)?.[1] ?? '');
    await view(page, 'deciding').waitFor();
    await button(page, 'approve').click();
    await run(page, 'ended', 'final').waitFor();
    await page.close();
    expect(await ended, stderr).toBe(0);
    expect(stdout).toContain('was rolled back and runs v2.13.9');
  });
});
