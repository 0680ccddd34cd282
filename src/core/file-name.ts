/** Names of files and folders for run ids: an id may be any text, and each has a name that every file system takes. Pure. */

/**
 * The id as it is where that is safe: lower case, as some file systems see no other; no name of a device of Windows; no dot, as
 * the ends of our files begin with one. Every other id is told apart by its digest: `digestOf` gives hexadecimal digits, at least
 * 32 of them, and equal ones for equal ids alone.
 */
export function fileNameOf(runId: string, digestOf: (runId: string) => string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,99}$/.test(runId) && !/^(con|prn|aux|nul|com\d|lpt\d)$/.test(runId)) return runId;
  return `${readable(runId)}~${digestOf(runId).slice(0, 32)}`;
}

/** For people who look into the folder. */
function readable(runId: string): string {
  const words =
    runId
      .slice(0, 200)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 40) || 'run';
}
