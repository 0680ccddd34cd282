/** The three read-only tools of the incident demonstration. Whatever they do not know, they say what they do know. */
import type { Tool } from '../../core/tool.ts';
import { deployments, type LogGroup, logs, metrics, repository } from './incident-data.ts';

const text = (description: string) => ({ type: 'string', description });
const service = text('Such as order-service.');

interface MetricsInput {
  readonly service: string;
  readonly metric: string;
  readonly window?: string;
}

export const queryMetrics: Tool<MetricsInput> = {
  description: 'Values of one metric of one service over the last minutes.',
  inputSchema: {
    type: 'object',
    properties: { service, metric: text('Such as 5xx_rate.'), window: text('Such as 30m, which is the default.') },
    required: ['service', 'metric'],
  },
  readOnly: true,
  execute({ service, metric, window = '30m' }) {
    const ofService = known('service', service, metrics);
    const points = known(`metric of ${service}`, metric, ofService);
    const newest = points.filter(({ minutesAgo }) => minutesAgo <= minutesOf('window', window));
    return { service, metric, points: newest.map(({ minutesAgo, value }) => `t-${minutesAgo}m ${value}`) };
  },
};

interface LogsInput {
  readonly service: string;
  readonly level?: string;
  readonly since?: string;
  readonly limit?: number;
}

/** A level includes those that are worse. */
const levels: ReadonlyMap<string, readonly LogGroup['level'][]> = new Map([
  ['error', ['error']],
  ['warn', ['error', 'warn']],
  ['info', ['error', 'warn', 'info']],
]);

export const searchLogs: Tool<LogsInput> = {
  description: 'Log lines of one service, equal ones counted together, and the deployments seen there.',
  inputSchema: {
    type: 'object',
    properties: {
      service,
      level: { ...text('The least level; default error.'), enum: [...levels.keys()] },
      since: text('Such as 30m, which is the default.'),
      limit: { type: 'integer', minimum: 1, description: 'The most groups of lines; default 20.' },
    },
    required: ['service'],
  },
  readOnly: true,
  execute({ service, level = 'error', since = '30m', limit = 20 }) {
    const wanted = known('level', level, levels);
    const found = known('service', service, logs).filter(
      (group) => wanted.includes(group.level) && group.minutesAgo <= minutesOf('since', since),
    );
    return {
      service,
      matches: found.reduce((sum, { count }) => sum + count, 0),
      lines: found.slice(0, limit).map((group) => `t-${group.minutesAgo}m ${group.count}× ${group.message}`),
      linesLeftOut: Math.max(0, found.length - limit),
      deployments: deployments.get(service) ?? [],
    };
  },
};

interface FileInput {
  readonly path: string;
  readonly ref: string;
}

export const readRepoFile: Tool<FileInput> = {
  description: 'The text of one file of the repository at one version.',
  inputSchema: {
    type: 'object',
    properties: { path: text('From the root of the repository.'), ref: text('A tag such as v2.14.0.') },
    required: ['path', 'ref'],
  },
  readOnly: true,
  execute({ path, ref }) {
    const versions = known('path', path, repository);
    return known('ref', /^v2\.13\.\d+$/.test(ref) ? 'v2.13' : ref, versions);
  },
};

function known<Value>(what: string, key: string, table: ReadonlyMap<string, Value>): Value {
  const value = table.get(key);
  if (value !== undefined) return value;
  throw new Error(
    `There is no ${what} ${JSON.stringify(key)}. Known: ${[...table.keys()].join(', ')}. Use one of these.`,
  );
}

function minutesOf(field: string, written: string): number {
  const minutes = /^(?:t-)?(\d{1,5})m$/.exec(written)?.[1];
  if (minutes === undefined)
    throw new Error(`${field} is ${JSON.stringify(written)}. Write minutes such as 30m, and try again.`);
  return Number(minutes);
}
