/** Checks a program against the library, and tells what it cost. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SetupSeen } from './facts.ts';
import { root } from './root.ts';

const compiler = fileURLToPath(new URL('typecheck-child.ts', import.meta.url));

/** In a child: the compiler leaves much behind in the heap, and its time must not be mixed with ours. */
export function typecheck(program: string): Promise<Partial<SetupSeen>> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, ['--import', 'tsx', compiler], { cwd: root }, (error, stdout) =>
      error === null ? resolve(JSON.parse(stdout)) : reject(error),
    );
    child.stdin?.end(program);
  });
}
