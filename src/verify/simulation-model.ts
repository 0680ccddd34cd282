/** The model of a simulation: says what the script says, in the words of the dialect, and breaks its contract on request. */
import type { Model, ModelEvent, ModelRequest } from '../core/model.ts';
import { type ScriptedCall, type ScriptedReply, scriptedModel } from '../models/scripted.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { formOf, namesIn } from './arbitrary-reply.ts';
import { cutInto } from './pieces.ts';
import type { Life } from './simulation-life.ts';
import type { Said, SimulatedCall, SimulatedReply } from './simulation-replies.ts';
import type { SimulationScript } from './simulation-script.ts';

/** A request, and what was handed over for it. */
export interface Asked extends Pick<ModelRequest, 'messages' | 'step' | 'attempt'> {
  /** The process that asked. */
  readonly life: Life;
  /** Of the world, which goes on while a process is dead. */
  readonly atMs: number;
  /** How its reply ended, as far as the loop was told before it left. */
  ended: 'not' | 'well' | 'failed';
  /** Where it failed and may be asked for again: the moment of the world before which that is too early. Else null. */
  againAtMs: number | null;
}

/** Every request and every answer that may count, over all lives. */
export interface ModelLedger {
  readonly requests: Asked[];
  /** Answers in replies that ended well. */
  readonly answers: string[];
  /** Text went out that may be read as any answer; whether it is read well is the matter of the reader's own tests. */
  readsAnything: boolean;
}

/** What the model makes up behind a call; it must never be taken for an answer. */
export const fiction = 'made up';

/** Stands in the thought, the inputs and the answer of a reply that is to fail, as far as it comes. */
export function tornMark(number: number): string {
  return `torn_${number}_`;
}

type SaidScript = Pick<SimulationScript, 'replies' | 'repeats'> & {
  readonly dialect: Dialect;
  /** The names of the agent's tools, in their order. */
  readonly tools: readonly string[];
};

export function simulatedModel(script: SaidScript, life: Life, ledger: ModelLedger): Model {
  return {
    provider: 'simulated',
    name: 'adversary',
    generate(request) {
      if (life.dead()) return whileAlive(life, endless('', life)); // the process is gone: nobody is asked
      const { messages, step, attempt } = request;
      const atMs = life.world.monotonicMs();
      const asked: Asked = { messages, step, attempt, life, atMs, ended: 'not', againAtMs: null };
      const number = ledger.requests.push(asked) - 1;
      const reply = script.replies[Math.floor(number / script.repeats)] ?? calmReply;
      const answer = `answer ${number}`;
      const words =
        reply.stream.failure === undefined ? written(reply.said, script, answer) : torn(reply, script, number);
      if (reply.said.says === 'text') ledger.readsAnything = true;
      if (reply.said.says === 'answer' && endsWell(reply)) ledger.answers.push(answer);
      const events = passedOn(reply.passedOn, breached(reply, words, request, life));
      return whileAlive(life, noted(events, asked));
    },
  };
}

const calmReply: SimulatedReply = {
  said: { says: 'answer' },
  stream: {},
  kept: 1,
  passedOn: 0,
  pieces: [],
  breach: null,
};

function endsWell({ stream, breach }: SimulatedReply): boolean {
  const { finish = 'stop', failure, hang } = stream;
  const whole = breach === null || breach === 'goes_on' || breach === 'return_hangs';
  return finish === 'stop' && failure === undefined && hang === undefined && whole;
}

/** What a reply is made of. */
type Words = Required<Pick<ScriptedReply, 'text' | 'calls'>>;

function written(said: Said, { dialect, tools }: SaidScript, answer: string, thought = 'I need data.'): Words {
  const form = formOf(dialect);
  switch (said.says) {
    case 'text':
      return { text: said.text, calls: said.calls };
    case 'answer':
      return { text: form.answer(thought, answer), calls: [] };
    case 'calls':
      return calling(said.calls, { dialect, tools, thought });
    case 'fiction': {
      const called = calling([{ tool: said.tool, input: { n: 0 } }], { dialect, tools, thought });
      const observation = form.observation?.(fiction) ?? `Observation: ${fiction}`;
      return { ...called, text: [called.text, observation, form.answer('I know.', fiction)].join('\n') };
    }
  }
}

