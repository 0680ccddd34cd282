/** The command line at a pseudo-terminal, which `script` of util-linux lends: a person types, and sees what is written. */
import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { folder, program } from './command.ts';

/** Not everywhere: other systems have another `script`, or none. */
export const hasPseudoTerminal = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;

/** A prompt, or the end of one, and what is typed there, with its Enter key. */
export type Typed = readonly (readonly [prompt: string, line: string])[];

export interface Seen {
  readonly code: number | null;
  /** What was written, without control sequences. */
  readonly screen: string;
}

interface Terminal {
  readonly columns?: number;
  /** A file that stdout goes to; stdin and stderr stay at the terminal. */
  readonly stdoutTo?: string;
}

export function atTerminal(
  argv: readonly string[],
  typed: Typed,
  { columns = 80, stdoutTo = '/dev/tty' }: Terminal = {},
): Promise<Seen> {
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const words = [process.execPath, ...program, ...argv].map(quoted);
  const child = spawn(
    'script',
    ['-qec', `stty cols ${columns}; exec ${words.join(' ')} > ${quoted(stdoutTo)}`, '/dev/null'],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm', NO_COLOR: '1', OLLAMA_HOST: '127.0.0.1:1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const left = [...typed];
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [due] = left;
    if (due === undefined || !screen.slice(seen).includes(due[0])) return;
    seen = screen.length;
    left.shift();
    child.stdin.write(`${due[1]}\n`);
  });
  child.stdin.on('error', () => {});
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, screen: stripVTControlCharacters(screen).replaceAll('\r', '') }));
  });
}
