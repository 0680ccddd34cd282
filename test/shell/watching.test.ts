/** What can be seen of a run: iteration, the trace and its redaction, observers. */
import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../src/core/trace.ts';
import type { ScriptedReply } from '../../src/models/scripted.ts';
import { act, answer, returns, setup } from './setup.ts';

async function collect(run: AsyncIterable<LiveEvent>): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}
const types = (events: readonly LiveEvent[]) => events.map(({ type }) => type).join(' ');

describe('iterating over a run', () => {
  const replies = [
    { text: act('look'), chunks: [act('look').slice(0, 9), act('look').slice(9)], betweenMs: 5 },
    answer('42'),
  ];
  const expected =
    'run.started prompt.sent reply.delta reply.delta reply.stopped reply.ended calls.checked call.settled ' +
    'prompt.sent reply.delta reply.stopped reply.ended run.ended';

  it('gives the trace in order, with the pieces of the replies between', async () => {
    const { clock, start } = setup({ replies });
    expect(types(await clock.until(collect(start())))).toBe(expected);
  });

  it('gives a reader that comes late all of the trace', async () => {
    const { clock, start } = setup({ replies });
    const run = start();
    await clock.until(run.outcome);
    expect(types(await clock.until(collect(run)))).toBe(expected.replaceAll('reply.delta ', ''));
  });

  it('ends for a reader that leaves, and goes on for the others', async () => {
    const { clock, start } = setup({ replies });
    const run = start();
    const left = run[Symbol.asyncIterator]();
    await left.next();
    const waiting = [left.next(), left.next(), left.next(), left.next()];
    await left.return?.();
    expect((await Promise.all(waiting)).at(-1)).toMatchObject({ done: true });
    expect(await left.next()).toMatchObject({ done: true });
    expect(types(await clock.until(collect(run)))).toContain('run.ended');
  });

  it('gives the same events to each reader', async () => {
    const { clock, start } = setup({ replies });
    const run = start();
    const [one, other] = await clock.until(Promise.all([collect(run), collect(run)]));
    expect(one).toEqual(other);
  });

  it('drops pieces of replies, never the trace, for a reader who does not read', async () => {
    const chunks = Array.from({ length: 5_000 }, () => 'x ');
    const { clock, start } = setup({ replies: [{ chunks: ['Thought: ', ...chunks] }, answer('42')] });
    const run = start();
    const reader = run[Symbol.asyncIterator]();
    await clock.until(run.outcome);
    const seen = await collect({ [Symbol.asyncIterator]: () => reader });
    expect(seen.filter(({ type }) => type === 'reply.delta').length).toBeLessThanOrEqual(1_000);
    expect(types(seen.slice(-3))).toBe('reply.stopped reply.ended run.ended');
  });
});

describe('the trace', () => {
  it('says what happened: sequence without gaps, states, format', async () => {
    const { run, events } = setup({ replies: [act('look'), answer('42')] });
    await run({ runId: 'r1' });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    expect(events[0]).toMatchObject({
      type: 'run.started',
      format: 'fuseloop.trace/1',
      runId: 'r1',
      task: 'the task',
      model: { provider: 'scripted', name: 'script' },
      dialect: 'labelled',
      tools: ['look'],
      state: { THOUGHT: 'reasoning' },
    });
    expect(events.find(({ type }) => type === 'call.settled')).toMatchObject({
      callId: '1.1',
      observation: 'seen',
      state: { THOUGHT: 'reasoning' },
    });
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', stopReason: 'final', state: 'FINAL' });
  });

  it('holds no secret, in whatever text, key or list it stands', async () => {
    const { run, events } = setup({
      replies: [act('look', { token: 'sk-12345', list: ['Bearer abc'] }), answer('sk-12345')],
      tools: { look: returns({ 'sk-12345': 'Bearer abc' }) },
      agent: { redact: ['sk-12345', /Bearer \w+/, ''], instructions: 'The key is sk-12345.' },
    });
    const outcome = await run();
    expect(outcome).toMatchObject({ ok: true, answer: 'sk-12345' });
    expect(JSON.stringify(events)).not.toMatch(/sk-12345|Bearer abc/);
    expect(JSON.stringify(events)).toContain('[redacted]');
  });

  const withThinking: readonly (readonly [string, string | ScriptedReply, string | undefined])[] = [
    ['in the reply', `<think>it may be Monday</think>\n${act('look')}`, 'it may be Monday'],
    ['kept apart by the provider', { text: act('look'), reasoning: 'it may be Monday' }, 'it may be Monday'],
    ['in both', { text: `<think>a</think>\n${act('look')}`, reasoning: 'b' }, 'b\na'],
    ['nowhere', act('look'), undefined],
    ['where it is all the thought there is', '<think>a</think>\nAction: look\nAction Input: {}', undefined],
  ];
  it.each(withThinking)(
    'has what the model thought beside its step %s, and no prompt has it',
    async (_, reply, reasoning) => {
      const { run, events, model } = setup({ replies: [reply, answer('42')] });
      expect(await run()).toMatchObject({ ok: true, answer: '42' });
      const ended = events.find((event) => event.type === 'reply.ended');
      expect(ended).toHaveProperty('calls.0.tool', 'look');
      expect(ended?.type === 'reply.ended' ? ended.reasoning : 'none').toBe(reasoning);
      if (reasoning !== undefined) expect(JSON.stringify(model.requests[1]?.messages)).not.toContain(reasoning);
    },
  );

  it('is not disturbed by an observer that rejects, or never settles', async () => {
    const { run, clock } = setup({
      replies: [act('look'), answer('42')],
      agent: {
        onEvent: ({ sequence }) => (sequence % 2 === 0 ? Promise.reject(new Error('no')) : new Promise(() => {})),
      },
    });
    expect(await run()).toMatchObject({ ok: true });
    expect(clock.armed).toBe(0);
  });

  it('is not disturbed by an observer that throws', async () => {
    const seen: string[] = [];
    const { run } = setup({
      replies: [act('look'), answer('42')],
      agent: {
        onEvent: ({ type }) => {
          seen.push(type);
          throw new Error('an observer');
        },
      },
    });
    expect(await run()).toMatchObject({ ok: true });
    expect(seen.at(-1)).toBe('run.ended');
  });
});

describe('the conversation', () => {
  it('alternates roles, keeps its beginning, and holds what was said before', async () => {
    const { run, model } = setup({
      replies: [act('look'), 'Talk.', answer('42')],
      agent: { instructions: 'Be exact.' },
    });
    await run({
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi' },
      ],
      instructions: 'And brief.',
    });
    const [first, second, third] = model.requests;
    expect(third?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
    expect(first?.messages[0]?.content).toMatch(/^Be exact\.\n\nAnd brief\.\n\n/);
    expect(first?.messages).toHaveLength(4);
  });

  it('has no message without text, and no more of a reply that was cut than is worth keeping', async () => {
    const long = { text: `Thought: ${'word '.repeat(4_000)}`, finish: 'length' } as const;
    const { run, model } = setup({ replies: ['', long, answer('42')] });
    await run();
    const contents = model.requests[2]?.messages.map(({ content }) => content) ?? [];
    expect(contents.every((content) => content.trim() !== '')).toBe(true);
    expect(contents.at(-2)?.length).toBeLessThan(6_000);
  });

  it('can do without a system message', async () => {
    const { run, model } = setup({ replies: [answer('42')], agent: { system: '' } });
    await run();
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: 'the task' }]);
  });
});
