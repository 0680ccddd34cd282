/** Compares an ending with what a case expects of it. */
import type { Ending } from './facts.ts';
import type { ExpectedEnding, ExpectedResult } from './format.ts';
import { quote } from './requests.ts';

/** The design has names of its own for what a case calls one thing. */
const sameReason: ReadonlyMap<string, string> = new Map([['cost_budget', 'token_budget']]);

export function endingProblems(expected: ExpectedEnding, seen: Ending, toolCalls: number): readonly string[] {
  return [
    ...outcomeProblems(expected, seen),
    ...reasonProblems(expected, seen),
    ...answerProblems(expected, seen),
    ...(expected.errorContains ?? [])
      .filter((part) => !(seen.error ?? '').toLowerCase().includes(part.toLowerCase()))
      .map((part) => `expected an error with ${quote(part)}, saw ${quote(seen.error ?? 'none')}`),
    ...(expected.result === undefined ? [] : resultProblems(expected.result, seen, toolCalls)),
  ];
}

function outcomeProblems({ outcome, phase }: ExpectedEnding, seen: Ending): readonly string[] {
  const problems: string[] = [];
  if (outcome !== undefined && seen.outcome !== outcome)
    problems.push(
      `expected the outcome ${outcome}, saw ${seen.outcome} (${seen.stopReason ?? seen.error ?? 'no run'})`,
    );
  if (outcome !== undefined && (phase ?? null) !== seen.phase)
    problems.push(`expected ${phase ?? 'a run'}, saw an error of the phase ${seen.phase}: ${seen.error}`);
  return problems;
}

function reasonProblems({ stopReason, stopReasonAnyOf }: ExpectedEnding, seen: Ending): readonly string[] {
  const reason = seen.stopReason === null ? null : (sameReason.get(seen.stopReason) ?? seen.stopReason);
  const allowed = stopReasonAnyOf ?? (stopReason === undefined ? null : [stopReason]);
  const named = allowed?.map((each) => (each === null ? null : (sameReason.get(each) ?? each)));
  if (named === undefined || named.includes(reason)) return [];
  return [`expected the stop reason ${named.join(' or ')}, saw ${reason}`];
}

function answerProblems({ answer }: ExpectedEnding, seen: Ending): readonly string[] {
  if (answer === undefined) return [];
  const text = seen.answer;
  const fits = typeof answer === 'string' ? text === answer : answer.contains.every((part) => text?.includes(part));
  return fits ? [] : [`expected the answer ${JSON.stringify(answer)}, saw ${quote(text ?? 'none')}`];
}

function resultProblems(expected: ExpectedResult, seen: Ending, toolCalls: number): readonly string[] {
  const { unknownOutcome, errorCode, partial } = expected;
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['stepsAttached', expected.stepsAttached, seen.steps],
    ['toolCallCount', expected.toolCallCount, toolCalls],
    ['hasSnapshot', expected.hasSnapshot, seen.hasSnapshot],
    ['unknownOutcome', unknownOutcome?.toSorted().join(), seen.unknown.toSorted().join()],
    ['partial', partial, seen.partial],
    // A stop reason is a code that callers branch on; an error has one of its own.
    ['errorCode', errorCode === 'stable' ? true : errorCode, errorCode === 'stable' ? isStable(seen) : seen.errorCode],
  ];
  return pairs
    .filter(([, wanted, found]) => wanted !== undefined && wanted !== found)
    .map(([name, wanted, found]) => `expected ${name} ${wanted}, saw ${found}`);
}

function isStable({ stopReason, errorCode }: Ending): boolean {
  return (stopReason ?? errorCode) !== null;
}
