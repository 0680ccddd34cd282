import { describe, expect, it } from 'vitest';
import { flagTable } from '../../src/cli/flag-table.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { helpText } from '../../src/cli/help.ts';
import { loadTools } from '../../src/cli/load-tools.ts';
import { AgentError } from '../../src/core/errors.ts';
import { fixture } from './command.ts';

/** What is told: message and hint. */
function told(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof AgentError) return `${thrown.message}\n${thrown.hint}`;
    throw thrown;
  }
  return 'nothing';
}

describe('flags', () => {
  it.each<[string[], RegExp]>([
    [[], /^There is no task\.\n.*fuseloop run "<task>".*--demo/],
    [[' '], /^The task is empty\./],
    [['What', 'is', 'it?'], /^The task came in 3 pieces\.\n.*fuseloop run "What is it\?"/],
    [['x', '--tols', 'a'], /^There is no flag --tols\. Did you mean --tools\?\nThe flags are: --demo, .*--version/],
    [['x', '-q'], /^There is no flag -q\.\nThe flags are/],
    [['x', '--no-json'], /^There is no flag --no-json\./],
    [['x', '--constructor'], /^There is no flag --constructor\./],
    [['x', '--max-steps', 'three'], /^--max-steps is "three"\.\nIt is a whole number from 0 to 2\^50/],
    [['x', '--max-steps', '1.5'], /^--max-steps is "1\.5"\./],
    [['x', '--max-steps', ''], /^--max-steps is ""\./],
    [['x', '--max-steps=-1'], /^--max-steps is "-1"\./],
    [['x', '--max-steps', '-1'], /^--max-steps is given no value\.\n.*--max-steps=-value/],
    [['x', '--max-steps'], /^--max-steps is given no value\./],
    [['x', '--max-tokens', '9007199254740993'], /^--max-tokens is /],
    [['x', '--max-tokens', '1e6'], /^--max-tokens is "1e6"\./],
    [['x', '--timeout', 'NaN'], /^--timeout is "NaN"\.\nIt is a number of seconds/],
    [['x', '--timeout', 'Infinity'], /^--timeout is /],
    [['x', '--timeout', '.'], /^--timeout is /],
    [['x', '--dialect', 'xml'], /^--dialect is "xml"\.\nIt is labelled, tags, json, paper, id or native\./],
    [['x', '--language', 'de'], /^--language is "de"\.\nIt is en or zh\./],
    [['x', '--json=yes'], /^--json is given a value\.\n.*Write --json alone/],
    [['x', '-h=1'], /^--help is given a value|^There is no flag/],
    [['--demo', 'incidnet'], /^There is no demo "incidnet"\. Did you mean incident\?\nThe demos are: incident, /],
    [['--demo', 'constructor'], /^There is no demo "constructor"\./],
    [['--demo', 'incident', 'x'], /^Both --demo incident and the task "x" are given\./],
    [['--demo', 'incident', '--tools', 'a.js'], /^Both --demo and --tools are given\./],
  ])('%j', (argv, message) => expect(told(() => readFlags(argv))).toMatch(message));

  it('are read', () => {
    const argv = ['--max-steps=3', '--max-tokens', '0', '--timeout', '2.5', '--json', '--', '--a task'];
    expect(readFlags(argv)).toMatchObject({
      task: { from: 'argument', text: '--a task' },
      budget: { maxSteps: 3, maxTokens: 0, wallClockMs: 2_500 },
      json: true,
    });
    expect(readFlags(['-'])).toMatchObject({ task: { from: 'stdin' }, budget: {}, json: false });
    expect(readFlags(['-h'])).toBe('help');
    expect(readFlags(['x', '--version'])).toBe('version');
  });

  it('all stand in the help', () => {
    for (const name of Object.keys(flagTable)) expect(helpText()).toContain(`--${name}`);
    expect(helpText()).not.toContain('FUSELOOP_DEMO_PACE');
  });
});

describe('a module of tools', () => {
  it.each([
    ['weather-tools.mjs', ['weather']],
    ['record-tools.cjs', ['ping', 'wipe']],
    ['single-tool.mjs', ['single-tool']],
  ])('%s holds %j', async (name, tools) => {
    expect(Object.keys(await loadTools(fixture(name))).sort()).toEqual(tools);
  });

  it.each([
    ['nowhere.mjs', /cannot be loaded: Cannot find module/],
    ['throwing-tools.mjs', /cannot be loaded: no database/],
    ['broken-tools.mjs', /: broken cannot be used: execute is missing or no function\./],
    ['no-tools.mjs', /: no tool is exported \(only answer\)\./],
  ])('%s is refused', async (name, message) => {
    await expect(loadTools(fixture(name))).rejects.toThrow(message);
  });
});
