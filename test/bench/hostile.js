/** What slows readers down, each written over and over: nothing but this, up to 1 MB. */
export const hostileTexts = [
  ...['{', '[', '`', '"', "'", 'Thought:', 'Action: ', `Action:${' '.repeat(1_000_000)}`, '\n', '<think>'],
  ...['\ud83d', '\0'],
];

/** In code units. */
export const lengths = [10_000, 31_623, 100_000, 316_228, 1_000_000];
