/** The model of a case: its script, or an OpenAI-compatible server on the loopback. Every request is written down. */
import type { Model, ModelEvent, ModelRequest } from '../../src/index.ts';
import { type ScriptEntry, scriptedModel } from '../../src/testing.ts';
import { type OpenaiServer, type RequestBody, type ServerAnswer, startOpenaiServer } from '../support/openai-server.ts';
import type { Case, GivenAnswer } from './format.ts';
import type { Seen } from './seen.ts';
import type { Life } from './tools.ts';
import { requestSeen } from './wire.ts';

/** Where the replies of a case come from, over all its processes. */
export interface Source {
  /** A model for one process. */
  readonly model: (life: Life) => Model;
  /** Requests whose answers are neither complete nor broken off. */
  readonly unfinished: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export function scriptedSource(script: readonly ScriptEntry[], { stream }: Case['given'], seen: Seen): Source {
  return {
    model(life) {
      const rest = script.slice(seen.modelCalls);
      const clock = life.clock.forAgent;
      const inner = scriptedModel(rest, {
        ...(clock === null ? {} : { clock }),
        ...(stream === true ? { chunkSize: 5 } : {}),
      });
      return {
        provider: 'scripted',
        name: 'script',
        generate(request) {
          seen.requests.push(requestSeen(request, seen.nowMs()));
          if (seen.modelCalls >= script.length)
            seen.broken.push(`a model call more than the script has replies (${script.length})`);
          return inner.generate(request);
        },
      };
    },
    unfinished: async () => 0,
    close: async () => {},
  };
}

export async function httpSource(answers: readonly GivenAnswer[], seen: Seen): Promise<Source> {
  const server = await startOpenaiServer((body) => {
    const answer = answers[seen.requests.length];
    seen.requests.push(requestOf(body, seen.nowMs()));
    if (answer === undefined) seen.broken.push(`an HTTP request more than there are answers (${answers.length})`);
    return answer === undefined ? { status: 500, body: 'The script is used up.' } : answerOf(answer);
  });
  // Loaded only here: most cases have no network, and undici takes long to load.
  const { openai } = await import('../../src/models/openai.ts');
  const models: { close(): Promise<void> }[] = [];
  return {
    model() {
      const model = openai({ model: 'case', baseURL: server.baseURL, apiKey: '' });
      models.push(model);
      return model;
    },
    unfinished: () => unfinishedOf(server),
    async close() {
      await Promise.all(models.map((model) => model.close()));
      await server.close();
    },
  };
}

function requestOf({ messages, ...params }: RequestBody, atMs: number) {
  return { messages: Array.isArray(messages) ? messages : [], params, atMs };
}

/** Text and bytes may be mixed: all become bytes, and each piece is written on its own. */
function answerOf({ status = 200, headers, body, chunks, end, delayMs }: GivenAnswer): ServerAnswer {
  const bytes = chunks?.map((piece) => (typeof piece === 'string' ? Buffer.from(piece).toString('hex') : piece.hex));
  const type = status === 200 && chunks !== undefined ? 'text/event-stream' : 'application/json';
  return {
    status,
    headers: { 'content-type': type, ...headers },
    ...(bytes === undefined
      ? { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }
      : { hexChunks: bytes }),
    ...(end === undefined ? {} : { end }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

async function unfinishedOf({ requests }: OpenaiServer): Promise<number> {
  const over = await Promise.all(
    requests.map((request) =>
      Promise.race([request.over.then(() => true), new Promise((no) => setImmediate(no, false))]),
    ),
  );
  return over.filter((isOver) => !isOver).length;
}

/** Tells of each call before it is made, and lets nothing out of a process that is dead. */
export function watched(model: Model, life: Life, seen: Seen, before: (request: ModelRequest) => void): Model {
  return {
    provider: model.provider,
    name: model.name,
    generate(request) {
      before(request);
      if (!life.alive) return silence;
      const stream = model.generate(request);
      seen.modelCalls++;
      return stream;
    },
  };
}

const silence: AsyncIterable<ModelEvent> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
};
