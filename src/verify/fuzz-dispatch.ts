/**
 * The target `dispatch`: calls of any name and input through the gates and to tools that try to break them, or to tools
 * of your own. Those are really called, unless they ask a person first; time is then the real one.
 */
import type { JsonValue } from '../core/json.ts';
import type { ToolRecord } from '../core/tool.ts';
import { compileTools } from '../dispatch/toolbox.ts';
import { systemClock } from '../shell/system-clock.ts';
import { jsonInputs, jsonValues, toolNames } from './arbitrary-input.ts';
import { countingClock } from './counting-clock.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { type HostileTool, hostileTools, recordOf } from './fuzz-dispatch-tools.ts';
import { beginTrial, hookMs, type TriedCall } from './fuzz-dispatch-trial.ts';
import { fittingInputs } from './fuzz-inputs.ts';
import { watchTools } from './fuzz-own-tools.ts';
import { broken, type FuzzTarget, feed, mustEqual } from './fuzz-target.ts';
import { virtualClock } from './virtual-clock.ts';

interface Example {
  /** Null: the user's. */
  readonly tools: readonly HostileTool[] | null;
  readonly calls: readonly TriedCall[];
  /** Virtual time at which all is cancelled. */
  readonly cancelAtMs: number | null;
  readonly language: 'en' | 'zh';
}

export const dispatchTarget: FuzzTarget = {
  name: 'dispatch',
  takes: ['tools'],
  tells: 'calls of any name and input to hostile tools, or to yours: one verdict, one result, in time and in size',
  runs: 2_000,
  feed: (fc, { tools }) =>
    feed<Example>({
      fc,
      draws: tools === null ? hostileExamples(fc) : ownExamples(fc, tools),
      holds: (example) =>
        example.tools === null ? holdsForOwn(example, tools ?? {}) : holdsForHostile(example, example.tools),
    }),
};

function hostileExamples(fc: FastCheck): Arbitrary<Example> {
  const long = fc.constantFrom('k'.repeat(100_000), '价'.repeat(20_000));
  const any: Arbitrary<JsonValue> = jsonInputs(fc);
  const input: Arbitrary<JsonValue> = fc.oneof(
    { weight: 8, arbitrary: any },
    { weight: 2, arbitrary: strictInputs(fc) },
    { weight: 2, arbitrary: jsonValues(fc) },
    { weight: 1, arbitrary: fc.constantFrom(10, 150, 200, 1_000, 20_000).map(nested) },
    { weight: 1, arbitrary: long.map((key): JsonValue => ({ [key]: key })) },
  );
  const name = toolNames(fc);
  const before = fc.constantFrom<TriedCall['before'][]>(null, null, null, 'succeeded', 'unknown');
  const tool = fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.oneof(long, fc.string()) });
  return fc.record<Example>({
    tools: hostileTools(fc, name),
    calls: fc.array(fc.record<TriedCall>({ tool, input, before }), { maxLength: 4 }),
    cancelAtMs: fc.constantFrom(null, null, null, 0, 30, 12_000),
    language: fc.constantFrom<('en' | 'zh')[]>('en', 'zh'),
  });
}

function ownExamples(fc: FastCheck, tools: ToolRecord): Arbitrary<Example> {
  const toolbox = compileTools(tools, ownTimeoutMs);
  const call = fc.oneof(
    ...[...toolbox.values()].map(({ name, schema }) =>
      fc.record<TriedCall>({
        tool: fc.constant(name),
        input: fc.oneof(
          { weight: 3, arbitrary: fittingInputs(fc, schema.jsonSchema) },
          { weight: 1, arbitrary: jsonInputs(fc) },
        ),
        before: fc.constant(null),
      }),
    ),
  );
  return fc.record<Example>({
    tools: fc.constant(null),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    cancelAtMs: fc.constant(null),
    language: fc.constant('en'),
  });
}

function strictInputs(fc: FastCheck): Arbitrary<JsonValue> {
  const id = fc.constantFrom(null, 1, 2, 'three');
  return fc.tuple(fc.string(), id).map(([q, which]): JsonValue => (which === null ? { q } : { q, id: which }));
}

function nested(depth: number): JsonValue {
  let value: JsonValue = 'deep';
  for (let level = 0; level < depth; level++) value = { q: value };
  return value;
}

/** For a tool of the user's that has no time of its own: fuzzing calls it often. */
const ownTimeoutMs = 2_000;
const hostileTimeoutMs = 15_000;

async function holdsForHostile({ calls, language, cancelAtMs }: Example, tools: readonly HostileTool[]): Promise<void> {
  const clock = virtualClock();
  const theirs = countingClock(clock);
  const toolbox = compileTools(recordOf(tools, theirs), hostileTimeoutMs);
  const trial = beginTrial({ calls, language, toolbox, clock, approves: true });
  if (cancelAtMs === null) {
    await clock.until(trial.done);
    const left = clock.armed - theirs.armed();
    if (left > 0) throw broken(`${left} timers are still armed when all is done`);
    const longestMs = calls.length * (2 * hookMs + hostileTimeoutMs) + 1_000;
    const tookMs = clock.monotonicMs();
    if (tookMs > longestMs) throw broken(`It took ${tookMs} ms; ${longestMs} ms are allowed`);
  } else {
    await clock.pass(cancelAtMs);
    trial.cancel();
  }
  const told = trial.told();
  await clock.pass(100_000_000);
  mustEqual('Something was told when all was over', trial.told(), told);
  trial.check();
}

/** A call that asks is not run: nobody is there to let it. */
async function holdsForOwn({ calls, language }: Example, tools: ToolRecord): Promise<void> {
  const watched = watchTools(compileTools(tools, ownTimeoutMs));
  const { toolbox } = watched;
  const trial = beginTrial({ calls, language, toolbox, clock: systemClock, approves: false });
  await trial.done;
  trial.check();
  watched.check();
}
