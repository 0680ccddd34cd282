/** The package as a user gets it: built, packed, and installed in an empty folder. */
import { execFile } from 'node:child_process';
import { constants, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Packed {
  /** The temporary folder that holds everything else. */
  readonly folder: string;
  /** The user's project. */
  readonly consumer: string;
  readonly tarball: string;
  /** Of the tarball, without its `package/`. */
  readonly files: readonly string[];
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly remove: () => Promise<void>;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; whether it went well is for the caller to say. */
export function run(command: string, inputs: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((settle) => {
    execFile(command, inputs, { cwd, env: userEnv, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      settle({ code: error === null ? 0 : Number(error.code ?? 1) || 1, stdout, stderr });
    });
  });
}

/** The environment without what vitest and an outer `npm test` put there, which an inner npm would obey. */
const userEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(package|lifecycle)_|npm_(command|execpath|node_execpath|config_(local_)?prefix)$)/.test(name) &&
        !['INIT_CWD', 'NODE_ENV', 'NODE_OPTIONS', 'VITEST', 'TEST', 'FORCE_COLOR'].includes(name),
    ),
  ),
  NO_COLOR: '1',
};

async function must(command: string, inputs: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, inputs, cwd);
  if (code !== 0) throw new Error(`${command} ${inputs.join(' ')} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/** `alongside`: what the user installs with it, such as an optional peer. */
export async function packAndInstall(alongside: readonly string[]): Promise<Packed> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'fuseloop-package-')));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const packed = await pack(folder);
    const consumer = await install([packed.tarball, ...alongside], folder);
    return { ...packed, folder, consumer, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function pack(folder: string): Promise<Omit<Packed, 'folder' | 'consumer' | 'remove'>> {
  const workshop = await copyProject(folder);
  const [{ filename, files, size, unpackedSize }] = JSON.parse(
    await must('npm', ['pack', '--json', '--pack-destination', folder], workshop),
  );
  return {
    tarball: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path),
    packedBytes: size,
    unpackedBytes: unpackedSize,
  };
}

async function install(what: readonly string[], folder: string): Promise<string> {
  const consumer = join(folder, 'consumer');
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  await must('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...what], consumer);
  return consumer;
}

/**
 * Built beside the project, not in it: a build begins with removing `dist/`, which another test, or its reader, may be
 * using. `npm pack` builds by itself (`prepack`). The packages are copied, since a link would show in what is bundled.
 */
async function copyProject(folder: string): Promise<string> {
  const workshop = join(folder, 'workshop');
  const left = /^(dist|coverage|\.git|node_modules\/(@biomejs|\.(vite|cache).*))$/;
  const filter = (path: string) => !left.test(relative(root, path).replaceAll(sep, '/'));
  await cp(root, workshop, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE, filter });
  return workshop;
}
