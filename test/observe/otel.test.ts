/** The spans of runs: which there are, when, and what stands in them. */
import { describe, expect, test } from 'vitest';
import { type Case, runOf, runs } from './otel-runs.ts';
import { memorySpans, outline, type SpanTree } from './otel-setup.ts';

async function spansOf(which: string | Case, options: Parameters<typeof memorySpans>[0] = {}) {
  const { observer, trees } = memorySpans(options);
  const made = typeof which === 'string' ? runs[which] : which;
  if (made === undefined) throw new Error(`There is no run "${String(which)}".`);
  const { startMs, outcome } = await runOf(made, observer);
  const [tree, ...more] = trees();
  if (tree === undefined || more.length > 0) throw new Error(`${more.length + 1} spans have no parent.`);
  return { tree, startMs, outcome };
}

const flat = (tree: SpanTree): readonly SpanTree[] => [tree, ...tree.below.flatMap(flat)];

describe.each(Object.entries(runs))('%s', (name, expected) => {
  test('has these spans', async () => {
    const { tree, outcome } = await spansOf(name);
    expect(outline(tree)).toBe(expected.outline);
    expect(tree.status).toBe(outcome.ok ? 'unset' : 'error');
    expect(tree.attributes['fuseloop.stop_reason']).toBe(outcome.stopReason);
    expect(tree.time).toEqual([outcome.startedAtMs, outcome.endedAtMs]);
  });

  test('each span lies within the one above it, is of its kind, and says why it failed', async () => {
    const { tree } = await spansOf(name);
    for (const span of flat(tree)) {
      expect(span.kind).toBe(span.name.startsWith('chat') ? 'client' : 'internal');
      expect(span.status.startsWith('error')).toBe('error.type' in span.attributes);
      for (const { time } of span.below) {
        expect(time[0]).toBeGreaterThanOrEqual(span.time[0]);
        expect(time[1]).toBeLessThanOrEqual(span.time[1]);
      }
    }
  });
});

const ofChat = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'scripted',
  'gen_ai.request.model': 'm',
  'gen_ai.conversation.id': 'r-1',
};

test('every attribute and every time', async () => {
  const usage = { inputTokens: 90, outputTokens: 10, cachedInputTokens: 60 };
  const made = runs['a call, then an answer'];
  const [first = '', second = ''] = made?.replies ?? [];
  const replies = [first, second].map((text, at) => ({ text: String(text), delayMs: 5 + at, usage }));
  const { tree, startMs } = await spansOf({ ...made, replies }, { agentName: 'sailor' });
  const at = (start: number, end: number) => [startMs + start, startMs + end];
  const counted = {
    'gen_ai.usage.input_tokens': 90,
    'gen_ai.usage.output_tokens': 10,
    'gen_ai.usage.cache_read.input_tokens': 60,
    'fuseloop.tokens.estimated': false,
    'gen_ai.response.finish_reasons': ['stop'],
  };
  expect(tree).toMatchObject({
    name: 'invoke_agent sailor',
    time: at(0, 21),
    events: [],
    links: [],
    parent: null,
    below: [{ time: at(0, 5) }, { time: at(5, 15) }, { time: at(15, 21) }],
  });
  expect([tree, ...tree.below].map(({ attributes }) => attributes)).toEqual([
    {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'sailor',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'm',
      'gen_ai.conversation.id': 'r-1',
      'gen_ai.usage.input_tokens': 180,
      'gen_ai.usage.output_tokens': 20,
      'fuseloop.tokens.estimated': false,
      'fuseloop.dialect': 'labelled',
      'fuseloop.stop_reason': 'final',
      'fuseloop.steps': 2,
      'fuseloop.tool_calls': 1,
      'fuseloop.violations': 0,
    },
    { ...ofChat, ...counted, 'fuseloop.step': 1, 'fuseloop.attempt': 1 },
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': '1.1',
      'fuseloop.step': 1,
      'fuseloop.call.effect': 'unmarked',
      'fuseloop.call.status': 'succeeded',
    },
    { ...ofChat, ...counted, 'fuseloop.step': 2, 'fuseloop.attempt': 1 },
  ]);
});

