/** No secret in any message to the model, event, error or log, wherever a tool puts it. */
import { describe, expect, it } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import { ToolError } from '../../src/core/errors.ts';
import { createRedactor } from '../../src/core/redact.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { replyPieces } from '../../src/shell/reply-pieces.ts';
import { foldTrace } from '../../src/verify/fold.ts';
import { visitsOf } from '../protocol/visits.ts';
import { act, answer, anyInput, hangs, returns } from '../shell/setup.ts';
import { leaks, type Play, seenOf } from './leaks.ts';
import { does, gives, throws } from './told.ts';

const secret = 'hunter2/"Zoë"+key';
const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBg'.repeat(4)}\n${'kqhkiG9w0BAQEF'.repeat(4)}\n-----END PRIVATE KEY-----`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const caused = (cause: unknown) => new Error('It failed.', { cause });
/** Gives its result as soon as nobody wants it any more. */
const untilAborted =
  (result: string) =>
  (_input: unknown, { abortSignal }: { readonly abortSignal: AbortSignal }) =>
    new Promise((done) => abortSignal.addEventListener('abort', () => done(result)));
const named = (name: string) => Object.assign(new Error('It failed.'), { name });

/** Where a tool can put a text. */
const places: readonly [what: string, put: (secret: string) => AnyTool, agent?: Partial<AgentOptions>][] = [
  ['a result', (s) => gives(`The key is ${s}.`)],
  ['a member', (s) => gives({ user: { list: ['a', { token: s }] } })],
  ['a key', (s) => gives({ [s]: 1, [`${s}!`]: 2 })],
  ['a map', (s) => gives(new Map([['token', s]]))],
  ['a key of a map', (s) => gives(new Map([[{ s }, 1]]))],
  ['a set', (s) => gives(new Set([s]))],
  ['an address', (s) => gives(new URL(`https://example.org/?key=${encodeURIComponent(s)}`))],
  ['toJSON', (s) => gives({ toJSON: () => s })],
  ['an error as a result', (s) => gives(new Error(s))],
  ['an error as a member', (s) => gives({ error: caused(new Error(s)) })],
  ['a file', (s) => gives(new File(['x'], s))],
  ['a buffer as text', (s) => gives(Buffer.from(s).toString())],
  ['JSON as text', (s) => gives(JSON.stringify({ token: s }))],
  ['JSON in JSON', (s) => gives(JSON.stringify({ body: JSON.stringify({ token: s }) }))],
  ['a query', (s) => gives(`GET /?${new URLSearchParams({ key: s })} and ${encodeURIComponent(s)}`)],
  ['base64', (s) => gives(base64(s))],
  ['a pair in base64', (s) => gives([base64(`u:${s}`), base64(`me:${s}`), base64(`you:${s}!`)])],
  [
    'a generator',
    (s) =>
      does(async function* () {
        yield s;
        yield { last: s };
      }),
  ],
  ['the answer', (s) => gives(`It is ${s}.`, { endsRun: true })],
  ['a cut result', (s) => gives(`${s} `.repeat(2_000))],
  ['what was thrown', (s) => throws(new Error(`401 for ${s}`))],
  ['a text that was thrown', (s) => throws(s)],
  ['an object that was thrown', (s) => throws({ status: 401, token: s })],
  ['a name of an error', (s) => throws(named(s))],
  ['a cause', (s) => throws(caused(new Error(s)))],
  ['a cause of a cause', (s) => throws(caused(caused({ token: s })))],
  ['several errors', (s) => throws(new AggregateError([new Error(s)], s))],
  ['a stack', (s) => throws(Object.assign(new Error('no'), { stack: `Error: no\n    at ${s} (a.ts:1:1)` }))],
  ['a hint', (s) => throws(new ToolError('It failed.', { hint: `Use ${s}.` }))],
  ['a ToolError', (s) => throws(new ToolError(s))],
  [
    'a generator that throws',
    (s) =>
      does(async function* () {
        yield 1;
        throw new Error(s);
      }),
  ],
  ['a hint of a database', (s) => throws(Object.assign(new Error('no'), { hint: s }))],
  ['checkResult', (s) => gives(s), { checkResult: (output) => `${output} is wrong.` }],
  ['checkResult that throws', (s) => gives(s), { checkResult: (output) => Promise.reject(new Error(String(output))) }],
  [
    'a problem of an output schema',
    (s) => gives({ [s]: s }, { outputSchema: { type: 'object', additionalProperties: false } }),
  ],
  ['an enumeration', (s) => gives('x', { outputSchema: { enum: [s] } })],
  ['an input schema', (s) => does(() => 1, { inputSchema: { type: 'object', required: [s] } })],
  ['a description', (s) => ({ ...gives(1), description: `Uses ${s}.` })],
  [
    'needsApproval that throws',
    (s) =>
      gives(1, {
        needsApproval: () => {
          throw new Error(s);
        },
      }),
  ],
  ['a late result', (s) => ({ inputSchema: anyInput, timeoutMs: 5, execute: untilAborted(s) })],
  ['a result of a dry run', (s) => gives(s, { sideEffect: true }), { policy: 'dryRun' }],
  ['tries', (s) => throws(Object.assign(new Error(s), { status: 503 }), { readOnly: true })],
];

