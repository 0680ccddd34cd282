/** The keys of runs that are not held any more, as far back as they are remembered. Pure. */

export interface Gone {
  add(key: string, version: number): void;
  /** Those that have gone since; null where some of them are forgotten. */
  since(version: number): readonly string[] | null;
}

/** So many are remembered at least. */
const mostKeys = 10_000;

export function createGone(): Gone {
  let gone: { readonly key: string; readonly version: number }[] = [];
  /** Of the last that is forgotten. */
  let forgotten = 0;
  return {
    add(key, version) {
      gone.push({ key, version });
      if (gone.length < 2 * mostKeys) return;
      forgotten = gone.at(-mostKeys - 1)?.version ?? 0;
      gone = gone.slice(-mostKeys);
    },
    since: (version) =>
      version < forgotten ? null : gone.filter((one) => one.version > version).map(({ key }) => key),
  };
}
