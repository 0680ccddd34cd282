/** The command line as a real process, in a folder of its own, with an environment in which no model is configured. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { bundled } from '../support/bundled.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What Node is to run, as words before those of the command. */
export const program = [bundled('src/cli/main.ts')];
export const fixture = (name: string) => join(root, 'test/cli/fixtures', name);
/** One that imports the sources. */
export const bundledFixture = (name: string) => bundled(`test/cli/fixtures/${name}`);

/** A new empty folder for the tests of a file. */
export const folder = mkdtempSync(join(tmpdir(), 'fuseloop-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Whether stdin stays open: `onStdout` ends it. */
  readonly staysOpen?: boolean;
  /** Called with each piece of stdout, such as to send a signal at the right moment. */
  readonly onStdout?: (text: string, child: ChildProcess) => void;
  readonly onStderr?: (text: string, child: ChildProcess) => void;
}

/** Nothing listens on port 1, so that Ollama is not found. */
const quiet = { OLLAMA_HOST: '127.0.0.1:1', FUSELOOP_DEMO_PACE: '0' };

export function fuseloop(
  argv: readonly string[],
  { env = {}, stdin = '', staysOpen = false, onStdout, onStderr }: Start = {},
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ANTHROPIC|OPENAI|FUSELOOP|FORCE_COLOR|NO_COLOR|OLLAMA)/.test(name),
  );
  const child = spawn(process.execPath, [...program, ...argv], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...quiet, ...env },
  });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout.push(text);
    onStdout?.(stdout.join(''), child);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr.push(text);
    onStderr?.(stderr.join(''), child);
  });
  child.stdin.on('error', () => {}).write(stdin);
  if (!staysOpen) child.stdin.end();
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, stdout: stdout.join(''), stderr: stderr.join('') }));
  });
}
