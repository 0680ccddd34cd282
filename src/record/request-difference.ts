/** The recorded request that is nearest to one, and the first thing in which they differ. Pure. */
import type { JsonValue } from '../core/json.ts';
import type { Message } from '../core/model.ts';
import type { Exchange, RecordedRequest } from './recording.ts';
import { textDifference, valueDifference } from './text-difference.ts';

export interface Nearest {
  /** From 1: its place in the recording. */
  readonly number: number;
  readonly step: number;
  /** In words. */
  readonly difference: string;
}

/** The one with which it shares most messages from the beginning; of several one of the same step, and the first. */
export function nearestRequest(request: RecordedRequest, exchanges: readonly Exchange[]): Nearest | null {
  const spelled = request.messages.map(spellingOf);
  let best: { readonly score: number; readonly at: number; readonly exchange: Exchange } | null = null;
  for (const [at, exchange] of exchanges.entries()) {
    const shared = sharedMessages(exchange.request.messages, spelled);
    const score = 2 * shared + (exchange.request.step === request.step ? 1 : 0);
    if (best === null || score > best.score) best = { score, at, exchange };
  }
  if (best === null) return null;
  const { request: recorded } = best.exchange;
  return {
    number: best.at + 1,
    step: recorded.step,
    difference: requestDifference(recorded, request) ?? 'they are equal',
  };
}

function sharedMessages(recorded: readonly Message[], now: readonly string[]): number {
  let shared = 0;
  for (const message of recorded) {
    if (spellingOf(message) !== now[shared]) return shared;
    shared++;
  }
  return shared;
}

function spellingOf(message: Message): string {
  return JSON.stringify(message);
}

/** The first difference in plain words; null where the requests ask for the same. */
export function requestDifference(recorded: RecordedRequest, now: RecordedRequest): string | null {
  return (
    messagesDifference(recorded.messages, now.messages) ??
    toolsDifference(recorded.tools, now.tools) ??
    parameterDifference(recorded, now)
  );
}

function messagesDifference(recorded: readonly Message[], now: readonly Message[]): string | null {
  for (const [index, message] of recorded.entries()) {
    const other = now[index];
    if (other === undefined) return countDifference('messages', recorded.length, now.length);
    const difference = messageDifference(message, other);
    if (difference !== null) return `message ${index + 1} (${other.role}) differs ${difference}`;
  }
  return recorded.length === now.length ? null : countDifference('messages', recorded.length, now.length);
}

function messageDifference(recorded: Message, now: Message): string | null {
  if (recorded.role !== now.role) return `in its role: recorded ${recorded.role}, now ${now.role}`;
  const difference = textDifference(recorded.content, now.content);
  if (difference !== null) return difference;
  const [one, other] = [membersOf(recorded), membersOf(now)];
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const found = valueDifference(one.get(name), other.get(name));
    if (found !== null) return `in its ${name}: ${found}`;
  }
  return null;
}

function membersOf(message: Message): ReadonlyMap<string, JsonValue> {
  const plain: { readonly [name: string]: JsonValue } = JSON.parse(JSON.stringify(message));
  return new Map(Object.entries(plain));
}

function toolsDifference(recorded: RecordedRequest['tools'] = [], now: RecordedRequest['tools'] = []): string | null {
  for (const tool of recorded) {
    const other = now.find(({ name }) => name === tool.name);
    if (other === undefined) return `the tool ${tool.name} is missing`;
    const difference =
      textDifference(tool.description, other.description) ?? valueDifference(tool.inputSchema, other.inputSchema);
    if (difference !== null) return `the tool ${tool.name} differs ${difference}`;
  }
  const added = now.find(({ name }) => !recorded.some((tool) => tool.name === name));
  if (added !== undefined) return `the tool ${added.name} is new`;
  const names = (tools: typeof recorded) => tools.map(({ name }) => name).join(', ');
  return names(recorded) === names(now)
    ? null
    : `the tools are in another order: recorded ${names(recorded)}, now ${names(now)}`;
}

const parameters = ['stop', 'maxOutputTokens', 'temperature', 'json'] as const;

function parameterDifference(recorded: RecordedRequest, now: RecordedRequest): string | null {
  for (const name of parameters) {
    const [one, other] = [recorded, now].map((request) => plain(request[name]));
    const difference = valueDifference(one, other);
    if (difference !== null) return `${name} differs: ${difference}`;
  }
  return null;
}

/** A list that is never written is JSON. */
function plain(value: RecordedRequest[(typeof parameters)[number]]): JsonValue | undefined {
  return typeof value === 'object' ? [...value] : value;
}

function countDifference(what: string, recorded: number, now: number): string {
  return `the number of ${what} differs: recorded ${recorded}, now ${now}`;
}
