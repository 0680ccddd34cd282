import { type FuzzTarget, feed } from './fuzz-target.ts';

export const sseTarget: FuzzTarget = {
  name: 'sse',
  tells: '',
  runs: 1,
  feed: (fc) => feed({ fc, draws: fc.nat(), holds: () => {} }),
};
