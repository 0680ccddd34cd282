/** The servers of a soak: each request is answered as the script of its run says, in the form of its provider. */
import { startAnthropicServer } from '../support/anthropic-server.ts';
import type { ModelServer, RequestBody } from '../support/model-server.ts';
import { startOpenaiServer } from '../support/openai-server.ts';
import type { ServerAnswer } from '../support/server-answer.ts';
import { type FaultKind, faults, type Way } from './faults.ts';
import { answerTo, type RunScript } from './script.ts';

export interface SoakServers {
  readonly urls: Readonly<Record<Way['provider'], string>>;
  /** From now on requests of this run are answered. */
  expect(script: RunScript): void;
  /** The run is over: how many requests it made. */
  forget(id: number): number;
  readonly requests: () => number;
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly sockets: { readonly open: number; readonly most: number };
  close(): Promise<void>;
}

/** How far a run is. */
interface Course {
  readonly script: RunScript;
  request: number;
  due: number;
}

/** Stands before the number of the run in its task. */
export const taskWords = 'soak run ';

export async function startServers(): Promise<SoakServers> {
  const courses = new Map<number, Course>();
  const met = new Map<FaultKind, number>();
  let requests = 0;
  let most = 0;
  const servers: ModelServer[] = [];
  const open = () => servers.reduce((sum, { sockets }) => sum + sockets.open, 0);

  const answering = (provider: Way['provider']) => (body: RequestBody) => {
    requests++;
    most = Math.max(most, open());
    const course = courses.get(runIn(body));
    // A request that nobody waits for any more, or of no run at all: the run shows it, as its count is wrong.
    if (course === undefined) return { status: 400, body: 'No such run.' };
    const dialect = course.script.lane.dialect;
    return next(course, { provider, stream: body.stream === true, dialect }, met);
  };
  const openai = await startOpenaiServer(answering('openai'), undefined, { remembers: false });
  const anthropic = await startAnthropicServer(answering('anthropic'), { remembers: false });
  servers.push(openai, anthropic);

  return {
    urls: { openai: openai.baseURL, anthropic: anthropic.baseURL },
    expect: (script) => void courses.set(script.id, { script, request: 0, due: 0 }),
    forget(id) {
      const made = courses.get(id)?.request ?? 0;
      courses.delete(id);
      return made;
    },
    requests: () => requests,
    faults: met,
    sockets: {
      get open() {
        return open();
      },
      get most() {
        return most;
      },
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function next(course: Course, way: Way, met: Map<FaultKind, number>): ServerAnswer {
  const answer = answerTo(course.script, course, way);
  const kind = course.script.faults[course.request++] ?? null;
  if (kind !== null) met.set(kind, 1 + (met.get(kind) ?? 0));
  if (kind === null || faults[kind].meaning(way).is === 'whole') course.due++;
  return answer;
}

/** The task is the first thing that a user says. */
function runIn({ messages }: RequestBody): number {
  const text = JSON.stringify(messages ?? null);
  const place = text.indexOf(taskWords);
  return place === -1 ? -1 : Number.parseInt(text.slice(place + taskWords.length, place + taskWords.length + 12), 10);
}
