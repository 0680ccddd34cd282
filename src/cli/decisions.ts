/** Decisions about calls, as they stand on the command line: each is for one call, and all are checked before any counts. */
import type { JsonValue } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import type { Flag } from './flag-table.ts';
import type { WaitingCall } from './going-on.ts';
import { misuse } from './misuse.ts';
import { oneLine } from './plain-text.ts';

export type Decision =
  | { readonly kind: 'approve'; readonly callId: string }
  | { readonly kind: 'deny'; readonly callId: string; readonly why: string }
  | { readonly kind: 'edit'; readonly callId: string; readonly input: JsonValue };

const call = 'It is the id of a call that waits, such as 2.1.';

export const decisionFlagTable = {
  approve: { type: 'string', multiple: true, value: 'CALL', tells: 'let a call run that waits', allowed: call },
  deny: { type: 'string', multiple: true, value: 'CALL', tells: 'refuse it; the model is told', allowed: call },
  why: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    tells: 'behind --deny CALL: the reason, for the model',
    allowed: 'It is a text, and stands behind --deny CALL.',
  },
  edit: {
    type: 'string',
    multiple: true,
    value: 'CALL JSON',
    tells: 'let it run with another input, which the gates judge anew',
    allowed: `${call} Behind it stands the new input as JSON: --edit 2.1 '{"to":"ada"}'.`,
  },
} as const satisfies { readonly [name: string]: Flag };

export interface ReadDecisions {
  readonly decisions: readonly Decision[];
  /** The words that are no decisions, in order. */
  readonly rest: readonly string[];
}

/** Takes them out of the words of the command line, as their order counts. Throws misuse. */
export function readDecisions(argv: readonly string[]): ReadDecisions {
  const decisions: Decision[] = [];
  const rest: string[] = [];
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') return { decisions: checkOnce(decisions), rest: [...rest, word, ...words] };
    const [, name = '', , attached] = /^--(approve|deny|why|edit)(=(.*))?$/s.exec(word) ?? [];
    if (name === '') {
      rest.push(word);
      continue;
    }
    const value = attached ?? givenTo(name, words.shift());
    if (name === 'approve') decisions.push({ kind: 'approve', callId: value });
    else if (name === 'deny') decisions.push({ kind: 'deny', callId: value, why: '' });
    else if (name === 'edit') decisions.push({ kind: 'edit', callId: value, input: inputOf(value, words.shift()) });
    else giveReason(decisions, value);
  }
  return { decisions: checkOnce(decisions), rest };
}

function givenTo(name: string, word: string | undefined): string {
  if (word !== undefined && word !== '' && !word.startsWith('-')) return word;
  const { allowed } = decisionFlagTable[name === 'why' ? 'why' : name === 'edit' ? 'edit' : 'approve'];
  throw misuse(
    `--${name} is given no value.`,
    `${allowed} A value that begins with a dash is written --${name}=-value.`,
  );
}

function inputOf(callId: string, text: string | undefined): JsonValue {
  const { allowed } = decisionFlagTable.edit;
  if (text === undefined || text.startsWith('--')) throw misuse(`--edit ${callId} is given no input.`, allowed);
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw misuse(`The input of --edit ${callId} is no JSON: ${messageOf(thrown)}.`, `${allowed} Nothing was changed.`);
  }
}

function giveReason(decisions: Decision[], why: string): void {
  const last = decisions.at(-1);
  if (last?.kind !== 'deny' || last.why !== '')
    throw misuse('--why stands behind no --deny of its own.', 'Write --deny CALL --why TEXT, once for each call.');
  decisions[decisions.length - 1] = { ...last, why };
}

function checkOnce(decisions: readonly Decision[]): readonly Decision[] {
  const ids = decisions.map(({ callId }) => callId);
  const twice = ids.find((callId, index) => ids.indexOf(callId) !== index);
  if (twice === undefined) return decisions;
  throw misuse(
    `The call ${JSON.stringify(twice)} is decided twice.`,
    'Give one decision for each call. Nothing was changed.',
  );
}

/** Throws misuse where one is about a call that does not wait. */
export function checkWaiting(decisions: readonly Decision[], waiting: readonly WaitingCall[], runId: string): void {
  const unknown = decisions.find(({ callId }) => waiting.every((one) => one.callId !== callId));
  if (unknown === undefined) return;
  const told = waiting.map(({ callId, tool }) => `${callId} (${oneLine(tool)})`).join(', ');
  throw misuse(
    `No call ${JSON.stringify(unknown.callId)} of the run ${oneLine(runId)} waits for a decision.`,
    `${told === '' ? 'None waits.' : `Waiting: ${told}.`} Nothing was changed.`,
  );
}
