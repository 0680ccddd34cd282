/** Whole runs against servers that never come to an end: one suite for all adapters over HTTP. */
import { describe, expect, test } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import { tool } from '../../src/tool.ts';
import type { Form, ServerAnswer } from '../support/server-answer.ts';
import type { Serve } from './hostile.ts';

const megabyte = 1024 * 1024;

export function hostileRuns(name: string, serve: Serve, form: Form): void {
  /** The events of a stream that says so much and does not end. */
  const begun = (text: string) => form.events({ text, finishReason: null, done: false }, null);
  const run = async (answer: ServerAnswer, options: object, stream = true) => {
    const { server, model } = await serve(answer, { stream });
    const outcome = await createAgent({ model, modelRetries: 0, ...options }).run('the task');
    const request = await server.request(1);
    await request.over;
    await model.close();
    await server.allClosed();
    return { outcome, server, request };
  };

  describe(`${name}: runs`, () => {
    test('a reply of 50 MB in a stream is cut by maxReplyTokens, and the rest is not read', async () => {
      const [first = '', ...more] = begun('word '.repeat(16));
      const repeat = { text: more.join('').repeat(200), times: 4_000 };
      expect(repeat.text.length * repeat.times).toBeGreaterThan(50 * megabyte);
      const { outcome, request } = await run(
        { chunks: [first], repeat },
        { sizes: { maxReplyTokens: 500 }, budget: { maxSteps: 1 } },
      );
      expect(outcome).toMatchObject({
        ok: false,
        stopReason: 'max_steps',
        steps: [{ violation: { code: 'too_long' } }],
      });
      expect(request.closedEarly).toBe(true);
      expect(request.bytesWritten).toBeLessThan(10 * megabyte);
    });

    test('a document of 50 MB is not read to its end', async () => {
      const answer = { chunks: ['{"'], repeat: { text: 'word '.repeat(20_000), times: 550 } };
      const { outcome, request } = await run(answer, {}, false);
      expect(outcome).toMatchObject({
        ok: false,
        stopReason: 'model_error',
        error: { message: expect.stringContaining('16 MB') },
      });
      expect(request.closedEarly).toBe(true);
      expect(request.bytesWritten).toBeLessThan(30 * megabyte);
    });

    const endless: readonly (readonly [string, () => ServerAnswer, object])[] = [
      [
        'drips',
        () => ({ chunks: begun(''), repeat: { text: begun('x y z ').slice(1).join('') }, everyMs: 5 }),
        { timeouts: { modelCallMs: 150 } },
      ],
      [
        'drips, by the budget',
        () => ({ chunks: begun(''), repeat: { text: begun('x y z ').slice(1).join('') }, everyMs: 5 }),
        { budget: { wallClockMs: 150 } },
      ],
      [
        'sends empty pieces',
        () => ({ chunks: begun(''), repeat: { text: begun('').join('') } }),
        { timeouts: { firstTokenMs: 150 } },
      ],
      [
        'sends comments',
        () => ({ chunks: begun(''), repeat: { text: ': keep-alive\n\n' } }),
        { timeouts: { firstTokenMs: 150 } },
      ],
      ['says nothing', () => ({ delayMs: 2 ** 30 }), { timeouts: { firstTokenMs: 150 } }],
    ];
    test.each(endless)('a server that %s for ever', async (_, answer, options) => {
      const { outcome, request } = await run(answer(), options);
      expect(outcome.ok).toBe(false);
      expect(JSON.stringify(outcome)).toMatch(/timeout|time/);
      expect(request.closedEarly).toBe(true);
    });

    test('a reply that goes on behind an observation of its own is left, and the server sees it', async () => {
      const answers: readonly ServerAnswer[] = [
        {
          chunks: begun(
            'Thought: I look.\nAction: search\nAction Input: {"q": "tide"}\nObservation: high\nThought: so ',
          ),
          repeat: { text: begun('it goes on ').slice(1).join('') },
          everyMs: 1,
        },
        { text: 'Final Answer: high' },
      ];
      const { server, model } = await serve(answers);
      const search = tool({ description: 'Searches.', inputSchema: { type: 'object' }, execute: () => 'low' });
      const outcome = await createAgent({ model, dialect: 'labelled', tools: { search } }).run('Which tide?');
      expect(outcome).toMatchObject({ ok: true, answer: 'high', steps: [{ calls: [{ tool: 'search' }] }, {}] });
      const request = await server.request(1);
      await request.over;
      expect(request.closedEarly).toBe(true);
      expect(server.requests).toHaveLength(2);
    });

    test('a failure that passes is asked again, and the run ends well', async () => {
      const answers: readonly ServerAnswer[] = [
        { status: 503, body: 'busy', headers: { 'retry-after-ms': '1' } },
        { chunks: begun('Final Answer: 4'), end: 'reset' },
        { text: 'Final Answer: 42' },
      ];
      const { server, model } = await serve(answers);
      expect(await createAgent({ model, dialect: 'labelled' }).run('x')).toMatchObject({ ok: true, answer: '42' });
      expect(server.requests).toHaveLength(3);
    });
  });
}
