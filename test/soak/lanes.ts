/** The ways through the library that runs take, each with one agent for all of its runs, as a server would have it. */

import { defaults } from '../../src/core/limits.ts';
import type { ToolMarks } from '../../src/core/tool.ts';
import { type Agent, createAgent, type Model, type ToolRecord, tool } from '../../src/index.ts';
import { anthropic } from '../../src/models/anthropic.ts';
import { openai } from '../../src/models/openai.ts';
import { fallback } from '../../src/models.ts';
import type { Store } from '../../src/store.ts';
import { budget } from './implied.ts';
import type { Lane } from './script.ts';
import type { SoakServers } from './server.ts';

const first = { provider: 'openai', stream: true } as const;
const second = { provider: 'anthropic', stream: true } as const;
const inOnePiece = { provider: 'openai', stream: false } as const;
const third = { provider: 'anthropic', stream: false } as const;

const chains = [[first], [second], [inOnePiece], [third], [first, second], [inOnePiece, first]] as const;

/** Each chain in both dialects, with different numbers of tries. */
export const lanes: readonly Lane[] = chains.flatMap((models, index) =>
  (['labelled', 'native'] as const).map((dialect, place): Lane => {
    const modelRetries = (index + 2 * place) % 4;
    const names = models.map(({ provider, stream }) => `${provider} ${stream ? 'streamed' : 'in one piece'}`);
    return {
      name: `${names.join(', then ')}; ${dialect}; modelRetries ${modelRetries}`,
      dialect,
      models,
      modelRetries,
    };
  }),
);

/** What a run did in the world; passed to its tools as the context of the run. */
export interface World {
  readonly done: string[];
  /** The idempotency keys of effects, as often as each was done. */
  readonly keys: string[];
  /** Ends the run that goes on. */
  abort: () => void;
}

export interface OpenLanes {
  /** Stored runs have an agent for each store, as each process would. */
  agentOf(lane: Lane, life?: number): Agent;
  /** Pools of connections. */
  readonly pools: number;
  close(): Promise<void>;
}

/** `silenceMs`: how long a model may say nothing. `stores`: none where runs are not stored. */
export function openLanes(
  { urls }: Pick<SoakServers, 'urls'>,
  { silenceMs, stores }: { readonly silenceMs: number; readonly stores: readonly Store[] },
): OpenLanes {
  const models = new Map<string, Model & { close(): Promise<void> }>();
  const modelOf = ({ provider, stream }: Lane['models'][number]): Model => {
    const key = `${provider} ${stream}`;
    const make = { openai, anthropic }[provider];
    const model = models.get(key) ?? make({ model: key, baseURL: urls[provider], apiKey: '', stream });
    models.set(key, model);
    return model;
  };
  const agentsOf = (lane: Lane) => {
    const shared = laneOptions(lane, lane.models.map(modelOf), silenceMs);
    if (stores.length === 0) return [createAgent({ ...shared, tools })];
    return stores.map((store) => createAgent({ ...shared, tools: { ...tools, ...toolsOfStored }, store }));
  };
  const agents = new Map(lanes.map((lane) => [lane.name, agentsOf(lane)]));
  return {
    agentOf(lane, life = 0) {
      const all = agents.get(lane.name) ?? [];
      const agent = all[life % all.length];
      if (agent === undefined) throw new Error(`There is no lane ${lane.name}.`);
      return agent;
    },
    pools: models.size,
    async close() {
      await Promise.all([...models.values()].map((model) => model.close()));
    },
  };
}

function laneOptions({ dialect, modelRetries }: Lane, models: readonly Model[], silenceMs: number) {
  const [only] = models;
  return {
    model: models.length === 1 && only !== undefined ? only : fallback(models),
    dialect,
    modelRetries,
    budget,
    loopGuard: 'off',
    timeouts: {
      firstTokenMs: silenceMs,
      betweenTokensMs: silenceMs,
      hookMs: Math.max(defaults.timeouts.hookMs, silenceMs), // the store, too, is on a machine that is slow
    },
  } as const;
}

function working(
  name: string,
  marks: ToolMarks & { readonly needsApproval?: boolean },
  work: (world: World) => unknown,
) {
  return tool({
    description: name,
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    ...marks,
    execute(input, { context, idempotencyKey }) {
      if (!isWorld(context)) throw new Error('A run of the soak has its world as its context.');
      context.done.push(`${name} ${JSON.stringify(input)}`);
      if (marks.readOnly !== true) context.keys.push(idempotencyKey);
      return work(context);
    },
  });
}

function isWorld(value: unknown): value is World {
  return typeof value === 'object' && value !== null && 'done' in value && 'keys' in value && 'abort' in value;
}

const tools: ToolRecord = {
  look: working('look', { readOnly: true }, () => 'It is 18 °C.'),
  wait: working(
    'wait',
    { readOnly: true },
    () => new Promise((resolve) => setTimeout(resolve, 3, 'It is still 18 °C.')),
  ),
  save: working('save', { sideEffect: true, needsApproval: false }, () => 'saved'),
  fail: working('fail', { readOnly: true }, () => {
    throw new Error('the disk is full');
  }),
};

const toolsOfStored: ToolRecord = {
  send: working('send', { sideEffect: true }, () => 'sent'),
  haltRead: working('haltRead', { readOnly: true }, (world) => halted(world, 'It is 18 °C again.')),
  haltEffect: working('haltEffect', {}, (world) => halted(world, 'halted')),
};

/** The first of them in a run ends the run, and gives no result; the same read gives one when it is made again. */
function halted(world: World, result: string): unknown {
  const last = world.done.at(-1);
  if (world.done.filter((one) => one === last).length > 1) return result;
  setImmediate(() => world.abort()); // a run that is taken up starts its call before it is handed out
  return new Promise(() => {});
}
