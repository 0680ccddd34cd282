/** The model of a simulation: says what the script says, in the words of the dialect, and breaks its contract on request. */
import type { Model, ModelEvent, ModelRequest } from '../core/model.ts';
import { scriptedModel } from '../models/scripted.ts';
import { cutInto } from './pieces.ts';
import type { Life } from './simulation-life.ts';
import type { Said, SimulatedReply, SimulationScript } from './simulation-script.ts';

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

type SaidScript = Pick<SimulationScript, 'dialect' | 'replies' | 'repeats'>;

export function simulatedModel(script: SaidScript, life: Life, ledger: ModelLedger): Model {
  return {
    provider: 'simulated',
    name: 'adversary',
    generate(request) {
      if (life.dead()) return whileAlive(life, endless('', life)); // the process is gone: nobody is asked
      const number = ledger.requests.push(request.messages) - 1;
      const reply = script.replies[Math.floor(number / script.repeats)] ?? calmReply;
      const answer = `answer ${number}`;
      const text = written(reply.said, script.dialect, answer);
      if (reply.said.says === 'text') ledger.readsAnything = true;
      if (reply.said.says === 'answer' && endsWell(reply)) ledger.answers.push(answer);
      return whileAlive(life, breached(reply, text, request, life));
    },
  };
}

const calmReply: SimulatedReply = { said: { says: 'answer' }, stream: {}, pieces: [], breach: null };

function endsWell({ stream, breach }: SimulatedReply): boolean {
  const { finish = 'stop', failure, hang } = stream;
  const whole = breach === null || breach === 'goes_on' || breach === 'return_hangs';
  return finish === 'stop' && failure === undefined && hang === undefined && whole;
}

function written(said: Said, dialect: SimulationScript['dialect'], answer: string): string {
  switch (said.says) {
    case 'text':
      return said.text;
    case 'answer':
      return forms[dialect].answer(answer);
    case 'calls':
      return said.calls.length > 1
        ? JSON.stringify({ calls: said.calls })
        : said.calls.map(({ tool, input }) => forms[dialect].call(tool, JSON.stringify(input))).join('');
    case 'fiction':
      return `${forms[dialect].call(said.tool, '{"n":0}')}\nObservation: ${fiction}\n${forms[dialect].answer(fiction)}`;
  }
}

interface Form {
  call(tool: string, input: string): string;
  answer(text: string): string;
}

const forms: { readonly [dialect in SimulationScript['dialect']]: Form } = {
  labelled: {
    call: (tool, input) => `Thought: I need data.\nAction: ${tool}\nAction Input: ${input}`,
    answer: (text) => `Thought: I know.\nFinal Answer: ${text}`,
  },
  json: {
    call: (tool, input) => `{"thought": "I need data.", "action": "${tool}", "args": ${input}}`,
    answer: (text) => JSON.stringify({ answer: text }),
  },
  several: {
    call: (tool, input) => `{"calls": [{"tool": "${tool}", "input": ${input}}]}`,
    answer: (text) => JSON.stringify({ answer: text }),
  },
};

function breached(
  { stream, pieces, breach }: SimulatedReply,
  text: string,
  request: ModelRequest,
  life: Life,
): AsyncIterator<ModelEvent> {
  const told = scriptedModel([{ ...stream, chunks: cutInto(text, pieces) }], { clock: life.world }).generate(request);
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
