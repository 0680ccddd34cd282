/** The lines of a store, checked one by one and in their order. What is wrong is told with its place; nothing is mended. Pure. */
import type { AgentError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { type JournalLine, journalFormat } from '../core/store.ts';
import { checkedLine } from '../shapes/journal-line.ts';
import { isCheckpoint, parsedJson } from './journal-line.ts';
import { invalidJournal, shown } from './store-errors.ts';

/** For messages. */
export interface JournalPlace {
  readonly runId: string;
  /** The name of the store. */
  readonly store: string;
}

/** Lines as texts of JSON. Throws AgentError (`invalid_journal`). */
export function readJournal(texts: readonly string[], place: JournalPlace): readonly JournalLine[] {
  return checkedJournal(texts.map(parsedJson), place);
}

/** Throws AgentError (`invalid_journal`) at the first line that is no line of a journal, or is out of order. */
export function checkedJournal(values: readonly unknown[], place: JournalPlace): readonly JournalLine[] {
  let next: number | null = null;
  return values.map((value, index) => {
    if (value === undefined) throw badLine(index, 'it is no JSON', place);
    const later = laterFormat(value);
    if (later !== null) throw ofLaterVersion(index, later, place);
    const checked = checkedLine(value);
    if ('problem' in checked) throw badLine(index, checked.problem, place);
    const { line } = checked;
    const problem = outOfOrder(line, next, place);
    if (problem !== null) throw badLine(index, problem, place);
    next = isCheckpoint(line) ? line.snapshot.sequence : line.sequence + 1;
    return line;
  });
}

/** `next` is the sequence number that is due; null at the first line. */
function outOfOrder(line: JournalLine, next: number | null, { runId }: JournalPlace): string | null {
  if (isCheckpoint(line)) {
    const { snapshot } = line;
    if (snapshot.runId !== runId) return `it is of the run ${shown(snapshot.runId)}`;
    return next === null || snapshot.sequence === next
      ? null
      : `its sequence is ${snapshot.sequence}, and ${next} is due`;
  }
  if (next === null && line.type !== 'run.started')
    return `a journal begins with run.started, and this is ${line.type}`;
  if ('runId' in line && line.runId !== runId) return `it is of the run ${shown(line.runId)}`;
  return line.sequence === (next ?? 0) ? null : `its sequence is ${line.sequence}, and ${next ?? 0} is due`;
}

const [ourJournal, ourSnapshot] = [journalFormat, 'fuseloop.snapshot/1'];

/** The format that a line names, where it is one of ours that is not known yet. */
function laterFormat(value: unknown): string | null {
  if (!isJsonObject(value)) return null;
  const formats = [value.format, isJsonObject(value.snapshot) ? value.snapshot.format : undefined];
  const later = formats.find(
    (one) => typeof one === 'string' && isOurs(one) && one !== ourJournal && one !== ourSnapshot,
  );
  return typeof later === 'string' ? later : null;
}

function isOurs(format: string): boolean {
  return format.startsWith('fuseloop.journal/') || format.startsWith('fuseloop.snapshot/');
}

function ofLaterVersion(index: number, format: string, { runId, store }: JournalPlace): AgentError {
  return invalidJournal(
    `Line ${index + 1} of the run ${shown(runId)} in ${store} has the format ${shown(format)}; this version of fuseloop reads ${ourJournal} with ${ourSnapshot}. Nothing was changed.`,
    'Go on with the run with the version of fuseloop that wrote it, or a later one.',
  );
}

function badLine(index: number, problem: string, { runId, store }: JournalPlace): AgentError {
  return invalidJournal(
    `Line ${index + 1} of the run ${shown(runId)} in ${store} is no line of its journal: ${problem}. Nothing was changed.`,
    'Put the line back from a copy, or delete the run from the store.',
  );
}