describe.each(['labelled', 'native'] as const)('%s', (dialect) => {
  const play = (put: (typeof places)[number][1], secret: string, agent: Partial<AgentOptions> = {}): Play => ({
    tools: { look: put(secret) },
    agent: { redact: [secret], dialect, ...agent },
    ...(dialect === 'native' ? { replies: [{ calls: [{ tool: 'look', input: {} }] }, 'ok'] } : {}),
  });

  it.each(places)('%s', async (_what, put, agent) => {
    const shown = await seenOf(play(put, secret, agent));
    expect(leaks(shown, secret)).toEqual([]);
    expect(shown.events.at(-1)?.type).toBe('run.ended');
  });

  it.each(places)('%s, of several lines', async (_what, put, agent) => {
    expect(leaks(await seenOf(play(put, pem, agent)), pem)).toEqual([]);
  });

  it.each(places)('%s, by name', async (_what, put, agent) => {
    process.env.FUSELOOP_TEST_SECRET = `${secret}\n`;
    try {
      const redact = [{ env: 'FUSELOOP_TEST_SECRET' }, { env: 'FUSELOOP_TEST_UNSET' }, { env: 'constructor' }];
      expect(leaks(await seenOf(play(put, secret, { ...agent, redact })), secret)).toEqual([]);
    } finally {
      delete process.env.FUSELOOP_TEST_SECRET;
    }
  });

  // A pattern says how a secret is written: it knows no other form of it.
  const written = places.filter(([what]) => !what.includes('base64'));
  it.each(written)('%s, by a pattern', async (_what, put, agent) => {
    const redact = [/tok_[a-z]{3,12}/y];
    expect(leaks(await seenOf(play(put, 'tok_abcdefghijk', { ...agent, redact })), 'tok_abcdefghijk')).toEqual([]);
  });
});

it('these places are found where nothing is to be hidden', async () => {
  const silent = new Set(['a result of a dry run', 'an input schema']);
  for (const [what, put, agent] of places) {
    if (silent.has(what)) continue;
    const shown = await seenOf({ tools: { look: put('tok_abcdefghijk') }, agent: { ...agent } });
    expect([what, leaks(shown, 'tok_abcdefghijk').length > 0]).toEqual([what, true]);
  }
});

