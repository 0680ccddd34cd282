/** What an exploration covered, in words that can be held against another one. Pure. */
import { drawPath } from './draw-path.ts';
import type { Exploration } from './explore.ts';

/** Lines, without a line break at the end. */
export function certificate(exploration: Exploration): string {
  const { counterexample } = exploration;
  const verdict =
    counterexample === null
      ? 'Every path ends within its budget, and every law holds on every edge.'
      : 'A law is broken. This is the shortest way there:';
  const shown = counterexample === null ? [] : [drawPath(counterexample), ''];
  const facts = [...factsOf(exploration), ...(counterexample === null ? lawsOf(exploration) : [])];
  return [verdict, '', ...shown, ...facts.map(([name, value]) => `${name.padEnd(10)}${value}`)].join('\n');
}

type Facts = readonly (readonly [name: string, value: string])[];

function lawsOf({ laws }: Exploration): Facts {
  return [['laws', `${laws.length}, each checked on every edge:`], ...laws.map((law) => ['', `- ${law}`] as const)];
}

function factsOf(exploration: Exploration): Facts {
  const { bounds, entered, own } = exploration;
  const upTo = ['maxSteps', 'maxToolCalls', 'maxViolations', 'maxToolErrors'] as const;
  const several =
    bounds.callsPerReply > 1 ? `of up to ${bounds.callsPerReply} calls in two steps, fuses at their bounds` : '';
  return [
    ['machine', `${exploration.machineHash}, of its states, events and names${own ? '; one that was given' : ''}`],
    [
      'budgets',
      `${count(exploration.budgets)}: ${upTo.map((name) => `${name} 0 to ${bounds[name]}`).join(', ')}, each with`,
    ],
    [
      '',
      'each; with tokens plenty, 2 and 0; with loop guard, answer check and limit of empty results all off and all on',
    ],
    ['replies', `of one call in all of them${several === '' ? '' : `; ${several}`}`],
    ['', 'of two reads where one may run at once, and of three where two may'],
    ['', 'asked for again where they failed, up to twice; with agents as tools, which spend some of the budget or all'],
    ['states', `${count(exploration.states)} (${entered.size} named: ${[...entered.keys()].sort().join(', ')})`],
    [
      'edges',
      `${count(exploration.edges)}, and ${count(exploration.restores)} restores, one in every state that is no end`,
    ],
    [
      'gone on',
      `${count(exploration.reopened)} times from an end, with one more of everything; of one step, whole runs behind it`,
    ],
    [
      'dropped',
      `${count(exploration.ignored)} events changed nothing, as they must: late, foreign, twice, or of no use`,
    ],
    ['longest', `${count(exploration.longestPath)} transitions from the first state to an end, without restores`],
  ];
}

/** `244,183`: the same in every locale. */
function count(value: number): string {
  return value.toLocaleString('en-US');
}
