/**
 * Chooses how a case is played: in this process, in one of its own, many times over, or not at all because it is about
 * building and checking.
 */

import type { Facts } from './facts.ts';
import type { Case } from './format.ts';
import { observeInChild } from './in-child.ts';
import { placesOf } from './must-not-surroundings.ts';
import { play } from './play.ts';
import { soak } from './soak.ts';

export async function observe(one: Case): Promise<Facts> {
  const { setup } = one.given;
  if (setup !== undefined && setup.kind !== 'matrix') return (await import('./setups.ts')).observeSetup(one);
  if (needsOwnProcess(one)) return observeInChild(one);
  return observeHere(one);
}

/** Also what a process of its own does. */
export async function observeHere(one: Case): Promise<Facts> {
  if (one.given.soak !== undefined) return soak(one, one.given.soak);
  if (one.given.setup !== undefined) return overMatrix(one);
  const inspector = hasInspector(one);
  const facts = await play(one, { inspector, schemaFrom: null });
  return has(one, 'inspector_overhead_over_ms') ? withOverhead(one, facts) : facts;
}

/** What the runtime does on its own can only be seen from outside, and a heap only where nothing else is in it. */
const ofProcess: ReadonlySet<string> = new Set([
  'unhandled_rejection',
  'process_exit',
  'process_warning',
  'open_handles_after_end',
  'heap_growth_over_bytes',
]);
const printed: ReadonlySet<string> = new Set(['log', 'stdout', 'stderr', 'console']);

function needsOwnProcess({ expect }: Case): boolean {
  return expect['must not'].some(
    (params) => ofProcess.has(params.code) || wheres(params).some((at) => printed.has(at)),
  );
}

function hasInspector({ given, expect }: Case): boolean {
  return given.inspector?.on === true || expect['must not'].some((params) => wheres(params).includes('inspector'));
}

function wheres({ code, where }: { readonly code: string; readonly where?: unknown }): readonly string[] {
  if (code !== 'secret_visible') return [];
  return placesOf(typeof where === 'string' ? where : Array.isArray(where) ? where.map(String) : undefined);
}

function has({ expect }: Case, code: string): boolean {
  return expect['must not'].some((params) => params.code === code);
}

async function withOverhead(one: Case, facts: Facts): Promise<Facts> {
  const timed = async (inspector: boolean) => {
    const startMs = performance.now();
    await play(one, { inspector, schemaFrom: null });
    return performance.now() - startMs;
  };
  // The first play warmed both up.
  const without = await timed(false);
  const withIt = await timed(true);
  return { ...facts, inspectorOverheadMs: Math.max(0, withIt - without) };
}

/** Once for each value of the field that `over` names; what matters must be the same. */
async function overMatrix(one: Case): Promise<Facts> {
  if (one.given.setup?.over !== 'schemaFrom') throw new Error(`a matrix over ${one.given.setup?.over} is unknown`);
  const ways = [...new Set(one.given.tools.flatMap(({ schemaFrom = [] }) => schemaFrom))];
  const all: Facts[] = [];
  for (const way of ways) all.push(await play(one, { inspector: hasInspector(one), schemaFrom: way }));
  const [first] = all;
  if (first === undefined) throw new Error('the matrix has no ways');
  const matrix = ways.map((way, index) => ({ way, facts: inShort(all[index] ?? first) }));
  const { setup } = has(one, 'compile_error') ? await (await import('./setups.ts')).observeSetup(one) : first;
  return { ...first, broken: all.flatMap(({ broken }) => broken), matrix, setup };
}

/** Messages of schemas are in the words of their libraries, so that observations may differ. */
function inShort({ ending, calls, modelCalls }: Facts): string {
  const ran = calls.map(({ tool, input }) => [tool, input]);
  return JSON.stringify([ending.outcome, ending.stopReason, ending.answer, modelCalls, ran]);
}