describe('half a secret', () => {
  const long = 'sk-0123456789abcdefghijklmnopqrstuvwxyz';
  const piece = 'klmnopq';
  const off = Array.from({ length: long.length + 2 }, (_, index) => index);

  it.each([
    ['of a result', (pad: string) => gives(`${pad}${long}${'y'.repeat(9_000)}`), 2_700],
    ['of a message', (pad: string) => throws(new Error(`${pad}${long}`)), 2_000],
    ['of a name', (pad: string) => throws(named(`${pad}${long}`)), 100],
    ['of a hint', (pad: string) => throws(new ToolError('no', { hint: `${pad}${long}` })), 500],
    ['of a cause', (pad: string) => throws(caused(new Error(`${pad}${long}`))), 2_000],
    ['of a member', (pad: string) => gives({ error: new Error(`${pad}${long}`) }), 2_000],
    ['of a key', (pad: string) => gives(new Map([[[`${pad}${long}`], 1]])), 198],
    ['of a fingerprint', (pad: string) => gives(`${pad}${long}${'z'.repeat(100)}`), 80],
  ])('%s is not left by a cut', async (_what, put, at) => {
    for (const index of off) {
      const seen = await seenOf({ tools: { look: put('x'.repeat(at - index)) }, agent: { redact: [long] } });
      expect([...seen.channels.values()].join().includes(piece) ? index : -1).toBe(-1);
    }
  });

  it('is not left where secrets overlap, or one is part of another', async () => {
    const { sent } = await seenOf({
      tools: { look: gives('<abcdefgh> <efgh> <cdefghij> <abcdefghij>') },
      agent: { redact: ['efgh', 'abcdefgh', 'efghij'] },
    });
    expect(sent).toContain('<[redacted]> <[redacted]> <cd[redacted]> <[redacted]>');
  });

  it.each([
    ['a text', [long]],
    ['a pattern', [/sk-[0-9a-z]+/]],
    ['several', ['abcd', long, 'yz\nOb']],
  ])('is not shown of a reply that arrives in pieces: %s', async (_what, redact) => {
    const reply = `Thought: The key is ${long}\nI go on.\nFinal Answer: done ${long} sk`;
    for (const size of [1, 2, 3, 7, 100]) {
      const chunks = reply.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      const { streamed } = await seenOf({ tools: {}, replies: [{ text: reply, chunks }], agent: { redact } });
      expect(streamed).toBe(reply.replaceAll(long, '[redacted]'));
    }
  });
});

