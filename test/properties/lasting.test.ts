/** Journals of random runs, cut behind any line or damaged: what a store holds is the run as it was there, or is refused whole. */
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { createAgent } from '../../src/agent.ts';
import { AgentError } from '../../src/core/errors.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { JournalLine, Store } from '../../src/core/store.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import type { Run, Snapshot } from '../../src/index.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { memoryStore } from '../../src/store.ts';
import { toolOf } from '../../src/verify/arbitrary-tool.ts';
import { countingClock } from '../../src/verify/counting-clock.ts';
import { damagedCopy, damages } from '../../src/verify/damage.ts';
import { type RunScript, runScripts } from '../../src/verify/fuzz-runs.ts';
import { isTooLate } from '../../src/verify/too-late.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';

const runId = 'run';
const draws = process.env.FUSELOOP_LONG === undefined ? 60 : 1_000;

/** A call that may not be made twice, and how many lines there were when it began. */
interface Begun {
  readonly key: string;
  readonly lines: number;
}

/** An agent that follows the script on a store, and what is seen of it. */
function agentOn(script: RunScript, store: Store) {
  const clock = virtualClock();
  const theirs = countingClock(clock);
  const begun: Begun[] = [];
  const seen = { run: null as Run | null, at: new Map<number, Snapshot>(), lines: 0, ends: 0 };
  const noted = (tool: AnyTool): AnyTool => ({
    ...tool,
    execute: (...given: readonly never[]) => {
      const key: unknown = Reflect.get(Object(given[1]), 'idempotencyKey');
      begun.push({ key: String(key), lines: seen.lines });
      return Reflect.apply(tool.execute ?? (() => {}), undefined, given);
    },
  });
  const agent = createAgent({
    model: scriptedModel(script.replies, { clock }),
    tools: {
      look: toolOf({ does: 'returns', afterMs: 1, value: { seen: 1 } }, theirs, { readOnly: true }),
      fetch_order: noted(toolOf(script.order, theirs)),
      send: noted(toolOf(script.send, theirs, { sideEffect: true })),
      constructor: toolOf({ does: 'returns', afterMs: 0, value: 'the end' }, theirs, {
        endsRun: true,
        idempotent: true,
      }),
    },
    dialect: script.dialect,
    budget: script.budget,
    system: 'Be brief.',
    clock,
    store,
    ...(script.checksAnswer ? { checkAnswer: (answer: string) => answer.length % 2 === 0 || 'Once more.' } : {}),
    onEvent({ type, sequence }) {
      seen.lines = sequence + 1;
      if (type === 'run.ended') seen.ends++;
      else if (seen.run !== null) seen.at.set(sequence, JSON.parse(JSON.stringify(seen.run.snapshot())));
      if (type === 'approval.asked' || type === 'run.resumed')
        theirs.setTimer(5, () => decide(seen.run, script.person));
    },
  });
  const attended = script.person !== 'is away';
  const finish = async (run: Run) => {
    seen.run = run;
    const outcome = await clock.until(run.outcome);
    return { outcome, seen, begun, armed: clock.armed - theirs.armed() };
  };
  return {
    begin: () => finish(agent.start('the task', { runId, attended })),
    goOn: async () => finish(await clock.until(agent.resume(runId, { attended }))),
  };
}

function decide(run: Run | null, person: RunScript['person']): void {
  if (run === null || person === 'is silent' || person === 'is away') return;
  isTooLate(() => {
    for (const { callId, status } of run.snapshot().context.calls) {
      if (status !== 'asking') continue;
      if (person === 'approves') run.approve(callId);
      else run.deny(callId, 'not now');
    }
  });
}

async function storeOf(lines: readonly JournalLine[]): Promise<Store> {
  const store = memoryStore();
  const held = await store.open(runId);
  await held.append(lines);
  await held.release();
  return store;
}

/** Without times, and without what a prompt whose reply is lost has cost. */
function lasting(snapshot: unknown): unknown {
  const left = new Set(['lent', 'uncharged', 'atMs', 'startedAtMs', 'endedAtMs', 'askAtMs', 'wallMs']);
  return JSON.parse(JSON.stringify(snapshot, (key, value: unknown) => (left.has(key) ? undefined : value)));
}

