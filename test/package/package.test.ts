/**
 * The package as a user gets it, in real processes: every entry loads, the types hold, the bundles are small, and the
 * tarball holds what it should and nothing of the machine it was made on.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Packed, packAndInstall, root, run } from './packed.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Left out, so that it is seen what happens without it; and it takes minutes to build. */
const leftOut = 'better-sqlite3';
const optionalPeers = Object.keys(manifest.peerDependenciesMeta ?? {})
  .filter((name) => name !== leftOut)
  .map((name) => `${name}@${manifest.devDependencies[name] ?? manifest.peerDependencies[name]}`);
/** `fuseloop`, `fuseloop/machine`, … */
const entries = Object.keys(manifest.exports).map((subpath) => posix.join(manifest.name, subpath));
const modules = entries.filter((entry) => !entry.endsWith('.json'));

let packed: Packed;
beforeAll(async () => {
  packed = await packAndInstall(optionalPeers);
}, 240_000);
afterAll(() => packed?.remove());

const bin = (name: string) => join(root, 'node_modules/.bin', name);
/** A program of the user's, in the user's folder. */
const nodeEval = (type: 'module' | 'commonjs', code: string, ...options: readonly string[]) =>
  run(process.execPath, [...options, `--input-type=${type}`, '--eval', code], packed.consumer);

