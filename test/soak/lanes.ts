/** The ways through the library that runs take, each with one agent for all of its runs, as a server would have it. */
import { type Agent, createAgent, type Model, type ToolRecord, tool } from '../../src/index.ts';
import { anthropic } from '../../src/models/anthropic.ts';
import { openai } from '../../src/models/openai.ts';
import { fallback } from '../../src/models.ts';
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
export type World = string[];

export interface OpenLanes {
  agentOf(lane: Lane): Agent;
  /** Pools of connections. */
  readonly pools: number;
  close(): Promise<void>;
}

/** `silenceMs`: how long a model may say nothing. */
export function openLanes({ urls }: Pick<SoakServers, 'urls'>, silenceMs: number): OpenLanes {
  const models = new Map<string, Model & { close(): Promise<void> }>();
  const modelOf = ({ provider, stream }: Lane['models'][number]): Model => {
    const key = `${provider} ${stream}`;
    const make = { openai, anthropic }[provider];
    const model = models.get(key) ?? make({ model: key, baseURL: urls[provider], apiKey: '', stream });
    models.set(key, model);
    return model;
  };
  const agents = new Map(lanes.map((lane) => [lane.name, agentOf(lane, lane.models.map(modelOf), silenceMs)]));
  return {
    agentOf(lane) {
      const agent = agents.get(lane.name);
      if (agent === undefined) throw new Error(`There is no lane ${lane.name}.`);
      return agent;
    },
    pools: models.size,
    async close() {
      await Promise.all([...models.values()].map((model) => model.close()));
    },
  };
}

function agentOf({ dialect, modelRetries }: Lane, models: readonly Model[], silenceMs: number): Agent {
  const [only] = models;
  return createAgent({
    model: models.length === 1 && only !== undefined ? only : fallback(models),
    tools: toolRecord,
    dialect,
    modelRetries,
    budget,
    loopGuard: 'off',
    timeouts: { firstTokenMs: silenceMs, betweenTokensMs: silenceMs },
  });
}

function working(name: string, marks: object, work: () => unknown) {
  return tool({
    description: name,
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    ...marks,
    execute(input, { context }) {
      if (!Array.isArray(context)) throw new Error('A run of the soak has its world as its context.');
      context.push(`${name} ${JSON.stringify(input)}`);
      return work();
    },
  });
}

const toolRecord: ToolRecord = {
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
