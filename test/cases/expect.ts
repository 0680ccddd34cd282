/** The checks of `expect`: each gives what was expected and what was seen instead, or nothing. */
import { isDeepStrictEqual } from 'node:util';
import { endingProblems } from './endings.ts';
import type { CallSeen, Facts } from './facts.ts';
import type { Case, Expected, ExpectedCalls, ExpectedEnding } from './format.ts';
import { quote, requestProblems } from './requests.ts';

type Look = (expect: Expected, facts: Facts, one: Case) => readonly string[];

export function expectProblems(one: Case, facts: Facts): readonly string[] {
  return looks.flatMap((look) => look(one.expect, facts, one));
}

const looks: readonly Look[] = [
  lookAtEnding,
  lookAtCalls,
  lookAtCounts,
  lookAtObservations,
  lookAtRequests,
  lookAtUsage,
  lookAtEvents,
  lookAtTrace,
  lookAtTools,
];

function lookAtEnding({ orOutcome, phase1, secondResume, ...expect }: Expected, facts: Facts, { given }: Case) {
  // A case of a build or a compiler has no run to end.
  const noRun = given.setup !== undefined && given.setup.kind !== 'matrix';
  const main = noRun ? [] : endingProblems(expect, facts.ending, facts.calls.length);
  const instead = orOutcome === undefined ? main : endingProblems(orOutcome, facts.ending, facts.calls.length);
  return [
    ...(instead.length === 0 ? [] : main),
    ...other('phase1', phase1, facts.first, facts),
    ...other('secondResume', secondResume, facts.secondResume, facts),
  ];
}

function other(name: string, expected: ExpectedEnding | undefined, seen: Facts['first'], { calls }: Facts) {
  if (expected === undefined) return [];
  if (seen === null) return [`${name}: expected one, saw none`];
  return endingProblems(expected, seen, calls.length).map((problem) => `${name}: ${problem}`);
}

function lookAtCalls({ toolCalls, toolCallsAnyOf, toolCallCountAnyOf }: Expected, { calls }: Facts) {
  const problems: string[] = [];
  if (toolCalls !== undefined && !areCalls(toolCalls, calls))
    problems.push(`expected the tool calls ${JSON.stringify(toolCalls)}, saw ${showCalls(calls)}`);
  if (toolCallsAnyOf !== undefined && !toolCallsAnyOf.some((list) => areCalls(list, calls)))
    problems.push(`expected one of the lists ${JSON.stringify(toolCallsAnyOf)}, saw ${showCalls(calls)}`);
  if (toolCallCountAnyOf !== undefined && !toolCallCountAnyOf.includes(calls.length))
    problems.push(`expected ${toolCallCountAnyOf.join(' or ')} tool calls, saw ${calls.length}`);
  return problems;
}

/**
 * In order of start, once where nothing is said. `times` counts every start over the whole life of a run; without it, a
 * call that a crash cut off and that is started again is the same call.
 */
function areCalls(expected: ExpectedCalls, started: readonly CallSeen[]): boolean {
  const all = expected.flatMap((call) => Array.from({ length: call.times ?? 1 }, () => call));
  const counted = expected.some(({ times }) => times !== undefined);
  const calls = counted ? started : started.filter((call, at) => started.findIndex(isSame(call)) === at);
  return all.length === calls.length && all.every((call, index) => isCall(call, calls[index]));
}

function isSame(call: CallSeen): (other: CallSeen) => boolean {
  return ({ toolCallId, tool }) => toolCallId === call.toolCallId && tool === call.tool;
}

function isCall({ name, args }: ExpectedCalls[number], call: CallSeen | undefined): boolean {
  return call !== undefined && call.tool === name && (args === undefined || isDeepStrictEqual(call.input, args));
}

function showCalls(calls: readonly CallSeen[]): string {
  const shown = calls.slice(0, 10).map(({ tool, input }) => `${tool}(${JSON.stringify(input)})`);
  return quote(shown.length === 0 ? 'none' : shown.join(', '));
}

function lookAtCounts({ modelCalls, modelCallsAnyOf, httpRequests }: Expected, facts: Facts) {
  const problems: string[] = [];
  if (modelCalls !== undefined && facts.modelCalls !== modelCalls)
    problems.push(`expected ${modelCalls} model calls, saw ${facts.modelCalls}`);
  if (modelCallsAnyOf !== undefined && !modelCallsAnyOf.includes(facts.modelCalls))
    problems.push(`expected ${modelCallsAnyOf.join(' or ')} model calls, saw ${facts.modelCalls}`);
  if (httpRequests !== undefined && facts.requests.length !== httpRequests)
    problems.push(`expected ${httpRequests} HTTP requests, saw ${facts.requests.length}`);
  return problems;
}

/** What the model was told in the whole run, and what the last steps, which no request followed, were told. */
export function observationsOf({ results, ending }: Facts): readonly string[] {
  return [...results.flat(), ...ending.stepCalls.flatMap(({ observation }) => observation ?? [])];
}

