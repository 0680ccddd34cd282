/** What a planted bug is, and the nets that are to catch it. */

export interface Bug {
  readonly what: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly caughtBy: readonly Net[];
}

export const nets = ['explorer', 'walks', 'simulator'] as const;
export type Net = (typeof nets)[number];
