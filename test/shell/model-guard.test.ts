/** A model adapter that breaks its contract is blamed by name, and the run ends as promised. */
import { describe, expect, it } from 'vitest';
import type { Model, ModelEvent } from '../../src/core/model.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { answer, setup } from './setup.ts';

const end = { type: 'end', finish: 'stop', usage: null } as const;
const text = { type: 'text', text: answer('42') } as const;
const failure = { type: 'failed', failure: 'refused', message: 'no', hint: '' } as const;
const throwing = Object.defineProperty({}, 'type', {
  get() {
    throw new Error('boom');
  },
});
const odd = (generate: () => unknown): Model => ({
  provider: 'odd',
  name: 'odd',
  generate: generate as Model['generate'],
});
const yields = (...events: unknown[]) =>
  odd(async function* () {
    yield* events as ModelEvent[];
  });

describe('a breach', () => {
  it.each<[string, Model, string]>([
    [
      'generate throws',
      odd(() => {
        throw new Error('boom');
      }),
      'odd threw: boom',
    ],
    ['generate gives nothing', odd(() => undefined), 'odd threw'],
    [
      'next throws',
      odd(() => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            throw new Error('boom');
          },
        }),
      })),
      'odd threw: boom',
    ],
    [
      'next rejects',
      odd(() => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('boom')) }) })),
      'odd threw: boom',
    ],
    ['next gives no result', odd(() => ({ [Symbol.asyncIterator]: () => ({ next: () => null }) })), 'odd threw'],
    ['a value that is no event', yields(null), 'not a model event'],
    ['an event of no known type', yields({ type: 'banana' }), 'not a model event'],
    ['a text that is none', yields({ type: 'text', text: 7 }), 'not a model event'],
    ['an end that is not known', yields(text, { ...end, finish: 'max_tokens' }), 'not a model event'],
    ['an end of ours', yields(text, { ...end, finish: 'cut' }), 'not a model event'],
    ['an end without a word', yields(text, { type: 'end', usage: null }), 'not a model event'],
    ['a failure that is not known', yields({ ...failure, failure: 'banana' }), 'not a model event'],
    ['a failure without words', yields({ ...failure, message: 7 }), 'not a model event'],
    ['a retry that is none', yields({ ...failure, retry: 5 }), 'not a model event'],
    ['a getter that throws', yields(throwing), 'not a model event'],
    [
      'a call without a place',
      yields({ type: 'call', index: 0.5, id: null, tool: 'x', input: '' }),
      'not a model event',
    ],
    [
      'names without end',
      yields(...Array(200).fill({ type: 'model', provider: 'p', name: 'n' })),
      'more than 100 times',
    ],
    ['no end mark', yields(text), 'stopped without an end mark'],
  ])('%s', async (_what, model, message) => {
    const { clock, agent } = setup({ replies: [], agent: { model } });
    const outcome = await clock.until(agent.run('the task'));
    expect(outcome).toMatchObject({
      ok: false,
      stopReason: 'model_error',
      error: { code: 'model_failed', message: expect.stringContaining(message) },
    });
    expect(clock.armed).toBe(0);
  });

  it.each<[string, Model]>([
    ['events after the end', yields(text, end, text, end)],
    ['a usage that is no number', yields(text, { ...end, usage: { inputTokens: Number.NaN, outputTokens: -1 } })],
    [
      'a return that hangs',
      odd(() => {
        const events = [text, end];
        return {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: false, value: events.shift() }),
            return: () => new Promise(() => {}),
          }),
        };
      }),
    ],
    [
      'a return that throws',
      odd(() => {
        const events = [text, end];
        return {
          [Symbol.asyncIterator]: () => ({
            next: async () => ({ done: false, value: events.shift() }),
            return: () => {
              throw new Error('no');
            },
          }),
        };
      }),
    ],
  ])('%s does no harm', async (_what, model) => {
    const { clock, agent } = setup({ replies: [], agent: { model } });
    expect(await clock.until(agent.run('the task'))).toMatchObject({
      ok: true,
      answer: '42',
      usage: { estimated: true },
    });
    expect(clock.armed).toBe(0);
  });
});

describe('an invented observation', () => {
  it('is cut as soon as text follows it, and never believed', async () => {
    let pulled = 0;
    let aborted: AbortSignal | undefined;
    const pieces = ['Thought: t\nAction: look\nAction Input: {}\n', 'Observation:', ' 99\n', answer('99'), ' and on'];
    const chatty: Model = {
      provider: 'chatty',
      name: 'chatty',
      async *generate({ signal, step }) {
        if (step > 1) return yield* [{ type: 'text', text: answer('seen') } as const, end];
        aborted = signal;
        for (const piece of pieces) {
          pulled++;
          yield { type: 'text', text: piece };
        }
        yield end;
      },
    };
    const { clock, agent } = setup({ replies: [], agent: { model: chatty } });
    const outcome = await clock.until(agent.run('the task'));
    expect(outcome).toMatchObject({ ok: true, answer: 'seen' });
    expect(pulled).toBe(3);
    expect(aborted?.aborted).toBe(true);
    expect(JSON.stringify(outcome.steps)).not.toContain('99');
  });

  it('that has no text behind it leaves the reply alone to its end', async () => {
    let finished = false;
    const polite: Model = {
      provider: 'polite',
      name: 'polite',
      async *generate({ step, signal }) {
        yield {
          type: 'text',
          text: step > 1 ? answer('seen') : 'Thought: t\nAction: look\nAction Input: {}\nObservation:',
        };
        yield end;
        finished = !signal.aborted;
      },
    };
    const { clock, agent } = setup({ replies: [], agent: { model: polite } });
    expect(await clock.until(agent.run('the task'))).toMatchObject({ ok: true, usage: { steps: 2 } });
    expect(finished).toBe(false); // returned from, not run on; and its signal was never aborted
  });
});

it('a model that wraps another passes the signal on, also by a spread', async () => {
  const inner = scriptedModel([{ hang: true }]);
  let signal: AbortSignal | undefined;
  const wrapper: Model = {
    provider: 'wrapper',
    name: 'wrapper',
    generate(request) {
      const passed = { ...request, temperature: 1 };
      ({ signal } = passed);
      return inner.generate(passed);
    },
  };
  const { clock, agent } = setup({ replies: [], agent: { model: wrapper } });
  const run = agent.start('the task');
  await clock.calm();
  expect(signal?.aborted).toBe(false);
  run.abort();
  expect(signal?.aborted).toBe(true);
});
