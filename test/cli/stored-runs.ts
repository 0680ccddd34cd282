/** What the tests of stored runs share: a server with a script for each, a store, and a file of effects. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ServerScript, startOpenaiServer } from '../support/openai-server.ts';
import { fixture, folder, fuseloop } from './command.ts';

export const asks = (tool: string, to: string) => ({
  text: `Thought: I ask.\nAction: ${tool}\nAction Input: ${JSON.stringify({ to })}`,
});
export const asksAll = (...calls: readonly (readonly [tool: string, to: string])[]) => ({
  text: '',
  calls: calls.map(([name, to]) => ({ name, arguments: JSON.stringify({ to }) })),
});
export const answers = { text: 'Thought: Done.\nFinal Answer: It is done.' };

let made = 0;

export type Kept = Awaited<ReturnType<typeof keep>>;

/** `flags` stand behind each `run` and `resume`. */
export async function keep(script: ServerScript, flags: readonly string[] = [], kind: 'files' | 'sqlite' = 'files') {
  const { baseURL, close, requests } = await startOpenaiServer(script, 7);
  onTestFinished(() => close());
  const name = `store-${++made}${kind === 'sqlite' ? '.db' : ''}`;
  const effects = join(folder, `${name}.effects`);
  const agent = ['--tools', fixture('lasting-tools.mjs'), '--base-url', baseURL, ...flags];
  const start = { env: { EFFECTS: effects } };
  type Start = Parameters<typeof fuseloop>[1];
  return {
    name,
    path: join(folder, name),
    requests,
    agent,
    effects: () => (existsSync(effects) ? readFileSync(effects, 'utf8') : ''),
    run: (more: readonly string[] = [], given: Start = {}) =>
      fuseloop(['run', 'Do it.', '--store', name, ...agent, ...more], { ...start, ...given }),
    resume: (runId: string, more: readonly string[] = [], given: Start = {}) =>
      fuseloop(['resume', runId, '--store', name, ...agent, ...more], { ...start, ...given }),
    runs: (more: readonly string[] = []) => fuseloop(['runs', '--store', name, ...more]),
    /** Of the runs, from `fuseloop runs --json`. */
    async listed(): Promise<readonly Record<string, unknown>[]> {
      const { stdout } = await fuseloop(['runs', '--store', name, '--json']);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
  };
}