describe('every entry of the exports map', () => {
  const loaders = {
    import: (entry: string) => {
      const kind = entry.endsWith('.json') ? ", { with: { type: 'json' } }" : '';
      return nodeEval('module', `console.log(JSON.stringify(Object.keys(await import('${entry}'${kind}))))`);
    },
    require: (entry: string) => nodeEval('commonjs', `console.log(JSON.stringify(Object.keys(require('${entry}'))))`),
  };

  test.concurrent.each(entries)('%s can be imported and required', async (entry) => {
    const [imported, required] = await Promise.all([loaders.import(entry), loaders.require(entry)]);
    for (const { code, stderr } of [imported, required])
      expect({ code, stderr }, entry).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(imported.stdout), `import('${entry}') has no names`).not.toEqual([]);
    if (!entry.endsWith('.json')) expect(JSON.parse(required.stdout)).toEqual(JSON.parse(imported.stdout));
  });

  test('the list of them, which is derived, has what it must have', () => {
    expect(modules).toEqual(expect.arrayContaining([manifest.name, `${manifest.name}/machine`]));
  });

  test('a path that is not in the map is closed', async () => {
    const { code, stderr } = await nodeEval('module', `await import('${manifest.name}/dist/src/run.js')`);
    expect(code).not.toBe(0);
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

test('sqliteStore says what is missing and how to get it', async () => {
  const code = `const { sqliteStore } = await import('fuseloop/store');
    await sqliteStore('runs.db').list().catch(({ code, hint }) => console.log(code, hint));`;
  const { stdout } = await nodeEval('module', code);
  expect(stdout).toMatch(/^invalid_option .*npm install better-sqlite3/);
});

describe('the program', () => {
  test.each([
    ['--version', manifest.version],
    ['--help', manifest.name],
  ])('%s', async (flag, told) => {
    const program = join(packed.consumer, 'node_modules/.bin', manifest.name);
    const { code, stdout, stderr } = await run(program, [flag], packed.consumer);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(told);
  });
});

describe('the checkers of packages agree', () => {
  test('publint', async () => {
    const { buffer, byteOffset, byteLength } = await readFile(packed.tarball);
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages, pkg } = await publint({ pack: { tarball: tarball as ArrayBuffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('attw', async () => {
    const { code, stdout, stderr } = await run(
      bin('attw'),
      [packed.tarball, '--profile', 'esm-only', '--no-emoji', '--no-color', '--format', 'ascii'],
      packed.folder,
    );
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    expect(
      modules.filter((entry) => !stdout.includes(`"${entry}"`)),
      'entries that it did not look at',
    ).toEqual([]);
  });
});

describe('the types', () => {
  const compile = (...options: readonly string[]) =>
    run(
      bin('tsc'),
      [
        '--ignoreConfig',
        '--strict',
        '--noEmit',
        '--target',
        'es2022',
        '--module',
        'nodenext',
        ...options,
        'consumer.ts',
      ],
      packed.consumer,
    );

  beforeAll(async () => {
    await copyFile(join(import.meta.dirname, 'consumer.ts.txt'), join(packed.consumer, 'consumer.ts'));
  });

  test('a strict program of a user compiles, and its wrong uses do not', async () => {
    const { code, stdout } = await compile('--skipLibCheck');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  test('our own declarations hold without skipLibCheck', async () => {
    const { stdout } = await compile('--skipLibCheck', 'false');
    const ours = stdout.split('\n').filter((line) => line.startsWith(`node_modules/${manifest.name}/`));
    expect(ours).toEqual([]);
  });

  test('the program of the user runs', async () => {
    await build({
      ...alone(),
      entryPoints: ['consumer.ts'],
      outfile: 'consumer.js',
      packages: 'external',
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const { code, stdout, stderr } = await nodeEval('module', "console.log((await import('./consumer.js')).answer)");
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '42\n', stderr: '' });
  });
});

/** Nothing of the folders around it is looked at. */
const alone = (): BuildOptions => ({ absWorkingDir: packed.consumer, tsconfigRaw: '{}', logLevel: 'silent' });

/** `.` and `./machine` are for every platform: xstate and nothing heavier. */
describe.each([manifest.name, `${manifest.name}/machine`])('%s is light', (entry) => {
  const heavy = ['undici', 'zod', 'eventsource-parser', ...Object.keys(manifest.peerDependenciesMeta ?? {})];
  const mostBytes = 100_000;
  const bundle = (options: Pick<BuildOptions, 'platform' | 'format' | 'globalName'>) =>
    build({
      ...alone(),
      stdin: { contents: `export * from '${entry}';`, resolveDir: packed.consumer },
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      mainFields: ['module', 'main'],
      target: 'es2022',
      supported: { 'top-level-await': false },
      ...options,
    });

  /** The packages of which something is in it; on these platforms a built-in of Node does not resolve at all. */
  test.each(['neutral', 'browser'] as const)('bundled for the platform %s', async (platform) => {
    const { metafile, outputFiles } = await bundle({ platform, format: 'esm' });
    const files = Object.keys(metafile.inputs).map((path) => join(packed.consumer, path));
    const packages = new Set(files.flatMap(packagesIn));
    const external = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    const bytes = gzipSync(outputFiles[0]?.contents ?? '').length;
    console.log(`${entry} for ${platform}: ${kilobytes(bytes)} gzip; from ${[...packages].sort().join(', ')}`);
    expect(external, 'imports that are left in the bundle').toEqual([]);
    expect(heavy.filter((name) => packages.has(name))).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(mostBytes);
    expect([...packages]).toEqual(expect.arrayContaining([manifest.name, 'xstate']));
  });

  test('its bundle loads where there is nothing of Node', async () => {
    const { outputFiles } = await bundle({ platform: 'browser', format: 'iife', globalName: 'loaded' });
    const web = createContext({ ...webOnly });
    const names = runInContext(`${outputFiles[0]?.text}; Object.keys(loaded)`, web);
    const here = await nodeEval('module', `console.log(JSON.stringify(Object.keys(await import('${entry}'))))`);
    expect([...names].sort()).toEqual(JSON.parse(here.stdout).sort());
  });

  test('importing it loads no built-in of Node and no heavy package', async () => {
    const { code, stdout, stderr } = await nodeEval('module', `await import('${entry}');`, '--import', tracing);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const urls = stdout.split('\n').filter((url) => url !== '' && !url.startsWith('data:'));
    const packages = urls.filter((url) => url.startsWith('file:')).flatMap((url) => packagesIn(fileURLToPath(url)));
    expect(urls.filter((url) => url.startsWith('node:'))).toEqual([]);
    expect(heavy.filter((name) => packages.includes(name))).toEqual([]);
    expect(packages).toEqual(expect.arrayContaining([manifest.name, 'xstate']));
  });
});

describe('the laws of the machine', () => {
  /** Its machine never says that the steps are spent. */
  const endless = `const machine = createReactMachine().provide({ guards: { stepsSpent: () => false } });
    const model = scriptedModel(['Final Answer: 42']);
    const budget = { maxSteps: 0 };
    const outcome = await createAgent({ model, machine, budget, ...given }).run('Go.').catch((error) => error);
    console.log(outcome.stopReason);`;
  const imports = ['createAgent', 'createReactMachine', 'scriptedModel'];
  const from = [manifest.name, `${manifest.name}/machine`, `${manifest.name}/testing`];
  const code = (given: object) =>
    `${imports.map((name, at) => `import { ${name} } from '${from[at]}';`).join('\n')}
    const given = ${JSON.stringify(given)};
    ${endless}`;

  test.each([
    ['test', {}, 'internal_error'],
    ['production', {}, 'final'],
    ['production', { checkLaws: true }, 'internal_error'],
  ])('in Node, NODE_ENV=%s, %j: the run ends with %s', async (environment, given, reason) => {
    const setting = `process.env.NODE_ENV = '${environment}';`;
    const { stdout, stderr } = await nodeEval('module', `${code(given)}`, '--import', dataUrl(setting));
    expect({ stdout, stderr }).toEqual({ stdout: `${reason}\n`, stderr: '' });
  });

  test('are not part of a bundle for the edge, which says so', async () => {
    const { outputFiles, metafile } = await build({
      ...alone(),
      stdin: { contents: `export { createAgent } from '${manifest.name}';`, resolveDir: packed.consumer },
      bundle: true,
      write: false,
      metafile: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'loaded',
    });
    expect(Object.keys(metafile.inputs).filter((path) => path.endsWith('dist/laws.js'))).toEqual([]);
    const web = createContext({ ...webOnly });
    const model = "{ name: 'm', provider: 'p', generate() {} }";
    const made = (given: string) =>
      `${outputFiles[0]?.text}; try { typeof loaded.createAgent({ model: ${model} ${given} }).run } catch (error) { error.message }`;
    expect(runInContext(made(''), web)).toBe('function');
    expect(runInContext(made(', checkLaws: true'), web)).toContain('the laws are not part of this bundle');
  });
});

describe.each(['paper', 'id', 'tags'])('the dialect %s', (dialect) => {
  test.each([
    ['without the condition', undefined, `There is no dialect "${dialect}"`],
    ['with it', [`fuseloop-${dialect}`], 'function'],
  ])('in a bundle for the edge: %s', async (_how, conditions, expected) => {
    const { outputFiles } = await build({
      ...alone(),
      stdin: { contents: `export { createAgent } from '${manifest.name}';`, resolveDir: packed.consumer },
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'loaded',
      ...(conditions === undefined ? {} : { conditions }),
    });
    const made = `${outputFiles[0]?.text}; const model = { name: 'm', provider: 'p', generate() {} };
      try { typeof loaded.createAgent({ model, dialect: '${dialect}' }).run } catch (error) { error.message }`;
    expect(runInContext(made, createContext({ ...webOnly }))).toContain(expected);
  });

  test('is there in Node', async () => {
    const model = "{ name: 'm', provider: 'p', generate() {} }";
    const code = `import { createAgent } from '${manifest.name}';
      console.log(typeof createAgent({ model: ${model}, dialect: '${dialect}' }).run);`;
    expect(await nodeEval('module', code)).toEqual({ code: 0, stdout: 'function\n', stderr: '' });
  });
});

describe('the Chinese texts', () => {
  const told = `const model = { name: 'm', provider: 'p', async *generate({ messages }) {
      yield { type: 'text', text: messages.length > 2 ? 'Final Answer: 42' : 'Thought: hm\\nAction: search\\nAction Input: {}' };
      yield { type: 'end', finish: 'stop', usage: null };
    } };
    const agent = (language) => createAgent({ model, language }).run('Go.').then(({ steps }) => steps[0].calls[0].observation);`;

  test('are there in Node', async () => {
    const code = `import { createAgent } from '${manifest.name}'; ${told} console.log(await agent('zh'));`;
    const { stdout, stderr } = await nodeEval('module', code);
    expect(stderr).toBe('');
    expect(stdout).toContain('没有名为“search”的工具');
  });

  test.each([
    ['without the condition', undefined, 'Error: language is "zh", and the Chinese texts are not part of this bundle.'],
    ['with it', ['fuseloop-chinese'], '没有名为“search”的工具'],
  ])('in a bundle for the edge: %s', async (_how, conditions, expected) => {
    const { outputFiles } = await build({
      ...alone(),
      stdin: { contents: `export { createAgent } from '${manifest.name}';`, resolveDir: packed.consumer },
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'loaded',
      ...(conditions === undefined ? {} : { conditions }),
    });
    const web = createContext({ ...webOnly });
    const run = `${outputFiles[0]?.text}; const { createAgent } = loaded; ${told}
      Promise.resolve('zh').then(agent).catch((error) => 'Error: ' + error.message)`;
    expect(await runInContext(run, web)).toContain(expected);
  });
});

/** What an edge runtime has beside the language itself, as far as a module may touch it while it loads. */
const webOnly = { AbortController, AbortSignal, crypto, performance, setTimeout, clearTimeout, TextEncoder, URL };

/** A hook that prints the URL of each module as it is loaded. */
const hook = `import { writeSync } from 'node:fs';
export const load = (url, context, next) => { writeSync(1, url + '\\n'); return next(url, context); };`;
const tracing = dataUrl(`import { register } from 'node:module'; register('${dataUrl(hook)}');`);

function dataUrl(code: string): string {
  return `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
}

/** The package that a file belongs to, and those that its source map says were put into it. */
function packagesIn(file: string): string[] {
  const map = `${file}.map`;
  const sources: readonly string[] = existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')).sources : [];
  return [file, ...sources].flatMap((path) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

describe('the tarball', () => {
  const installed = (path: string) => join(packed.consumer, 'node_modules', manifest.name, path);

  test('its size, printed', () => {
    const { packedBytes, unpackedBytes, files } = packed;
    console.log(`${files.length} files, ${kilobytes(packedBytes)} packed, ${kilobytes(unpackedBytes)} unpacked`);
    expect(packedBytes).toBeGreaterThan(0);
  });

  test('holds what was built and the few papers, and no test', () => {
    const known = /^(dist\/.+\.(js|d\.ts)(\.map)?|dist\/inspector\.html|package\.json|[A-Z-]+(\.md)?)$/;
    expect(packed.files.filter((path) => !known.test(path) || /\.(test|bench)\.|fixture|\btest\//.test(path))).toEqual(
      [],
    );
    expect(packed.files).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'README.md', 'CHANGELOG.md']));
  });

  test('names each package of which it holds code', () => {
    const scripts = packed.files.filter((path) => path.endsWith('.js'));
    const bundled = new Set(scripts.flatMap((path) => packagesIn(installed(path))));
    const papers = readFileSync(installed('THIRD-PARTY.md'), 'utf8');
    bundled.delete(manifest.name);
    expect([...bundled].filter((name) => !papers.includes(`## ${name}\n`))).toEqual([]);
  });

  test('each source map is there and has its sources', () => {
    const problems = packed.files.flatMap((path) => {
      const text = readFileSync(installed(path), 'utf8');
      const map = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(text)?.[1];
      if (map !== undefined && !packed.files.includes(posix.join(dirname(path), map))) return [`${path}: no ${map}`];
      if (!path.endsWith('.map')) return [];
      const { sources, sourcesContent = [], sourceRoot = '' } = JSON.parse(text);
      return sources
        .filter((source: string, index: number) => {
          const there = packed.files.includes(posix.join(dirname(path), sourceRoot, source));
          return !there && typeof sourcesContent?.[index] !== 'string';
        })
        .map((source: string) => `${path}: its source ${source} is neither in the tarball nor in the map`);
    });
    expect(problems.slice(0, 10), `${problems.length} problems`).toEqual([]);
  });

  test('names no folder of the machine it was made on', () => {
    const folders = [root.replace(/.$/, ''), packed.folder, ...(homedir() === '/' ? [] : [`${homedir()}/`])];
    const problems = packed.files.flatMap((path) => {
      const lines = readFileSync(installed(path), 'utf8').split('\n');
      return lines.flatMap((line, index) =>
        folders.filter((folder) => line.includes(folder)).map((folder) => `${path}:${index + 1} ${folder}`),
      );
    });
    expect(problems).toEqual([]);
  });

  test('is what is installed', () => {
    const names = readdirSync(installed(''), { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => statSync(installed(name)).isFile());
    expect(files.sort()).toEqual([...packed.files].sort());
  });
});
