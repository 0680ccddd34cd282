/** Codes about what stands around a run: secrets, growth, inspectors, compilers, bundles. */
import { z } from 'zod';
import { above, type Code, code, n, slowness, text, when } from './code.ts';
import { observationsOf } from './expect.ts';
import type { Facts, SetupSeen } from './facts.ts';

export const surroundingCodes: readonly (readonly [string, Code])[] = [
  [
    'secret_visible',
    code({ value: text.optional(), where: z.union([text, z.array(text)]).optional() }, (params, facts, one) =>
      visible(facts, params.value === undefined ? (one.given.secrets ?? []) : [params.value], placesOf(params.where)),
    ),
  ],
  [
    'snapshot_growth_over_bytes',
    code({ n, afterSteps: n.optional() }, (params, facts) => snapshotGrowth(facts, params)),
  ],
  [
    'children_between_steps_over',
    code({ n }, (params, { samples }) => above(params.n, leftOver(samples.timers), 'timers')),
  ],
  ['pending_store_writes_over', code({ n }, () => 'was not measured: there is no store')],
  ['heap_growth_over_bytes', code({ n, afterRuns: n.optional() }, (params, facts) => heapGrowth(facts, params))],
  [
    'trace_events_kept_over',
    code({ n }, (params, { waitingForReader }) => above(params.n, waitingForReader, 'events kept')),
  ],
  ['inspector_stopped', code({}, (_params, facts) => inspectorStopped(facts))],
  [
    'inspector_overhead_over_ms',
    code({ n }, (params, facts) => above(params.n * slowness(), facts.inspectorOverheadMs, 'ms of overhead')),
  ],
  [
    'inspector_event_longer_than',
    code({ n }, (params, { inspected }) =>
      above(params.n, inspected === null ? null : Math.max(0, ...inspected.map(({ length }) => length)), 'characters'),
    ),
  ],
  ['inspector_queue_over', code({ n }, (params, facts) => above(params.n, facts.waitingForReader, 'events waiting'))],
  ['compile_error', ofSetup(({ compileErrors }) => compileErrors?.[0] ?? (compileErrors === null ? unmeasured : null))],
  ['import_error', ofSetup(({ importErrors }) => importErrors?.[0] ?? (importErrors === null ? unmeasured : null))],
  ['two_copies_loaded', ofSetup(({ copies }) => above(1, copies, 'copies'))],
  [
    'type_instantiations_over',
    code({ n }, (params, { setup }) => above(params.n, setup?.instantiations ?? null, 'instantiations')),
  ],
  [
    'typecheck_ms_over',
    code({ n }, (params, { setup }) => above(params.n * slowness(), setup?.typecheckMs ?? null, 'ms of checking')),
  ],
  ['bundle_gzip_over_bytes', code({ n }, (params, { setup }) => above(params.n, setup?.gzipBytes ?? null, 'bytes'))],
  ['bundle_contains', code({ value: text }, ({ value }, { setup }) => bundled(setup, value))],
  [
    'quickstart_lines_over',
    code({ n }, (params, { setup }) => above(params.n, setup?.quickstart?.lines ?? null, 'lines')),
  ],
  [
    'subclass_needed',
    ofSetup(({ quickstart }) => (quickstart === null ? unmeasured : when(quickstart.subclass, 'it has a class'))),
  ],
  ['result_differs_over_matrix', code({}, (_params, facts) => differs(facts))],
];

const unmeasured = 'was not measured';

function ofSetup(look: (setup: SetupSeen) => string | null): Code {
  return code({}, (_params, { setup }) => (setup === null ? unmeasured : look(setup)));
}

/** Everywhere that is not the tool itself and not the model's own words. */
const everywhere = ['trace', 'inspector', 'request', 'observation', 'outcome', 'error', 'snapshot'];

export function placesOf(where: string | readonly string[] | undefined): readonly string[] {
  if (where === undefined) return everywhere;
  return typeof where === 'string' ? [where] : where;
}

const places: ReadonlyMap<string, (facts: Facts) => readonly string[]> = new Map([
  ['trace', ({ traceText }) => traceText],
  ['inspector', ({ inspected }) => inspected ?? []],
  ['request', ({ requests }) => requests.map((request) => JSON.stringify(request))],
  ['observation', (facts) => observationsOf(facts)],
  ['outcome', ({ outcomeText }) => [outcomeText]],
  ['answer', ({ ending }) => [ending.answer ?? '']],
  ['error', ({ ending, thrown }) => [ending.error ?? '', thrown ?? '']],
  ['snapshot', ({ snapshots }) => snapshots],
  ['log', ({ printed }) => [printed]],
  ['stdout', ({ printed }) => [printed]],
  ['stderr', ({ printed }) => [printed]],
  ['console', ({ printed }) => [printed]],
]);

function visible(facts: Facts, values: readonly string[], where: readonly string[]): string | null {
  if (values.length === 0) return 'cannot be checked: no secret is named';
  for (const name of where) {
    const texts = places.get(name)?.(facts);
    if (texts === undefined) return `cannot be checked: the place ${name} is unknown`;
    const shown = values.find((value) => texts.some((each) => each.includes(value)));
    if (shown !== undefined) return `${JSON.stringify(shown)} is in the ${name}`;
  }
  return null;
}

type After = { readonly n: number; readonly afterSteps?: number | undefined };

function snapshotGrowth({ samples: { snapshots } }: Facts, { n: most, afterSteps = 0 }: After): string | null {
  const measured = snapshots.filter(({ steps }) => steps >= afterSteps);
  return above(most, growth(measured), 'bytes of growth');
}

/** Between the first and the last; null where there are not two. */
function growth(measured: readonly { readonly bytes: number }[]): number | null {
  const [first, last] = [measured[0], measured.at(-1)];
  return first === undefined || last === undefined || first === last ? null : last.bytes - first.bytes;
}

type AfterRuns = { readonly n: number; readonly afterRuns?: number | undefined };

function heapGrowth({ heap }: Facts, { n: most, afterRuns = 0 }: AfterRuns): string | null {
  const settled = heap?.filter(({ runs }) => runs >= afterRuns) ?? [];
  return above(most, growth(settled), 'bytes of growth');
}

/** The first step shows what a run has armed for itself; more than that was left by a step before. */
function leftOver(timers: readonly number[]): number | null {
  const [first] = timers;
  return first === undefined ? null : Math.max(...timers) - first;
}

/** It was sent everything, from the first event to the last. */
function inspectorStopped({ inspected, inspectorStopped: why, traceText, ending }: Facts): string | null {
  if (inspected === null) return unmeasured;
  if (why !== null) return why;
  const whole = inspected.length === traceText.length && (inspected.at(-1) ?? '').includes('"run.ended"');
  return when(!whole && ending.stopReason !== null, `it got ${inspected.length} events, and the end was not the last`);
}

function bundled(setup: SetupSeen | null, value: string): string | null {
  if (setup === null || setup.bundled === null) return unmeasured;
  const { text: code, builtins } = setup.bundled;
  if (/^node: built-ins/.test(value)) return when(builtins.length > 0, builtins.join(', '));
  return when(code.includes(value), `it has ${JSON.stringify(value)}`);
}

function differs({ matrix }: Facts): string | null {
  const [first] = matrix ?? [];
  if (matrix === null || first === undefined || matrix.length < 2) return unmeasured;
  const other = matrix.find(({ facts }) => facts !== first.facts);
  return when(other !== undefined, `${other?.way} gives ${other?.facts}, ${first.way} ${first.facts}`);
}
