/** The tables of docs/spec.md, printed from the machine, its types and its limits. */
import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { lawNames } from '../../machines/laws.ts';
import { createReactMachine } from '../../machines/react.machine.ts';
import { defaults } from '../../src/core/limits.ts';
import { actionName, guardName, nameOfNode, nodesFrom, transitionsOf } from '../../src/verify/machine-nodes.ts';
import { type Member, membersOf, sourcesOf, type Tagged, taggedIn } from './spec-types.ts';
import {
  actionWords,
  commandWords,
  eventWords,
  guardWords,
  memberWords,
  stateWords,
  statusWords,
} from './spec-words.ts';

const machine = createReactMachine();
const nodes = nodesFrom(machine.root);

export function stateTable(): string {
  const unknown = Object.keys(stateWords).find((name) => !nodes.some((node) => nameOfNode(node) === name));
  if (unknown !== undefined) throw new Error(`spec-words.ts has words for ${unknown}, which is no state.`);
  const rows = nodes.slice(1).map((node) => {
    const words = stateWords[nameOfNode(node)];
    if (words === undefined) throw new Error(`${nameOfNode(node)} has no words in spec-words.ts.`);
    return [nameOfNode(node), names(node.entry), names(node.exit), words];
  });
  return table(['state', 'on entry', 'on exit', 'what it is'], rows);
}

/** Every transition, in order of precedence. */
export function transitionTable(): string {
  const rows = nodes.flatMap((node) => transitionsOf(node).map((transition) => transitionRow(node, transition)));
  return table(['in', 'event', 'guard', 'to', 'actions'], rows);
}

function transitionRow(node: AnyStateNode, { eventType, guard, target, actions, reenter }: AnyTransitionDefinition) {
  const event = eventType === '' ? '(at once)' : code(eventType);
  const [to] = target ?? [];
  const again = reenter && to === node ? ', anew' : '';
  return [
    nameOfNode(node) || '(any)',
    event,
    code(guardName(guard)),
    to === undefined ? '(stays)' : `${nameOfNode(to)}${again}`,
    names(actions),
  ];
}

export function guardTable(): string {
  return wordTable('guard', 'it asks whether', guardWords);
}

export function actionTable(): string {
  return wordTable('action', 'the context after it', actionWords);
}

export function statusTable(): string {
  return wordTable('status', 'of a call', statusWords);
}

const events = taggedIn('src/core/events.ts', 'ReactEvent');
const commands = taggedIn('machines/commands.ts', 'Command');

export function eventTables(): string {
  return sections(events, eventWords);
}

export function commandTables(): string {
  return sections(commands, commandWords);
}

export function contextTable(): string {
  return memberTable(membersOf('src/core/snapshot.ts', 'ReactContext'), 'context');
}

/** The types that the tables name. */
export function typeSources(): string {
  const members = [events, commands].flatMap((tagged) => tagged.flatMap((one) => one.members));
  const all = [...members, ...membersOf('src/core/snapshot.ts', 'ReactContext')];
  return ['```ts', sourcesOf(all, ['ReactContext', 'RunLimits', 'Budget']).join('\n\n'), '```'].join('\n');
}

export function lawList(): string {
  return lawNames.map((name) => `1. ${name}`).join('\n');
}

/** Those that the machine looks at: the rest is the shell's. */
export function limitTable(): string {
  const { budget, loopGuard, maxParallel, modelRetries } = defaults;
  const usual: Readonly<Record<string, unknown>> = {
    ...budget,
    loopGuard: Object.entries(loopGuard)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    maxParallel,
    modelRetries,
    maxEmptyResults: 'null',
    checksAnswer: 'false',
  };
  const rows = membersOf('src/core/snapshot.ts', 'RunLimits').map(({ name, type, told }) => {
    const value = usual[name];
    if (value === undefined) throw new Error(`The limit ${name} has no default here.`);
    return [
      code(name),
      code(type),
      typeof value === 'number' ? value.toLocaleString('en-US') : String(value),
      told || wordsOfMember(name, 'limits'),
    ];
  });
  return table(['limit', 'type', 'default', 'what it bounds'], rows);
}

function sections(all: readonly Tagged[], words: Readonly<Record<string, string>>): string {
  return all
    .map(({ tag, members }) => [`### \`${tag}\``, words[tag] ?? '', memberTable(members, tag)].join('\n\n'))
    .join('\n\n');
}

/** What a member means stands above it in the source, or in `memberWords`. */
function memberTable(members: readonly Member[], of: string): string {
  const rows = members.map(({ name, type, optional, told }) => [
    `${code(name)}${optional ? ' (optional)' : ''}`,
    code(type.replaceAll(/\s+/g, ' ')),
    told || wordsOfMember(name, of),
  ]);
  return table(['member', 'type', 'meaning'], rows);
}

function wordsOfMember(name: string, of: string): string {
  const words = memberWords[`${of}.${name}`] ?? memberWords[name];
  if (words === undefined) throw new Error(`The member ${of}.${name} has no words in spec-words.ts.`);
  return words;
}

function wordTable(head: string, second: string, words: Readonly<Record<string, string>>): string {
  return table(
    [head, second],
    Object.entries(words).map(([name, told]) => [code(name), told]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function names(actions: readonly unknown[]): string {
  return actions.map((action) => code(actionName(action))).join(', ');
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
