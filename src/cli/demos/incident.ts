/**
 * An incident as an agent works through it: a false trail, a reply without form that the loop answers with a
 * [FormatError], a wrong path that the tool answers with an error, and a root cause. Nine steps.
 */
import { answerText, type Demo, demoModel, stepText } from './demo.ts';
import { queryMetrics, readRepoFile, searchLogs } from './incident-tools.ts';

const replies = [
  stepText('First I want to see when the errors began and how fast they grew.', 'query_metrics', {
    service: 'order-service',
    metric: '5xx_rate',
    window: '30m',
  }),
  stepText(
    'The rate was flat until t-12m and stands at 12 % since t-9m. What does the service itself log?',
    'search_logs',
    {
      service: 'order-service',
      level: 'error',
      since: '15m',
    },
  ),
  stepText(
    'The connection pool towards payment-service is exhausted, so payment-service may be the slow one. I check it.',
    'query_metrics',
    { service: 'payment-service', metric: '5xx_rate', window: '30m' },
  ),
  'payment-service has been healthy all along, so the pool was only where the fault was seen. The gateway stands in front of all services; its logs should show what changed.',
  stepText('payment-service was a false trail. The gateway should show what changed at t-11m.', 'search_logs', {
    service: 'gateway',
    level: 'error',
    since: '15m',
  }),
  stepText(
    '192 connect errors to order-service, right behind the deploy of v2.14.0. A pool setting may have changed with it.',
    'read_repo_file',
    { path: 'config/pool.yaml', ref: 'v2.14.0' },
  ),
  stepText('That path was wrong; the error lists the right one.', 'read_repo_file', {
    path: 'order-service/config/pool.yaml',
    ref: 'v2.14.0',
  }),
  stepText('10 connections are few. What was it before?', 'read_repo_file', {
    path: 'order-service/config/pool.yaml',
    ref: 'v2.13.9',
  }),
  answerText(
    'The pool was cut from 50 to 10 by the release that went out at t-11m, when the errors began. That is the cause.',
    `Root cause: v2.14.0 of order-service, deployed at t-11m, cut its connection pool (max_connections) from 50 to 10. Under normal load the pool is full: the gateway counts 192 refused connections and the 5xx rate rose from 0.1 % to 12 % in three minutes. payment-service is healthy.
What to do: roll order-service back to v2.13.9 now. Then set max_connections to 50 in order-service/config/pool.yaml, release it as a new version, and alert on a full pool.`,
  ),
];

export const incidentDemo: Demo = {
  name: 'incident',
  task: 'The 5xx rate of the order service rose from 0.1 % to 12 % within three minutes. Find the root cause and say what to do.',
  tools: { query_metrics: queryMetrics, search_logs: searchLogs, read_repo_file: readRepoFile },
  model: (clock) => demoModel('incident-demo', replies, clock),
};
