/** The model of a simulation: says what the script says, in the words of the dialect, and breaks its contract on request. */
import type { Model, ModelEvent, ModelRequest } from '../core/model.ts';
import { type ScriptedReply, scriptedModel } from '../models/scripted.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { formOf, namesIn } from './arbitrary-reply.ts';
import { cutInto } from './pieces.ts';
import type { Life } from './simulation-life.ts';
import type { Said, SimulatedCall, SimulatedReply, SimulationScript } from './simulation-script.ts';

/** Every request and every answer that may count, over all lives. */
export interface ModelLedger {
  readonly requests: ModelRequest['messages'][];
  /** Answers in replies that ended well. */
  readonly answers: string[];
  /** Text went out that may be read as any answer; whether it is read well is the matter of the reader's own tests. */
  readsAnything: boolean;
}

/** What the model makes up behind a call; it must never be taken for an answer. */
export const fiction = 'made up';

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
      const number = ledger.requests.push(request.messages) - 1;
      const reply = script.replies[Math.floor(number / script.repeats)] ?? calmReply;
      const answer = `answer ${number}`;
      const words = written(reply.said, script, answer);
      if (reply.said.says === 'text') ledger.readsAnything = true;
      if (reply.said.says === 'answer' && endsWell(reply)) ledger.answers.push(answer);
      return whileAlive(life, breached(reply, words, request, life));
    },
  };
}

const calmReply: SimulatedReply = { said: { says: 'answer' }, stream: {}, pieces: [], breach: null };

function endsWell({ stream, breach }: SimulatedReply): boolean {
  const { finish = 'stop', failure, hang } = stream;
  const whole = breach === null || breach === 'goes_on' || breach === 'return_hangs';
  return finish === 'stop' && failure === undefined && hang === undefined && whole;
}

/** What a reply is made of. */
type Words = Required<Pick<ScriptedReply, 'text' | 'calls'>>;

function written(said: Said, { dialect, tools }: SaidScript, answer: string): Words {
  const form = formOf(dialect);
  switch (said.says) {
    case 'text':
      return { text: said.text, calls: said.calls };
    case 'answer':
      return { text: form.answer('I know.', answer), calls: [] };
    case 'calls':
      return calling(said.calls, dialect, tools);
    case 'fiction': {
      const called = calling([{ tool: said.tool, input: { n: 0 } }], dialect, tools);
      const observation = form.observation?.(fiction) ?? `Observation: ${fiction}`;
      return { ...called, text: [called.text, observation, form.answer('I know.', fiction)].join('\n') };
    }
  }
}

/** In the provider's own form, in the text, or in that of the dialect in which a text has several. */
function calling(calls: readonly SimulatedCall[], dialect: Dialect, tools: readonly string[]): Words {
  const thought = 'I need data.';
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
