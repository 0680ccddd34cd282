/** What every Model promises (src/core/model.ts), as one suite for all adapters. */
import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FinishReason, Model } from '../../src/core/model.ts';
import { callsOf, collect, lastOf, open, readText, requestOf, textOf } from './asking.ts';

/** How each reply of the model goes in one test: its text, and what comes behind it. */
export interface Situation {
  readonly text: string;
  /** The provider's own calls, behind the text. */
  readonly calls?: readonly { readonly tool: string; readonly input: string }[];
  readonly ending: Exclude<FinishReason, 'cut'> | 'refused' | 'broke_off' | 'silence';
}

export interface ModelUnderTest {
  readonly model: Model;
  close(): Promise<void>;
}

const situations: readonly Situation[] = [
  { text: 'Thought: 思考 🙂\nFinal Answer: 42', ending: 'stop' },
  { text: '', ending: 'stop' },
  { text: 'Thought: it goes on and', ending: 'length' },
  { text: 'Thought: I would', ending: 'content_filter' },
  { text: '', ending: 'refused' },
  { text: 'Thought: it goes', ending: 'broke_off' },
];

const calls = [
  { tool: 'search', input: '{"query":"思考 🙂"}' },
  { tool: 'now', input: '{}' },
];
const withCalls: readonly Situation[] = [
  { text: 'I look.', calls, ending: 'stop' },
  { text: '', calls, ending: 'stop' },
  { text: '', calls: [{ tool: 'search', input: '{"query": ' }], ending: 'length' },
  { text: '', calls: [{ tool: 'search', input: '{"query": ' }], ending: 'broke_off' },
];

/** `cannot` lists what an adapter cannot do, with the reason. */
export function modelContract(
  name: string,
  make: (situation: Situation) => Promise<ModelUnderTest>,
  cannot: { readonly tellTextBeforeTheEnd?: string; readonly makeCalls?: string } = {},
): void {
  async function modelFor(situation: Situation): Promise<Model> {
    const { model, close } = await make(situation);
    onTestFinished(close);
    return model;
  }
  const early = cannot.tellTextBeforeTheEnd === undefined;
  const silence: Situation = { text: 'Thought: wait', ending: 'silence' };

  describe(`the contract of a model: ${name}`, () => {
    test.each(situations)('"$text", then $ending: text, one end mark, nothing after it', async (situation) => {
      const model = await modelFor(situation);
      const { signal } = new AbortController();
      const reply = model.generate(requestOf({ signal }));
      const events = await collect(reply);
      if (early || situation.ending !== 'broke_off') expect(textOf(events)).toBe(situation.text);
      const last = lastOf(events);
      expect(last?.type === 'end' ? last.finish : last?.type === 'failed' && last.failure).toBe(situation.ending);
      expect(events.filter(({ type }) => type === 'end' || type === 'failed')).toHaveLength(1);
      expect(await reply[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });

    test.each(cannot.makeCalls === undefined ? withCalls : [])('"$text" and calls, then $ending', async (situation) => {
      const events = await collect((await modelFor(situation)).generate(requestOf()));
      if (early || situation.ending !== 'broke_off') {
        expect(textOf(events)).toBe(situation.text);
        expect(callsOf(events)).toEqual(situation.calls);
      }
      const last = lastOf(events);
      expect(last?.type === 'end' ? last.finish : last?.type === 'failed' && last.failure).toBe(situation.ending);
    });

    test('a failure says what happened and what to do', async () => {
      const last = lastOf(await collect((await modelFor({ text: '', ending: 'refused' })).generate(requestOf())));
      expect(last).toMatchObject({
        type: 'failed',
        message: expect.stringMatching(/\w+ \w+/),
        hint: expect.stringMatching(/\w+ \w+/),
      });
    });

    test('replies one after another and at once are kept apart', async () => {
      const situation: Situation = { text: 'Thought: yes', ending: 'stop' };
      const model = await modelFor(situation);
      const first = await collect(model.generate(requestOf()));
      const others = await Promise.all([1, 2, 3].map((step) => collect(model.generate(requestOf({ step })))));
      for (const events of [first, ...others]) expect(textOf(events)).toBe(situation.text);
    });

    test('an abort settles a reply that has fallen silent', async () => {
      const model = await modelFor(silence);
      const controller = new AbortController();
      const reply = open(model.generate(requestOf({ signal: controller.signal })));
      if (early) await readText(reply, silence.text.length);
      const pending = reply.next();
      controller.abort();
      expect((await pending).value).toMatchObject({ type: 'failed', failure: 'aborted' });
      expect(await reply.next()).toEqual({ done: true, value: undefined });
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    });

    test('return() settles although a next() is pending', async () => {
      const model = await modelFor(silence);
      const { signal } = new AbortController();
      const reply = open(model.generate(requestOf({ signal })));
      if (early) await readText(reply, silence.text.length);
      const pending = reply.next();
      expect((await reply.leave()).done).toBe(true);
      await pending;
      expect(await reply.next()).toEqual({ done: true, value: undefined });
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });

    test('return() before the first next() leaves nothing behind', async () => {
      const model = await modelFor(silence);
      const { signal } = new AbortController();
      const reply = open(model.generate(requestOf({ signal })));
      await reply.leave();
      expect(await reply.next()).toEqual({ done: true, value: undefined });
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });

    test('a signal that is aborted already ends the reply', async () => {
      const model = await modelFor(silence);
      const last = lastOf(await collect(model.generate(requestOf({ signal: AbortSignal.abort() }))));
      expect(last).toMatchObject({ type: 'failed', failure: 'aborted' });
    });
  });
}
