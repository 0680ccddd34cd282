/** Runs the cases of a file one after another and says what came of each; the last line is the sum. */
import { type Entry, readCases } from './format.ts';
import { problemsOf } from './judge.ts';
import type { Later } from './later.ts';

export interface ReportOptions {
  /** The text of a file of cases. */
  readonly file: string;
  readonly later: Later;
  /** Whether the list of later cases is about this file: then each of them must be in it. */
  readonly isOwnFile: boolean;
  /** Only these, where any are named. */
  readonly ids: readonly string[];
  readonly print: (line: string) => void;
}

export interface Sum {
  readonly passed: number;
  readonly failed: number;
}

export async function report({ file, later, isOwnFile, ids, print }: ReportOptions): Promise<Sum> {
  const all = readCases(file);
  const chosen = ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
  const sum = { passed: 0, failed: 0 };
  for (const entry of chosen) {
    const { line, counts } = verdictOn(entry.id, await lookAt(entry), later);
    print(line);
    if (counts !== null) sum[counts]++;
  }
  for (const line of absent(all, ids, isOwnFile ? later : new Map())) {
    print(line);
    sum.failed++;
  }
  print(`${sum.passed} passed, ${sum.failed} failed`);
  return sum;
}

/** What is wrong with a line of the file. */
export async function lookAt(entry: Entry): Promise<readonly string[]> {
  return entry.case === null ? [entry.problem] : problemsOf(entry.case);
}

export interface Verdict {
  readonly line: string;
  /** Null for a case that is not counted. */
  readonly counts: keyof Sum | null;
}

export function verdictOn(id: string, problems: readonly string[], later: Later): Verdict {
  const why = later.get(id);
  if (why === undefined && problems.length === 0) return { line: `ok ${id}`, counts: 'passed' };
  if (why === undefined) return { line: `FAIL ${id}  ${problems.map(oneLine).join('; ')}`, counts: 'failed' };
  if (problems.length === 0) return { line: `FAIL ${id}  passes: take it off the list (${why})`, counts: 'failed' };
  return { line: `later ${id}  ${why}`, counts: null };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Ids that somebody named and the file does not have. */
function absent(all: readonly Entry[], ids: readonly string[], later: Later): readonly string[] {
  const known = new Set(all.map(({ id }) => id));
  const listed = ids.length === 0 ? [...later.keys()] : [];
  return [
    ...ids.filter((id) => !known.has(id)).map((id) => `FAIL ${id}  is not in the file`),
    ...listed
      .filter((id) => !known.has(id))
      .map((id) => `FAIL ${id}  is on the list of later cases, and not in the file`),
  ];
}
