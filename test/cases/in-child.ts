/** Plays a case in a process of its own and takes its facts from there. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Facts, noFacts, type ProcessSeen } from './facts.ts';
import type { Case } from './format.ts';
import { missingParts } from './options.ts';
import { root } from './root.ts';

/** From the start of the process to its end; a soak of some thousand runs is well below. */
const longestMs = 180_000;

export async function observeInChild(one: Case): Promise<Facts> {
  const folder = await mkdtemp(join(tmpdir(), 'fuseloop-case-'));
  try {
    const [inFile, outFile] = [join(folder, 'case.jsonl'), join(folder, 'facts.json')];
    await writeFile(inFile, JSON.stringify(one));
    const { exit, printed } = await run([inFile, outFile]);
    const written = parsed(await readFile(outFile, 'utf8').catch(() => ''));
    if (written === null) {
      const died = { unhandled: [], warnings: [], exit: exit ?? 'it wrote no facts', openHandles: [] };
      return {
        ...noFacts,
        missing: missingParts(one),
        broken: [`its process ended: ${died.exit}: ${printed}`],
        process: died,
      };
    }
    const { facts, ...seen } = written;
    return { ...facts, printed, process: { ...seen, exit } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Written extends Omit<ProcessSeen, 'exit'> {
  readonly facts: Facts;
}

/** Written by `child.ts`, which is ours: only whether it is there needs to be looked at. */
function parsed(text: string): Written | null {
  return text === '' ? null : JSON.parse(text);
}

/**
 * The program of the child as one text, made once: a process that compiles sixty files takes longer to begin than most
 * cases take to play.
 */
let program: Promise<string> | null = null;

async function bundled(): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['test/cases/child.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

async function run(files: readonly string[]): Promise<{ readonly exit: string | null; readonly printed: string }> {
  program ??= bundled();
  const code = await program;
  // Read from the standard input, it finds its packages from the folder it is started in.
  const options = ['--expose-gc', '--input-type=module', '-', ...files];
  return new Promise((resolve) => {
    const started = spawn(process.execPath, options, { cwd: root, env: ownEnvironment(), timeout: longestMs });
    let printed = '';
    const keep = (text: unknown) => {
      printed = (printed + String(text)).slice(-100_000);
    };
    started.stdout.on('data', keep);
    started.stderr.on('data', keep);
    started.on('close', (code, signal) => {
      const exit = code === 0 ? null : signal === null ? `with code ${code}` : `by ${signal}`;
      resolve({ exit, printed });
    });
    started.stdin.end(code);
  });
}

/** Without what a test runner adds for its own workers. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const left = ['NODE_OPTIONS', 'VITEST', 'VITEST_WORKER_ID', 'VITEST_POOL_ID', 'NODE_V8_COVERAGE'];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !left.includes(name)));
}
