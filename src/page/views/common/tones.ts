/** The colour of what became of something: the same wherever it is shown. */
export type Tone = 'good' | 'bad' | 'wait' | 'busy' | 'calm';

const tones: ReadonlyMap<string, Tone> = new Map([
  ['succeeded', 'good'],
  ['failed', 'bad'],
  ['unknown', 'bad'],
  ['refused', 'bad'],
  ['waiting', 'wait'],
  ['running', 'busy'],
]);

export const callTone = (status: string): Tone => tones.get(status) ?? 'calm';