/** The place among all spans from the top, and what stands there. */
const attributes: readonly (readonly [string, number, Readonly<Record<string, unknown>>])[] = [
  ['a tool that throws', 2, { 'error.type': 'RangeError', 'fuseloop.call.status': 'failed' }],
  ['a tool that takes too long', 2, { 'error.type': 'timeout', 'fuseloop.call.status': 'unknown' }],
  ['a model that is asked again', 1, { 'error.type': 'connection', 'fuseloop.attempt': 1 }],
  ['a model that is asked again', 2, { 'fuseloop.attempt': 2 }],
  ['a model that fails', 0, { 'error.type': 'model_error' }],
  ['a model behind another', 1, { 'gen_ai.request.model': 'second', 'gen_ai.provider.name': 'scripted' }],
  ['a reply that is none', 1, { 'fuseloop.violation': 'no_step' }],
  ['a reply that is left', 1, { 'gen_ai.response.finish_reasons': ['stop'], 'fuseloop.tokens.saved': 4076 }],
  ['an end while the model is asked', 0, { 'error.type': 'timeout' }],
  ['an end while the model is asked', 1, { 'error.type': 'aborted' }],
  ['an end while a tool runs', 2, { 'error.type': 'timeout', 'fuseloop.call.status': 'unknown' }],
  ['too many steps', 0, { 'error.type': 'max_steps' }],
  ['an agent as a tool that is cut off', 0, { 'error.type': 'aborted' }],
  ['an agent as a tool that is cut off', 2, { 'error.type': 'aborted', 'fuseloop.call.status': 'cancelled' }],
  ['an agent as a tool', 3, { 'gen_ai.agent.name': 'helper', 'gen_ai.conversation.id': 'r-1:1.1' }],
  ['an agent as a tool', 3, { 'fuseloop.stop_reason': 'final', 'gen_ai.request.model': 'h' }],
];

test.each(attributes)('%s: span %i', async (name, place, expected) => {
  const { tree } = await spansOf(name);
  expect(flat(tree)[place]?.attributes).toMatchObject(expected);
});

/** Of the span at that place, with the time after the start of the run. */
const events: readonly (readonly [string, number, readonly object[]])[] = [
  [
    'a reply that is none',
    0,
    [{ name: 'fuseloop.violation', atMs: 0, attributes: { 'fuseloop.violation': 'no_step', 'fuseloop.step': 1 } }],
  ],
  [
    'a model that is asked again',
    0,
    [
      {
        name: 'fuseloop.model.retry',
        atMs: 10,
        attributes: {
          'fuseloop.step': 1,
          'fuseloop.attempt': 1,
          'error.type': 'connection',
          'fuseloop.wait_ms': 5,
        },
      },
    ],
  ],
  [
    'a model behind another',
    1,
    [
      {
        name: 'fuseloop.model.fallback',
        atMs: 10,
        attributes: {
          'gen_ai.provider.name': 'scripted',
          'gen_ai.request.model': 'first',
          'error.type': 'connection',
        },
      },
    ],
  ],
  [
    'a call of a tool that there is not',
    0,
    [
      {
        name: 'fuseloop.call.refused',
        atMs: 0,
        attributes: { 'fuseloop.step': 1, 'gen_ai.tool.call.id': '1.1', 'fuseloop.gate': 'tool' },
      },
    ],
  ],
];

test.each(events)('%s: events of span %i', async (name, place, expected) => {
  const { tree, startMs } = await spansOf(name);
  const found = flat(tree)[place]?.events.map((event) => ({ ...event, atMs: event.atMs - startMs }));
  expect(found).toEqual(expected);
});

test('a try of a call that failed is an event at its time', async () => {
  const { tree, startMs } = await spansOf('a tool that is tried again');
  const [event, ...more] = flat(tree)[2]?.events ?? [];
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    name: 'fuseloop.call.retry',
    atMs: startMs + 10,
    attributes: { 'fuseloop.attempt': 1, 'error.type': 'TypeError' },
  });
});
