/** What the tools of the incident demonstration know. Times are minutes before now; nothing else knows the cause. */

export interface Point {
  readonly minutesAgo: number;
  readonly value: string;
}

/** Service, then metric. */
export const metrics: ReadonlyMap<string, ReadonlyMap<string, readonly Point[]>> = new Map([
  [
    'order-service',
    new Map([
      ['5xx_rate', series('30:0.10 % 20:0.10 % 12:0.11 % 11:0.90 % 10:4.20 % 9:12.0 %')],
      ['latency_p95', series('30:180 ms 20:176 ms 12:183 ms 11:940 ms 10:2900 ms 9:5000 ms')],
    ]),
  ],
  [
    'payment-service',
    new Map([
      ['5xx_rate', series('30:0.02 % 20:0.02 % 12:0.02 % 11:0.02 % 10:0.03 % 9:0.02 %')],
      ['latency_p95', series('30:95 ms 20:97 ms 12:94 ms 11:96 ms 10:91 ms 9:88 ms')],
    ]),
  ],
  ['gateway', new Map([['5xx_rate', series('30:0.12 % 20:0.11 % 12:0.13 % 11:0.80 % 10:3.10 % 9:8.70 %')]])],
]);

function series(written: string): readonly Point[] {
  return [...written.matchAll(/(\d+):([\d.]+ \S+)/g)].map(([, minutesAgo, value = '']) => ({
    minutesAgo: Number(minutesAgo),
    value,
  }));
}

export interface LogGroup {
  readonly minutesAgo: number;
  readonly level: 'error' | 'warn' | 'info';
  readonly message: string;
  /** Equal lines within the minute. */
  readonly count: number;
}

const toOrderService = 'upstream connect error: order-service refused the connection, no free slot';

/** The gateway saw the fault itself. The others tell of a pool that was exhausted, as seen from further down. */
export const logs: ReadonlyMap<string, readonly LogGroup[]> = new Map<string, readonly LogGroup[]>([
  [
    'gateway',
    [
      { minutesAgo: 11, level: 'error', message: toOrderService, count: 9 },
      { minutesAgo: 10, level: 'error', message: toOrderService, count: 51 },
      { minutesAgo: 9, level: 'error', message: toOrderService, count: 132 },
    ],
  ],
  [
    'order-service',
    [{ minutesAgo: 9, level: 'error', message: 'connection pool exhausted while calling payment-service', count: 37 }],
  ],
  [
    'payment-service',
    [
      { minutesAgo: 26, level: 'warn', message: 'slow query: 410 ms', count: 2 },
      { minutesAgo: 9, level: 'error', message: 'connection pool exhausted, reported by order-service', count: 12 },
    ],
  ],
]);

/** Deployments are in every answer for the service where they were seen, whatever the level. */
export const deployments: ReadonlyMap<string, readonly string[]> = new Map([
  ['gateway', ['t-11m deploy order-service v2.14.0 (before: v2.13.9), all instances']],
]);

/** The files of a version; `v2.13` stands for all of v2.13.x. */
export const repository: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['order-service/config/pool.yaml', twoVersions('max_connections: 50', 'max_connections: 10')],
  [
    'order-service/CHANGELOG.md',
    twoVersions('v2.13: retries for payments', 'v2.14.0: one pool configuration for all environments'),
  ],
]);

function twoVersions(before: string, since: string): ReadonlyMap<string, string> {
  return new Map([
    ['v2.13', before],
    ['v2.14.0', since],
  ]);
}
