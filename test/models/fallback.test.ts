/** Which model is asked, and what is told of it, where one after another fails. */
import { expect, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { Model, ModelFailed, ModelFailure } from '../../src/core/model.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { fallback } from '../../src/models/fallback.ts';
import { routeBy } from '../../src/models/route-by.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { virtualClock } from '../../src/testing.ts';
import { collect, lastOf, requestOf, textOf } from './asking.ts';
import { announced, ask, end, failed, replay, telling, text, well } from './fallback-setup.ts';

const failures: readonly (readonly [string, readonly unknown[], ModelFailure])[] = [
  ...(['connection', 'timeout', 'rate_limited', 'refused', 'unreadable', 'broke_off', 'contract'] as const).map(
    (failure) => [failure, [failed(failure)], failure] as const,
  ),
  ['it throws', [new Error('It is broken.')], 'contract'],
  ['it stops without an end mark', [], 'broke_off'],
  ['it yields nothing', [undefined], 'contract'],
  ['it yields a foreign event', [{ type: 'delta', text: 'a' }], 'contract'],
  ['it yields a text without text', [{ type: 'text' }], 'contract'],
  ['it yields an end without a reason', [{ type: 'end', usage: null }], 'contract'],
  ['it yields a failure without words', [{ type: 'failed', failure: 'refused' }], 'contract'],
  ['it yields half a call', [{ type: 'call', index: 0.5, id: null, tool: 'a', input: '' }], 'contract'],
  ['it announces nobody', [{ type: 'model', provider: 'a', name: 'b', insteadOf: {} }], 'contract'],
  ['it yields a retry that is none', [{ ...failed('refused'), retry: 'soon' }], 'contract'],
  ['it yields a failure of its own kind', [{ ...failed('refused'), failure: 'bored' }], 'contract'],
  ['after empty pieces', [text(''), { type: 'reasoning', text: '' }, failed('broke_off')], 'broke_off'],
];

test.each(failures)('the next is asked: %s', async (_, events, failure) => {
  const [first, third] = [telling('a', events), well('c')];
  const told = await ask([first, well('b'), third]);
  expect(announced(told)).toEqual(['a', `b for a: ${failure}`]);
  expect([textOf(told), lastOf(told)]).toEqual(['b', end]);
  expect([first.asked, third.asked]).toEqual([[1], []]);
});

test('what is told of who failed: all but the wait', async () => {
  const told = await ask([telling('a', [failed('rate_limited', { afterMs: 9_000 })]), well('b')]);
  expect(told.filter(({ type }) => type === 'model')).toEqual([
    { type: 'model', provider: 'a-provider', name: 'a' },
    {
      type: 'model',
      provider: 'b-provider',
      name: 'b',
      insteadOf: {
        provider: 'a-provider',
        name: 'a',
        failure: 'rate_limited',
        message: 'It was rate_limited.',
        hint: 'See to rate_limited.',
      },
    },
  ]);
});

const begun: readonly (readonly [string, unknown])[] = [
  ['text', text('x')],
  ['reasoning', { type: 'reasoning', text: 'hm' }],
  ['a call', { type: 'call', index: 0, id: null, tool: '', input: '' }],
];

test.each(begun)('a failure after %s ends the reply, and may be tried again at once', async (_, piece) => {
  const next = well('b');
  const told = await ask([telling('a', [piece, failed('broke_off', { afterMs: 5_000 })]), next]);
  expect(lastOf(told)).toEqual(failed('broke_off', { afterMs: 0 }));
  expect(next.asked).toEqual([]);
});

test('one model alone keeps its own wait', async () => {
  const failure = failed('broke_off', { afterMs: 5_000 });
  expect(lastOf(await ask([telling('a', [text('x'), failure])]))).toEqual(failure);
  expect(lastOf(await ask([telling('a', [failure])]))).toEqual(failure);
});

test.each([
  [1, 'abc'],
  [2, 'bca'],
  [3, 'cab'],
  [4, 'abc'],
  [Number.NaN, 'abc'],
])('try %s begins one further', async (attempt, order) => {
  const models = ['a', 'b', 'c'].map((name) => telling(name, [failed('connection')]));
  const told = await ask(models, {}, attempt);
  expect(
    announced(told)
      .map((who) => who[0])
      .join(''),
  ).toBe(order);
});

const waits: readonly (readonly [
  string,
  readonly (ModelFailed['retry'] | undefined)[],
  ModelFailed['retry'] | undefined,
])[] = [
  ['none may be tried again', [undefined, undefined], undefined],
  ['one may', [undefined, { afterMs: 7 }], { afterMs: 7 }],
  ['the shortest wait', [{ afterMs: 9 }, { afterMs: 7 }, { afterMs: 8 }], { afterMs: 7 }],
  ['one does not say', [{ afterMs: 9 }, { afterMs: null }], { afterMs: null }],
  ['one may at once', [{ afterMs: 0 }, { afterMs: null }], { afterMs: 0 }],
];

test.each(waits)('all fail: %s', async (_, retries, retry) => {
  const told = await ask(retries.map((one, index) => telling(`m${index}`, [failed('connection', one)])));
  const last = lastOf(told);
  expect(last).toMatchObject({ type: 'failed', failure: 'connection', hint: 'See to connection.' });
  expect(last).toMatchObject(retry === undefined ? {} : { retry });
  expect(last?.type === 'failed' && 'retry' in last).toBe(retry !== undefined);
  for (const index of retries.keys())
    expect(last).toMatchObject({
      message: expect.stringContaining(`m${index} (m${index}-provider), connection: It was connection.`),
    });
});

test('where the request is aborted, whatever failed is an abort, and nobody else is asked', async () => {
  const controller = new AbortController();
  const next = well('b');
  const model = telling('a', [failed('connection')]);
  const aborting: Model = {
    ...model,
    generate(request) {
      controller.abort();
      return model.generate(request);
    },
  };
  const told = await collect(fallback([aborting, next]).generate(requestOf({ signal: controller.signal })));
  expect(lastOf(told)).toMatchObject({ type: 'failed', failure: 'aborted' });
  expect(next.asked).toEqual([]);
});

test('replies that are done with are left, also by a model that breaks the contract', async () => {
  const left: string[] = [];
  const leaving = (name: string, events: readonly unknown[]): Model => ({
    provider: name,
    name,
    generate: () => ({
      [Symbol.asyncIterator]() {
        const iterator = replay(events)[Symbol.asyncIterator]();
        return {
          next: () => iterator.next(),
          return: () => {
            left.push(name);
            return new Promise<never>(() => {});
          },
        };
      },
    }),
  });
  await ask([leaving('a', [{ type: 'nonsense' }, end]), leaving('b', [failed('refused')]), leaving('c', [end])]);
  expect(left).toEqual(['a', 'b', 'c']);
});

test('several in one another', async () => {
  const inner = fallback([telling('a', [failed('connection')]), telling('b', [failed('timeout')])]);
  const outer = fallback([inner, routeBy({ c: well('c') }, () => 'c')]);
  const told = await collect(outer.generate(requestOf()));
  expect(announced(told)).toEqual(['a | b', 'a', 'b for a: connection', 'c for a | b: timeout', 'c']);
  expect([textOf(told), outer.provider, outer.name]).toEqual(['c', 'fallback', 'a | b | c']);
});

/** A run, and what its trace tells of models. */
async function run(model: Model) {
  const clock = virtualClock();
  const events: TraceEvent[] = [];
  const agent = createAgent({ model, clock, modelRetries: 1, onEvent: (event) => events.push(event) });
  const outcome = await clock.until(agent.run('x'));
  const asked = events.flatMap((event) =>
    event.type === 'model.asked' ? [`${event.attempt ?? 1} ${event.name}`] : [],
  );
  return { outcome, asked };
}

const answer = scriptedModel(['Final Answer: 42'], { name: 'good' });
const breaking = scriptedModel([{ text: 'Thought: it', failure: { failure: 'broke_off', message: 'It broke.' } }], {
  name: 'breaking',
});

test('in a run: the trace says who was asked, and what broke off is not asked first again', async () => {
  const { outcome, asked } = await run(fallback([breaking, answer]));
  expect(outcome).toMatchObject({ ok: true, answer: '42' });
  expect(asked).toEqual(['1 breaking', '2 good']);
});

test("in a run: a model that says nothing is left at the limit of the loop, and the next try is another one's", async () => {
  const silent = scriptedModel([{ text: 'x', delayMs: 2 ** 30 }], { name: 'silent' });
  const { outcome, asked } = await run(fallback([silent, scriptedModel(['Final Answer: 42'], { name: 'good' })]));
  expect(outcome).toMatchObject({ ok: true, answer: '42' });
  expect(asked).toEqual(['1 silent', '2 good']);
});

test('in a run: where all fail, the run ends as model_error and names each', async () => {
  const down = (name: string) =>
    scriptedModel([{ failure: { failure: 'refused', message: `${name} is closed.` } }], { name });
  const { outcome, asked } = await run(fallback([down('a'), down('b')]));
  expect(outcome).toMatchObject({
    stopReason: 'model_error',
    error: {
      message: expect.stringMatching(/a \(scripted\), refused: a is closed\..*b \(scripted\), refused: b is closed\./),
    },
  });
  expect(asked).toEqual(['1 a', '1 b']);
});

const odd: readonly (readonly [string, unknown])[] = [
  ['a wait below zero', { ...failed('refused'), retry: { afterMs: -1 } }],
  ['a wait that is no number', { ...failed('refused'), retry: { afterMs: 'soon' } }],
  ['a retry that is none', { ...failed('refused'), retry: true }],
  ['a failure of its own kind', { ...failed('refused'), failure: 'bored' }],
  ['usage that is none', { ...end, usage: { inputTokens: -1, outputTokens: 'many' } }],
  ['a finish of its own kind', { ...end, finish: 'done' }],
  ['a place that is none', { type: 'call', index: -1, id: null, tool: 'a', input: '' }],
];

test.each(odd)('in a run: %s is judged behind others as it is alone', async (_, event) => {
  const judged = async (behind: (model: Model) => Model) => {
    const model = telling('a', [text('Final Answer: 42'), event]);
    const { outcome } = await run(behind(model));
    const { error = null, ...rest } = { error: null, ...outcome };
    return { ok: rest.ok, error, tokens: rest.usage.totalTokens, asked: model.asked };
  };
  const alone = await judged((model) => model);
  expect(await judged((model) => fallback([model]))).toEqual(alone);
  expect(await judged((model) => routeBy({ model }, () => 'model'))).toEqual(alone);
});
