import { type FuzzTarget, feed } from './fuzz-target.ts';

export const snapshotTarget: FuzzTarget = {
  name: 'snapshot',
  tells: '',
  runs: 1,
  feed: (fc) => feed({ fc, draws: fc.nat(), holds: () => {} }),
};