/** The checkpoint with which the store begins once the run was taken up. */
function watched(store: Store) {
  const first: JournalLine[] = [];
  return {
    first,
    store: {
      ...store,
      open: async (id: string) => {
        const held = await store.open(id);
        const replace = (lines: readonly JournalLine[]) => {
          first.push(...lines.slice(0, 1));
          return held.replace(lines);
        };
        return { ...held, replace };
      },
    },
  };
}

test.prop([runScripts(fc), fc.array(fc.nat(200), { minLength: 1, maxLength: 3 })], { numRuns: draws })(
  'what is stored up to any line is the run as it was there, and goes on without doing anything twice',
  async (script, cuts) => {
    const store = memoryStore();
    const live = await agentOn(script, watchedWhole(store)).begin();
    const lines = whole.get(store) ?? [];
    for (const each of cuts) {
      const cut = 1 + (each % Math.max(1, lines.length));
      const there = live.seen.at.get(cut - 1);
      if (there === undefined || there.context.stopReason !== null) continue;
      const kept = watched(await storeOf(lines.slice(0, cut)));
      const went = await agentOn(script, kept.store).goOn();
      const [checkpoint] = kept.first;
      expect(lasting(checkpoint?.type === 'checkpoint' ? checkpoint.snapshot : null)).toEqual(lasting(there));
      expect({ armed: went.armed, ends: went.seen.ends }).toEqual({ armed: 0, ends: 1 });
      expect(went.outcome.ok).toBe(went.outcome.stopReason === 'final');
      expect(went.outcome.stopReason).not.toBe('internal_error');
      expect(went.outcome).not.toHaveProperty('storeError');
      const before = live.begun.filter((call) => call.lines <= cut).map(({ key }) => key);
      expect(went.begun.filter(({ key }) => before.includes(key))).toEqual([]);
    }
  },
);

/** Every line that was ever appended, also those that a checkpoint has replaced. */
const whole = new WeakMap<Store, JournalLine[]>();
function watchedWhole(store: Store): Store {
  const lines: JournalLine[] = [];
  whole.set(store, lines);
  return {
    ...store,
    async open(id) {
      const held = await store.open(id);
      const note = (more: readonly JournalLine[]) => lines.push(...more.filter(({ type }) => type !== 'checkpoint'));
      return {
        ...held,
        append: (more) => {
          note(more);
          return held.append(more);
        },
        replace: (more) => {
          note(more);
          return held.replace(more);
        },
      };
    },
  };
}

const refusals: readonly string[] = ['invalid_journal', 'invalid_snapshot', 'invalid_option'];

test.prop([runScripts(fc), fc.nat(200), damages(fc)], { numRuns: draws })(
  'a damaged journal is refused whole, or goes on to an end',
  async (script, at, damage) => {
    const store = memoryStore();
    await agentOn(script, watchedWhole(store)).begin();
    const lines = whole.get(store) ?? [];
    const prefix: JsonValue = JSON.parse(JSON.stringify(lines.slice(0, 1 + (at % Math.max(1, lines.length)))));
    const { copy, done } = damagedCopy(prefix, damage);
    const writes: string[] = [];
    let released = 0;
    const held: object = {
      epoch: 2,
      lines: copy,
      append: async () => void writes.push('append'),
      replace: async () => void writes.push('replace'),
      release: async () => void released++,
    };
    const damaged: Store = { ...store, open: async () => Object.assign(await memoryStore().open(runId), held) };
    try {
      const went = await agentOn(script, damaged).goOn();
      // One that is over comes with its outcome again, and nothing is recorded.
      const ends = went.seen.at.size === 0 && writes.length === 0 ? went.seen.ends : 1;
      expect({ armed: went.armed, ends: went.seen.ends, released }, done.join()).toEqual({
        armed: 0,
        ends,
        released: 1,
      });
    } catch (thrown) {
      if (!(thrown instanceof AgentError)) throw thrown;
      expect(refusals, done.join()).toContain(thrown.code);
      // One that is over, and whose end was not there, is given it, also where the budget given is refused.
      const end = thrown.code === 'invalid_option' ? writes.slice(0, 1).filter((way) => way === 'append') : [];
      expect({ writes, released }, done.join()).toEqual({ writes: end, released: 1 });
    }
  },
);
