/** The version of this package. */
import { createRequire } from 'node:module';

/** The package finds itself by its name, from the sources as well as from what is built. */
export function packageVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('fuseloop/package.json');
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return known ? String(manifest.version) : 'unknown';
}
