/** Something is done to the world, so a person is asked: a service is rolled back. Three steps. */
import type { Tool } from '../../core/tool.ts';
import { answerText, type Demo, demoModel, stepText } from './demo.ts';
import { queryMetrics } from './incident-tools.ts';

interface RollbackInput {
  readonly service: string;
  readonly version: string;
}

/** Marked as what it would be. In the demonstration nothing but the result is made. */
const rollBack: Tool<RollbackInput> = {
  description: 'Rolls a service back to an earlier version, on all instances.',
  inputSchema: {
    type: 'object',
    properties: {
      service: { type: 'string', description: 'Such as order-service.' },
      version: { type: 'string', description: 'Such as v2.13.9.' },
    },
    required: ['service', 'version'],
  },
  sideEffect: true,
  execute: ({ service, version }) => `${service} runs ${version} on all instances (in this demonstration: nowhere)`,
};

const replies = [
  stepText('Before I change anything I look whether the errors go on.', 'query_metrics', {
    service: 'order-service',
    metric: '5xx_rate',
    window: '15m',
  }),
  stepText('12 % and not falling. v2.13.9 was healthy, so I roll back to it.', 'roll_back', {
    service: 'order-service',
    version: 'v2.13.9',
  }),
  (request: { readonly messages: readonly { readonly content: string }[] }) => {
    const told = request.messages.at(-1)?.content ?? '';
    const done = / runs (\S+) on all instances/.exec(told)?.[1];
    return done === undefined
      ? answerText('It was not rolled back.', 'Nothing was changed: the order service still runs v2.14.0, and fails.')
      : answerText('That is done.', `The order service was rolled back and runs ${done}.`);
  },
];

export const rollbackDemo: Demo = {
  name: 'rollback',
  task: 'The order service fails since the release of v2.14.0. Roll it back to v2.13.9.',
  tools: { query_metrics: queryMetrics, roll_back: rollBack },
  model: (clock) => demoModel('rollback-demo', replies, clock),
};