/** Marked, and cut where it fails. */
function torn({ said, kept }: SimulatedReply, script: SaidScript, number: number): Words {
  const mark = tornMark(number);
  const marked: Said =
    said.says === 'calls'
      ? { says: 'calls', calls: said.calls.map(({ tool }) => ({ tool, input: { n: mark } })) }
      : said;
  const { text, calls } = written(marked, script, mark, mark);
  if (kept === 1) return { text, calls };
  if (calls.length === 0) return { text: text.slice(0, Math.floor(text.length * kept)), calls };
  return { text, calls: calls.map((call) => ({ ...call, inputText: startOf(call, kept) })) };
}

function startOf({ input = {}, inputText = JSON.stringify(input) }: ScriptedCall, share: number): string {
  return inputText.slice(0, Math.floor(inputText.length * share));
}

/** In the provider's own form, in the text, or in that of the dialect in which a text has several. */
function calling(
  calls: readonly SimulatedCall[],
  { dialect, tools, thought }: Pick<SaidScript, 'dialect' | 'tools'> & { readonly thought: string },
): Words {
  if (dialect.wire !== undefined) return { text: thought, calls };
  if (calls.length > 1) return { text: JSON.stringify({ calls }), calls: [] };
  const named = namesIn(dialect, tools);
  const form = formOf(dialect);
  return { text: calls.map(({ tool, input }) => form.call(thought, named(tool), input)).join(''), calls: [] };
}

function breached(
  { stream, pieces, breach }: SimulatedReply,
  { text, calls }: Words,
  request: ModelRequest,
  life: Life,
): AsyncIterator<ModelEvent> {
  const reply = { ...stream, chunks: cutInto(text, pieces), calls };
  const told = scriptedModel([reply], { clock: life.world, chunkSize: pieces[0] || 7 }).generate(request);
  const events = told[Symbol.asyncIterator]();
  switch (breach) {
    case null:
      return events;
    case 'throws':
      throw new Error('The adapter threw.');
    case 'endless':
      return endless('word ', life);
    case 'endless_empty':
      return endless('', life);
    case 'goes_on':
      return { next: async () => asGoing(await events.next()) };
    case 'no_event':
      return { next: async () => ({ done: false, value: JSON.parse('null') }) };
    case 'return_hangs':
      return { next: () => events.next(), return: () => new Promise(() => {}) };
    case 'silent_end':
      return { next: async () => ({ done: true, value: undefined }) };
  }
}

/** Each model that it was passed on to is told of before the reply begins. */
function passedOn(count: number, events: AsyncIterator<ModelEvent>): AsyncIterator<ModelEvent> {
  if (count === 0) return events;
  let told = 0;
  return {
    next: async () =>
      told < count
        ? { done: false, value: { type: 'model', provider: 'simulated', name: `model ${++told}` } }
        : events.next(),
    return: () => events.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  };
}

/** Keeps how the reply ended, unless the loop had left it by then. */
function noted(events: AsyncIterator<ModelEvent>, asked: Asked): AsyncIterator<ModelEvent> {
  let left = false;
  return {
    async next() {
      const result = await events.next();
      if (asked.ended === 'not' && !left && result.done !== true) note(asked, result.value);
      return result;
    },
    return() {
      left = true;
      return events.return?.() ?? Promise.resolve({ done: true, value: undefined });
    },
  };
}

function note(asked: Asked, event: ModelEvent | null): void {
  if (event?.type === 'end') asked.ended = 'well';
  if (event?.type !== 'failed') return;
  asked.ended = 'failed';
  if (event.retry !== undefined) asked.againAtMs = asked.life.world.monotonicMs() + (event.retry.afterMs ?? 0);
}

/** It goes on after its end, for ever. */
function asGoing(result: IteratorResult<ModelEvent>): IteratorResult<ModelEvent> {
  return result.done === true ? { done: false, value: { type: 'end', finish: 'stop', usage: null } } : result;
}

/** Pieces that are always ready; now and then some time passes, as it does in the world. */
function endless(text: string, life: Life): AsyncIterator<ModelEvent> {
  let count = 0;
  return {
    async next() {
      if (++count % 200 === 0) await new Promise<void>((resolve) => life.world.setTimer(5_000, resolve));
      return { done: false, value: { type: 'text', text } };
    },
  };
}

function whileAlive(life: Life, events: AsyncIterator<ModelEvent>): AsyncIterable<ModelEvent> {
  const iterator = {
    next: () => life.while(events.next()),
    return: (): Promise<IteratorResult<ModelEvent>> =>
      life.while(events.return?.() ?? Promise.resolve({ done: true, value: undefined })),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