describe('of a reply', () => {
  it('all is streamed at once where nothing is to be hidden', async () => {
    const chunks = ['Thought: a', 'b', '\nFinal ', 'Answer: 4', '2'];
    const { channels } = await seenOf({ tools: {}, replies: [{ text: chunks.join(''), chunks }] });
    const deltas = [...(channels.get('live') ?? '').matchAll(/"reply.delta","step":1,"text":"([^"]*)"/g)];
    expect(deltas.map(([, text]) => text)).toEqual(chunks.map((chunk) => JSON.stringify(chunk).slice(1, -1)));
  });

  const inHalves: readonly [reply: readonly string[], shown: string][] = [
    [['curl https://bob:hun', 'ter2pass@example.org/'], 'curl https://[redacted]@example.org/'],
    [['Authorization: Bea', 'rer abc123def456 ok'], 'Authorization: [redacted] ok'],
    [['"x-api-key": "abc', '123secretkey"'], '"x-api-key": "[redacted]"'],
    [['Author', 'ization', ':', ' ', 'Basic', ' YWxh', 'ZGRpbg==\nand'], 'Authorization: [redacted]\nand'],
    [["-H 'x-api-key: ab", "c9' -s"], "-H 'x-api-key: [redacted]' -s"],
    [['a bear', 'er abc12', '3def456, b'], 'a bearer [redacted], b'],
    [['{\\"cookie\\": \\"ab', 'c\\"}'], '{\\"cookie\\": \\"[redacted]\\"}'],
    [['"cookie": "a', '\nb', '" c'], '"cookie": "[redacted]" c'],
    [['The cookie', ' is', ' sweet.'], 'The cookie is sweet.'],
    [['at [reda', 'cted] it'], 'at [redacted] it'],
    [['two \ud83d', '\ude00 https://a', 'b'], 'two 😀 https://ab'],
    [[`cookie: a=${'1'.repeat(5_000)}`, `${'1'.repeat(99)}\nb`], 'cookie: [redacted]\nb'],
    [[`${'a b\n'.repeat(3_000)}c`], `${'a b\n'.repeat(3_000)}c`],
  ];
  it.each([
    ['nothing', []],
    ['a text', ['secret']],
    ['a pattern', [/tok_\w+/]],
  ])('no half of a credential is shown, where %s is named', async (_what, redact) => {
    for (const [chunks, shown] of inHalves) {
      const { streamed } = await seenOf({ tools: {}, replies: [{ chunks, text: chunks.join('') }], agent: { redact } });
      expect(streamed).toContain(shown);
    }
  });

  it('is held back only what can be a part of one, and only until that is known', async () => {
    const chunks = ['A url https://a.org', '/b and', ' a bearer of', ' cookies: 3 ', '4 5', ' [1', ', 2', ']。'];
    const { channels } = await seenOf({ tools: {}, replies: [{ text: chunks.join(''), chunks }] });
    const deltas = [...(channels.get('live') ?? '').matchAll(/"reply.delta","step":1,"text":"([^"]*)"/g)];
    const shown = ['A url https://', 'a.org/b and', ' a bearer ', 'of cookies: 3 ', '4 5', ' [1', ', 2', ']。'];
    expect(deltas.map(([, text]) => text)).toEqual(shown);
  });

  /** Counted in characters: eight times the text takes eight times the work, also where all of it is held back. */
  it.each([
    ['prose', 'word ', []],
    ['JSON in one line', '"a": 1, ', [/tok_\w+/]],
    ['a match without an end', 'tok_', [/tok_\w+/]],
    ['a value without an end', 'a=1; cookie: ', []],
    ['a quote without an end', "cookie: '\n", []],
    ['names', 'authorization ', ['secret']],
  ])('the work grows with its length: %s', (_what, unit, redact) => {
    const [few, many] = [4_000, 32_000].map((length) => {
      const text = unit.repeat(length / unit.length);
      return visitsOf(() => {
        const pieces = replyPieces(createRedactor(redact), () => {});
        for (let at = 0; at < text.length; at += 4) pieces.take(1, text.slice(at, at + 4));
        pieces.end();
      });
    });
    expect(Number(many) / Number(few)).toBeLessThan(12);
  });

  it('what was held back comes before the event that ends it', async () => {
    const { channels } = await seenOf({
      tools: { look: gives(1) },
      replies: [`${act('look')}\n`, answer('the sec')],
      agent: { redact: ['secret'] },
    });
    const live = channels.get('live') ?? '';
    expect(live.lastIndexOf('"text":"sec"')).toBeGreaterThan(0);
    expect(live.lastIndexOf('"text":"sec"')).toBeLessThan(live.lastIndexOf('"reply.ended"'));
  });
});

describe('what the model writes', () => {
  it('reaches the tool as it is, and nobody else', async () => {
    const inputs: unknown[] = [];
    const look = does((input) => inputs.push(input));
    const headers = { authorization: 'Bearer abc.def' };
    const shown = await seenOf({
      tools: { look },
      replies: [act('look', { note: 'tok_one', headers }), answer('ok')],
      agent: { redact: [/tok_\w+/] },
    });
    expect(inputs).toEqual([{ note: 'tok_one', headers }]);
    for (const text of ['tok_one', 'abc.def']) expect(leaks(shown, text)).toEqual([]);
    expect(shown.outcome.steps[0]?.calls[0]?.input).toEqual({
      note: '[redacted]',
      headers: { authorization: '[redacted]' },
    });
  });

  it('is compared as it is: other inputs are other calls, and the trace can be folded', async () => {
    const sent: unknown[] = [];
    const send = does((input) => sent.push(input), { sideEffect: true, needsApproval: false });
    const { events, outcome } = await seenOf({
      tools: { send },
      replies: ['tok_a', 'tok_b', 'tok_a'].map((to) => act('send', { to, text: 't'.repeat(90) })).concat(answer('ok')),
      agent: { redact: [/tok_\w/] },
    });
    expect(sent).toHaveLength(2);
    expect(outcome.steps.map(({ calls }) => calls[0]?.status)).toEqual([
      'succeeded',
      'succeeded',
      'refused',
      undefined,
    ]);
    expect(foldTrace(events).ended).toBe(true);
    expect(JSON.stringify(events)).not.toContain('tok_');
  });

  it('in an answer is the caller’s', async () => {
    const { outcome } = await seenOf({ tools: {}, replies: [answer('tok_a')], agent: { redact: [/tok_\w/] } });
    expect(outcome).toMatchObject({ ok: true, answer: 'tok_a' });
  });
});

