/** What this process has open, where the system tells. */
import { readdirSync, readlinkSync } from 'node:fs';

export const tellsOpenFiles = process.platform === 'linux';

/** The paths that begin so; none where the system does not tell. */
export function openIn(beginning: string): readonly string[] {
  if (!tellsOpenFiles) return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    const path = linkOf(`/proc/self/fd/${descriptor}`);
    return path.startsWith(beginning) ? [path] : [];
  });
}

/** Empty for the one with which the folder itself was read. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
