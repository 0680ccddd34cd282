/** The fuzzer holds what ships, finds what is planted, makes it small, and finds the very same again by seed and path. */
import { describe, expect, it } from 'vitest';
import { createReactMachine } from '../../machines/react.machine.ts';
import { AgentError } from '../../src/core/errors.ts';
import type { ModelEvent } from '../../src/core/model.ts';
import type { Mark } from '../../src/core/reading.ts';
import type { ReadOptions } from '../../src/models/http/exchange.ts';
import type { HttpReply } from '../../src/models/http/send.ts';
import { readDocument, readStream } from '../../src/models/openai/reply.ts';
import type { Dialect } from '../../src/protocol/dialect.ts';
import { labelled } from '../../src/protocol/labelled.ts';
import { tool } from '../../src/tool.ts';
import { foldTrace } from '../../src/verify/fold.ts';
import { type FuzzOptions, type FuzzResult, fuzz, fuzzTargetNames, tryTargets } from '../../src/verify/fuzz.ts';
import { journalTarget } from '../../src/verify/fuzz-journal.ts';
import { ownResume } from '../../src/verify/fuzz-runs.ts';
import { snapshotTarget } from '../../src/verify/fuzz-snapshot.ts';
import { sseTarget } from '../../src/verify/fuzz-sse.ts';
import type { FuzzTarget } from '../../src/verify/fuzz-target.ts';

const told = ({ failure }: FuzzResult) =>
  failure === null ? null : `${failure.message}\n${failure.example}\n${failure.replay}`;

describe('what ships holds', () => {
  it.each([
    ['reader', 600],
    ['machine', 1_000],
    ['dispatch', 800],
    ['sse', 2_000],
    ['snapshot', 500],
    ['journal', 400],
  ])('%s', { timeout: 120_000 }, async (target, runs) => {
    const result = await fuzz({ target, runs });
    expect(told(result)).toBeNull();
    expect(result).toMatchObject({ ok: true, runs, interrupted: false, targets: [{ target, runs, ok: true }] });
  });

  it('all goes through each of them', { timeout: 120_000 }, async () => {
    const result = await fuzz({ runs: 5 });
    expect(result.targets.map(({ target }) => target)).toEqual(fuzzTargetNames.filter((name) => name !== 'all'));
    expect(result.runs).toBe(5 * result.targets.length);
  });
});

/** The dialect labelled with one thing changed in what its scanner does. */
function changedDialect(change: (feed: (chunk: string) => void, chunk: string) => void): Dialect {
  return {
    ...labelled,
    scanner(options) {
      const scanner = labelled.scanner(options);
      return {
        ...scanner,
        feed(chunk) {
          const marks: ReturnType<typeof scanner.feed>[number][] = [];
          change((text) => marks.push(...scanner.feed(text)), chunk);
          return marks;
        },
      };
    },
  };
}

const losesSpaces = changedDialect((feed, chunk) => feed(chunk.trimEnd()));
const trips = changedDialect((feed, chunk) => {
  if (chunk.includes('```json')) throw new TypeError('no fences, please');
  feed(chunk);
});
/** An answer behind an action is believed. */
const believes: Dialect = {
  ...labelled,
  scanner(options) {
    const scanner = labelled.scanner(options);
    const stops: string[] = [];
    const seen = (marks: readonly Mark[]) => {
      stops.push(...marks.map(({ stop }) => stop));
      return marks;
    };
    return {
      ...scanner,
      feed: (chunk) => seen(scanner.feed(chunk)),
      end() {
        const { marks, reading } = scanner.end();
        const answer = 'dropped' in reading ? /Final Answer: (.+)/.exec(reading.dropped ?? '')?.[1] : undefined;
        seen(marks);
        if (answer === undefined) return { marks, reading };
        const mark: Mark = { stop: 'answer', thought: reading.thought, calls: [] };
        return {
          marks: stops.includes('answer') ? marks : [...marks, mark],
          reading: { kind: 'answer', thought: reading.thought, answer },
        };
      },
    };
  },
};

const schema = { type: 'object', properties: { city: { type: 'string' } } } as const;
const tools = {
  weather: tool({ inputSchema: schema, readOnly: true, execute: ({ city }) => String(city ?? null).length }),
  breaks: tool({
    inputSchema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
    execute: (input) => Reflect.get(Object(Reflect.get(input, 'city')), 'at').call(null, 0),
  }),
};
const throwingSchema = tool({
  inputSchema: {
    '~standard': {
      version: 1,
      vendor: 'x',
      validate: () => {
        throw new Error('a defect of the schema');
      },
    },
  },
  execute: () => 1,
});

/** Each piece is decoded by itself, so that a character which is cut is lost. */
async function* cutsCharacters(reply: Pick<HttpReply, 'bytes'>, options: ReadOptions): AsyncGenerator<ModelEvent> {
  async function* decoded() {
    for await (const piece of reply.bytes) yield new TextEncoder().encode(new TextDecoder().decode(piece));
  }
  yield* readStream({ ...reply, bytes: decoded() }, options);
}

async function* endsTwice(reply: Pick<HttpReply, 'bytes'>, options: ReadOptions): AsyncGenerator<ModelEvent> {
  yield* readStream(reply, options);
  yield { type: 'end', finish: 'stop', usage: null };
}

const document = readDocument;
const target = (name: string) => ({ target: name });
type Plant = readonly [what: string, plant: FuzzOptions | FuzzTarget, runs: number, message: RegExp];

