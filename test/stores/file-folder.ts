/** Folders for the files of a store, gone when the test is over; small disks, where this system lets us make them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fuseloop-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file system of its own in a folder; null where this system does not let us. */
export function mounted(options: string): { readonly folder: string; remount(options: string): void } | null {
  const folder = join(newFolder(), 'disk');
  mkdirSync(folder);
  const mount = (given: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', given, 'tmpfs', folder]).status === 0;
  if (process.platform !== 'linux' || !mount(options)) return null;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return {
    folder,
    remount(given) {
      if (!mount(`remount,${given}`)) throw new Error(`The disk cannot be mounted again with ${given}.`);
    },
  };
}