function lookAtObservations(expect: Expected, facts: Facts) {
  const wanted = expect['observations contain'] ?? [];
  if (wanted.length === 0) return [];
  const all = observationsOf(facts);
  const missing = wanted.filter((wanted) => !all.some((text) => text.toLowerCase().includes(wanted.toLowerCase())));
  return missing.map(
    (wanted) => `expected an observation with ${quote(wanted)}, saw ${quote(unique(all).join(' | '))}`,
  );
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function lookAtRequests({ requests = {} }: Expected, facts: Facts) {
  return Object.entries(requests).flatMap(([which, wanted]) => {
    const meant = which === 'each' ? facts.requests : facts.requests.slice(Number(which) - 1, Number(which));
    if (meant.length === 0) return [`expected a request ${which}, saw ${facts.requests.length} requests`];
    return meant.flatMap((request) => requestProblems(wanted, request).map((problem) => `request ${which} ${problem}`));
  });
}

function lookAtUsage({ usage: wanted }: Expected, { ending: { usage } }: Facts) {
  if (wanted === undefined) return [];
  if (usage === null) return ['expected usage, saw none'];
  const seen: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    ['total', usage.totalTokens],
    ['estimated', usage.estimated],
    ['toolCalls', usage.toolCalls],
    ['steps', usage.steps],
    ['input', usage.inputTokens],
    ['output', usage.outputTokens],
    ['overrun', usage.overrun],
  ]);
  return Object.entries(wanted)
    .filter(([name, value]) => value !== undefined && seen.get(name) !== value)
    .map(([name, value]) => `expected usage.${name} ${value}, saw ${seen.get(name)}`);
}

/** Plain names for events of the trace; a name of the trace itself is as good. */
const traceNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['start', ['run.started']],
  ['end', ['run.ended']],
  ['step', ['prompt.sent']],
  ['tool', ['call.settled']],
  ['toolCall', ['call.settled']],
  ['resume', ['run.resumed']],
]);

export function countEvents({ trace }: Facts, name: string): number {
  const types = traceNames.get(name) ?? [name];
  return trace.filter(({ type }) => types.includes(type)).length;
}

function lookAtEvents({ events = {} }: Expected, facts: Facts) {
  return Object.entries(events)
    .filter(([name, count]) => countEvents(facts, name) !== count)
    .map(([name, count]) => `expected ${count} events ${name}, saw ${countEvents(facts, name)}`);
}

function lookAtTrace({ trace }: Expected, { traceText }: Facts) {
  if (trace === undefined) return [];
  const all = traceText.join('\n');
  const ends = [traceText[0], traceText.at(-1)].map((line) => /^\{"type":"([\w.]+)"/.exec(line ?? '')?.[1]).join();
  const isCounted = traceText.some((line) => /^\{"type":"trace\.dropped".*"count":\d/.test(line));
  return [
    ...(trace.contains ?? []).filter((part) => !all.includes(part)).map((part) => `the trace lacks ${quote(part)}`),
    ...(trace.lacks ?? []).filter((part) => all.includes(part)).map((part) => `the trace has ${quote(part)}`),
    ...(trace.droppedCountReported === true && !isCounted
      ? ['the trace does not say how many events were dropped']
      : []),
    ...(trace.keepsFirstAndLast === true && ends !== 'run.started,run.ended' ? [`the trace has the ends ${ends}`] : []),
  ];
}

function lookAtTools(expect: Expected, { calls, results }: Facts, { given }: Case) {
  return [
    ...signalProblems(expect.signalAborted, calls),
    ...(expect.callKeyStable === true ? keyProblems(calls) : []),
    ...(expect.observationKeeps ?? []).flatMap((end) => keptProblems(end, results.flat(), given)),
  ];
}

function signalProblems(wanted: Expected['signalAborted'], calls: readonly CallSeen[]): readonly string[] {
  if (wanted === undefined) return [];
  if (typeof wanted === 'boolean')
    return calls.some(({ signalAborted }) => signalAborted) === wanted
      ? []
      : [`expected the signal of a tool ${wanted ? '' : 'not '}to be aborted`];
  const tools = typeof wanted === 'string' ? [wanted] : wanted;
  return tools
    .filter((name) => !calls.some(({ tool, signalAborted }) => tool === name && signalAborted))
    .map((name) => `expected the signal of ${name} to be aborted`);
}

/** One key for every try of a call, and no key for two calls. */
function keyProblems(calls: readonly CallSeen[]): readonly string[] {
  if (calls.length === 0) return ['expected a call with a key, saw no call'];
  const byCall = new Map<string, Set<string>>();
  for (const { toolCallId, idempotencyKey } of calls)
    byCall.set(toolCallId, (byCall.get(toolCallId) ?? new Set()).add(idempotencyKey));
  const keys = [...byCall.values()].flatMap((each) => [...each]);
  const stable = [...byCall.values()].every((each) => each.size === 1) && new Set(keys).size === byCall.size;
  return stable ? [] : [`expected one key a call, saw ${JSON.stringify(keys)}`];
}

/** The beginning or the end of what a huge tool returned is still there. */
function keptProblems(end: 'head' | 'tail', results: readonly string[], { tools }: Case['given']): readonly string[] {
  const huge = tools.find(({ behaviour }) => behaviour === 'huge')?.value;
  const fields = typeof huge === 'object' && huge !== null ? new Map<string, unknown>(Object.entries(huge)) : new Map();
  const part = String(fields.get(end) ?? String(fields.get('fill') ?? 'x').repeat(20));
  const kept = results.some((text) => (end === 'head' ? text.startsWith(part) : text.trimEnd().endsWith(part)));
  return kept ? [] : [`expected an observation that keeps the ${end} ${quote(part)}`];
}
