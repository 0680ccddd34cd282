import { type FuzzTarget, feed } from './fuzz-target.ts';

export const journalTarget: FuzzTarget = {
  name: 'journal',
  tells: '',
  runs: 1,
  feed: (fc) => feed({ fc, draws: fc.nat(), holds: () => {} }),
};
