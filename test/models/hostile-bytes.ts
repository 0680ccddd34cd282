/** However the bytes of a reply come, the reply is the same: one suite for all adapters over HTTP. */
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../src/core/model.ts';
import type { ServerAnswer } from '../support/server-answer.ts';
import { callsOf, collect, lastOf, open, requestOf, textOf } from './asking.ts';
import type { Serve } from './hostile.ts';

const reply = {
  text: 'Thought: 订单 🙂\r\n"x"',
  reasoning: '让我想想',
  calls: [{ name: 'search', id: 'x1', arguments: '{"q":"tide 🙂"}' }],
  usage: { prompt_tokens: 12, completion_tokens: 5 },
} satisfies ServerAnswer;

const isLong = process.env.FUSELOOP_LONG === '1';

const eols = ['\n', '\r\n', '\r'] as const;

/** What was said, whatever the pieces were. */
function said(events: readonly ModelEvent[]): object {
  return {
    text: textOf(events),
    reasoning: textOf(events, 'reasoning'),
    calls: callsOf(events),
    // What goes back to the server names it, and each test has its own.
    last: JSON.parse(JSON.stringify(lastOf(events)).replace(/127\.0\.0\.1:\d+/g, 'the server')),
  };
}

const arrangements: readonly (readonly [string, ServerAnswer])[] = [
  ['all in one packet', { joined: true }],
  ['comments behind each event', { noise: ': keep-alive\n\n' }],
  ['empty lines', { noise: '\n\n\n' }],
  ['events that say nothing', { noise: 'event: ping\ndata:\n\n' }],
  ['other fields', { noise: 'id: 7\nretry: 10\nfoo: bar\n\n' }],
];

export function hostileBytes(name: string, serve: Serve): void {
  const read = async (answer: ServerAnswer, seed?: number) => {
    const { model, server } = await serve({ ...reply, ...answer }, { seed });
    const heard = said(await collect(model.generate(requestOf())));
    await model.close();
    await server.close();
    return heard;
  };

  describe(`${name}: the bytes of a stream`, () => {
    test.each(eols)('cut at every byte that matters, with %j', async (eol) => {
      const expected = await read({ eol });
      expect(expected).toMatchObject({ text: reply.text, last: { type: 'end', finish: 'stop' } });
      const bytes = await bytesOf(serve, { ...reply, eol });
      const { model, server } = await serve((body) => ({ ...reply, eol, cutAt: Number(body.max_tokens) }));
      for (const cutAt of places(bytes)) {
        const events = await collect(model.generate(requestOf({ maxOutputTokens: cutAt })));
        expect(said(events), `cut behind ${cutAt} bytes`).toEqual(expected);
      }
      expect(server.sockets.made).toBe(1);
    });

    test.each(arrangements)('%s', async (_, how) => {
      const expected = await read({});
      for (const eol of eols) expect(await read({ eol, ...how }), eol).toEqual(expected);
    });

    test('cut anywhere, with any line end and noise', async () => {
      const expected = await read({});
      const draws = fc.record({
        eol: fc.constantFrom(...eols),
        noise: fc.constantFrom('', ...arrangements.map(([, { noise = '' }]) => noise)),
        seed: fc.nat(),
      });
      await fc.assert(
        fc.asyncProperty(draws, async ({ seed, ...how }) => {
          expect(await read(how, seed)).toEqual(expected);
        }),
        { numRuns: isLong ? 300 : 15 },
      );
    });

    test.each(['reset', 'close'] as const)('%s at any byte: a whole reply, or one that broke off', async (end) => {
      const bytes = await bytesOf(serve, { ...reply, joined: true });
      const { model } = await serve((body) => ({ ...reply, joined: true, keep: Number(body.max_tokens), end }));
      const kinds = new Set<string>();
      for (const keep of [0, ...places(bytes), bytes.length]) {
        const last = lastOf(await collect(model.generate(requestOf({ maxOutputTokens: keep }))));
        if (last?.type === 'failed') expect(last).toMatchObject({ failure: 'broke_off', retry: { afterMs: null } });
        else expect(last).toMatchObject({ type: 'end', finish: 'stop' });
        kinds.add(last?.type ?? '');
      }
      expect([...kinds]).toEqual(['failed', 'end']);
    });
  });

  describe(`${name}: left at any moment`, () => {
    test.each(['abort', 'return'] as const)('%s, after any number of events, of any stream', async (how) => {
      const draws = fc.record({ events: fc.nat(30), stream: fc.boolean(), seed: fc.nat(), hangs: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(draws, async ({ events, stream, seed, hangs }) => {
          const { model, server } = await serve({ ...reply, ...(hangs && { end: 'hang' }) }, { stream, seed });
          const controller = new AbortController();
          const { signal } = controller;
          const asked = open(model.generate(requestOf({ signal })));
          // A document that never ends says nothing: there is nothing to wait for before it is left.
          await readSome(asked, hangs && !stream ? 0 : events);
          const pending = asked.next();
          if (how === 'abort') controller.abort();
          else await asked.leave();
          await pending;
          // Whatever was under way: a second event at most, and then nothing more.
          while (!(await asked.next()).done);
          expect(getEventListeners(signal, 'abort')).toHaveLength(0);
          await model.close();
          await server.allClosed();
          await server.close();
        }),
        { numRuns: isLong ? 300 : 15 },
      );
    });
  });
}

async function readSome(reply: Pick<AsyncIterator<ModelEvent>, 'next'>, most: number): Promise<void> {
  for (let count = 0; count < most; count++) {
    const { done, value } = await reply.next();
    if (done === true || value.type === 'end' || value.type === 'failed') return;
  }
}

/** What the server sends, as it is on the wire. */
async function bytesOf(serve: Serve, answer: ServerAnswer): Promise<Buffer> {
  const { model, server } = await serve(answer);
  await collect(model.generate(requestOf()));
  const { path, body } = await server.request(1);
  const sent = await fetch(`${server.origin}${path}`, { method: 'POST', body: JSON.stringify(body) });
  const bytes = Buffer.from(await sent.arrayBuffer());
  expect(bytes.length).toBeGreaterThan(500);
  return bytes;
}

/**
 * The places at which a stream is cut: beside each line end, inside each character of several bytes, in the first event, and
 * every eleventh of the rest, where one letter is like the other. All with FUSELOOP_LONG=1.
 */
function places(bytes: Buffer): readonly number[] {
  const matters = (byte: number | undefined) => byte === 0x0a || byte === 0x0d || (byte ?? 0) >= 0x80;
  return [...bytes.keys()].slice(1).filter((at) => {
    return isLong || at < 40 || at % 11 === 0 || matters(bytes[at]) || matters(bytes[at - 1]);
  });
}