const plants: readonly Plant[] = [
  [
    'a dialect that loses spaces at the end of a piece',
    { ...target('reader'), dialect: losesSpaces },
    2_000,
    /read in another way/,
  ],
  [
    'a dialect that throws',
    { ...target('reader'), dialect: trips },
    2_000,
    /^It threw TypeError: no fences.*fuzz\.test/,
  ],
  [
    'a dialect that believes an answer behind an action',
    { ...target('reader'), dialect: believes },
    2_000,
    /An answer was taken from behind an action|a mark carries a call, and the reading none/,
  ],
  [
    'a machine that forgets a budget',
    { ...target('machine'), machine: createReactMachine().provide({ guards: { stepsSpent: () => false } }) },
    2_000,
    /breaks the law "/,
  ],
  [
    'a machine whose guard throws',
    {
      ...target('machine'),
      machine: createReactMachine().provide({
        guards: {
          looping: () => {
            throw new Error('a guard broke');
          },
        },
      }),
    },
    500,
    /The machine failed on .*a guard broke/,
  ],
  ['a tool that breaks on what its schema accepts', { ...target('dispatch'), tools }, 500, /breaks threw TypeError/],
  [
    'a schema that throws',
    { ...target('dispatch'), tools: { throwingSchema } },
    100,
    /schema of throwingSchema threw.*defect/,
  ],
  ['a reader that cuts characters', sseTarget({ stream: cutsCharacters, document }), 2_000, /read in another way/],
  ['a reader that ends twice', sseTarget({ stream: endsTwice, document }), 100, /The reply has 2 ends/],
  [
    'a resume that trusts its document',
    snapshotTarget((agent, from) => {
      const given = Object(Reflect.get(Object(from), 'context'));
      Reflect.get(given, 'calls').map(() => null);
      return ownResume(agent, from);
    }),
    3_000,
    /^It threw TypeError/,
  ],
  [
    'a fold that counts no events',
    journalTarget((events, options) =>
      foldTrace(
        events.map((event, sequence) => (event.type === 'run.resumed' ? event : { ...event, sequence })),
        options,
      ),
    ),
    3_000,
    /another (end|context)|threw|is refused/,
  ],
  [
    'a fold through another machine than recorded the trace',
    journalTarget((events) =>
      foldTrace(events, { machine: createReactMachine().provide({ guards: { answerPresent: () => false } }) }),
    ),
    2_000,
    /A trace that is whole is refused: Event \d+ \(.*\)/,
  ],
];

describe('what is planted is found, and found again', () => {
  it.each(plants)('%s', { timeout: 120_000 }, async (_what, plant, runs, message) => {
    const options: FuzzOptions = 'feed' in plant ? { target: plant.name } : plant;
    const attempt = (more: FuzzOptions) =>
      'feed' in plant ? tryTargets([plant], { ...options, ...more }) : fuzz({ ...options, ...more });
    const { ok, failure } = await attempt({ seed: 7, runs });
    expect(ok).toBe(false);
    if (failure === null) return;
    expect(failure.message).toMatch(message);
    expect(failure.replay).toBe(`fuseloop fuzz --target ${options.target} --seed 7 --path ${failure.path}`);
    const again = await attempt({ seed: 7, path: failure.path });
    expect(again.failure).toEqual({ ...failure, shrinks: expect.any(Number) });
    expect(again.runs).toBeLessThanOrEqual(runs);
    expect(JSON.parse(JSON.stringify(again))).toEqual(again);
  });

  it('a counterexample is made small', async () => {
    const { failure } = await fuzz({ target: 'reader', dialect: losesSpaces, seed: 7, runs: 2_000 });
    const { reply } = JSON.parse(failure?.example ?? '{}');
    expect(failure?.shrinks).toBeGreaterThan(0);
    expect(reply.length).toBeLessThan(80);
  });
});

describe('options', () => {
  it.each<[FuzzOptions, string, string]>([
    [{ target: 'raeder' }, 'target is "raeder".', 'reader, machine'],
    [{ runs: 0 }, 'runs is 0.', 'from 1'],
    [{ runs: 1.5 }, 'runs is 1.5.', 'whole number'],
    [{ seed: 0.5 }, 'seed is 0.5.', '32 bits'],
    [{ seed: 2 ** 40 }, 'seed is 1099511627776.', '32 bits'],
    [{ path: 'x' }, 'path is "x".', '17:0:3'],
    [{ path: '1:2', seed: 3 }, 'path is given without', 'all three'],
    [{ path: '1:2', target: 'reader' }, 'path is given without', 'all three'],
    [{ dialect: 'morse' }, 'There is no dialect "morse".', 'labelled, '],
  ])('%j is refused', async (options, message, hint) => {
    const thrown: unknown = await fuzz(options).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(AgentError);
    expect(thrown).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  it('the same seed draws the same examples', async () => {
    const draws = async (seed: number) => (await fuzz({ target: 'reader', dialect: losesSpaces, seed })).failure;
    expect(await draws(11)).toEqual(await draws(11));
    expect((await draws(-12))?.replay).toContain('--seed=-12');
  });
});

it('ends early when its signal is aborted, and says how far it came', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const result = await fuzz({
    runs: 1_000_000,
    signal: stop.signal,
    onProgress: ({ target: name, runs, of }) => {
      seen.push(`${name} ${runs} ${of}`);
      if (runs === 30) stop.abort();
    },
  });
  expect(result).toMatchObject({ ok: false, interrupted: true, failure: null, targets: [{ target: 'reader' }] });
  expect(result.runs).toBe(31);
  expect(seen[3]).toBe('reader 3 1000000');
  const before = AbortSignal.abort();
  expect(await fuzz({ signal: before })).toMatchObject({ ok: false, interrupted: true, runs: 0, targets: [] });
});
