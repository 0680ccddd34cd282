/** The inspector of xstate 4 in a process of its own, with the packages that `test/inspect-v4` pins. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { root, run } from '../package/packed.ts';
import { type Program, program } from './sockets.ts';

const folder = fileURLToPath(new URL('../inspect-v4/', import.meta.url));

/** Asks the registry where they are not there already. */
export async function installReceiver(): Promise<void> {
  if (isInstalled()) return;
  const { code, stderr } = await run('npm', ['ci', '--no-audit', '--no-fund', '--prefix', folder], root);
  if (code !== 0) throw new Error(`npm ci in test/inspect-v4 ended with ${code}. Run it by hand.\n${stderr}`);
}

function isInstalled(): boolean {
  const { dependencies } = manifestOf('');
  return Object.entries(dependencies).every(([name, version]) => {
    const place = `node_modules/${name}/`;
    return existsSync(`${folder}${place}package.json`) && manifestOf(place).version === version;
  });
}

function manifestOf(place: string): { readonly version: string; readonly dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(`${folder}${place}package.json`, 'utf8'));
}

/** `server` as the bridge tells it. */
export function receiverOf(server: string | null): Program {
  return program([`${folder}receiver.mjs`, String(server)]);
}