const others: readonly [what: string, agent: Partial<AgentOptions>, deny?: string][] = [
  ['the task', { instructions: 'Use hunter22.' }],
  ['a refusal of a person', {}, 'It shows hunter22.'],
  ['checkAnswer', { checkAnswer: () => 'hunter22 is missing.' }],
  ['checkAnswer that throws', { checkAnswer: () => Promise.reject(new Error('hunter22')) }],
];

it.each(others)('not from %s', async (_what, agent, deny) => {
  const asks = deny !== undefined;
  const shown = await seenOf({
    tools: { look: gives(1, { needsApproval: asks }) },
    agent: { ...agent, redact: ['hunter22'] },
    ...(asks ? { deny } : {}),
  });
  expect(leaks(shown, 'hunter22')).toEqual([]);
  expect([...shown.channels.values()].join()).toContain('[redacted]');
});

it.each([
  ['a failure', { text: '', failure: { failure: 'refused', message: 'bad key hunter22' } } as const],
  ['a part of an answer', { text: 'Thought: x\nFinal Answer: it is hunter22', finish: 'length' } as const],
])('not from %s of the model', async (_what, reply) => {
  const shown = await seenOf({ tools: {}, replies: [reply], agent: { redact: ['hunter22'], budget: { maxSteps: 1 } } });
  expect(shown.outcome.ok).toBe(false);
  expect(leaks(shown, 'hunter22')).toEqual([]);
});

it('words of ours stay as they are, whatever is redacted', async () => {
  const redact = ['type', 'step', 'state', 'call.settled', 'succeeded', 'THOUGHT', /\d{1,9}/];
  const { events, outcome } = await seenOf({ tools: { look: returns({ type: 'step' }) }, agent: { redact } });
  expect(events.map(({ type }) => type)).toContain('call.settled');
  expect(foldTrace(events).ended).toBe(true);
  expect(outcome.steps[0]?.calls[0]).toMatchObject({ status: 'succeeded', output: { '[redacted]': '[redacted]' } });
});

it('a snapshot has the conversation without secrets, and the inputs that are still to run as they are', async () => {
  const agent = createAgent({
    model: scriptedModel([act('look'), act('send', { to: 'tok_a' })]),
    tools: { look: gives('tok_b'), send: { ...hangs(), needsApproval: true } },
    redact: [/tok_\w/],
  });
  const outcome = await agent.run('the task');
  const snapshot = outcome.ok ? undefined : outcome.snapshot;
  expect(JSON.stringify(snapshot?.history)).not.toContain('tok_');
  expect(snapshot?.context.calls[0]?.input).toEqual({ to: 'tok_a' });
});

describe('an entry that cannot be used', () => {
  it.each([
    ['a short text', ['abc']],
    ['a text of blanks', ['      ']],
    ['a short variable', [{ env: 'FUSELOOP_TEST_SECRET' }]],
  ])('%s is refused, and not shown', (_what, redact) => {
    process.env.FUSELOOP_TEST_SECRET = 'abc';
    const make = () => createAgent({ model: scriptedModel([]), redact: ['long enough', ...redact] });
    expect(make).toThrow('redact[1] is shorter than 4 characters.');
    expect(make).not.toThrow('abc');
    delete process.env.FUSELOOP_TEST_SECRET;
  });

  it('an empty one hides nothing', async () => {
    const { sent } = await seenOf({
      tools: { look: gives('seen') },
      agent: { redact: ['', { env: 'FUSELOOP_TEST_UNSET' }] },
    });
    expect(sent).toContain('seen');
  });
});
