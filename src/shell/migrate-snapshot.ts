/**
 * Snapshots of earlier versions of the machine, brought forward step by step: what each version did not have yet is added,
 * and the document is then checked as any other. Whoever changes states, events or names of the machine adds a step. Pure.
 */
import { isJsonObject, type JsonObject } from '../core/json.ts';

/** Of the machine that ships. A test holds it against the machine itself. */
export const shippedHash = 'iwqiqho4v5nnk559ev58';

type Forward = (document: JsonObject) => JsonObject;

/** By the hash of its machine, oldest first: how the next version has it. */
const earlier: readonly (readonly [machineHash: string, Forward])[] = [
  ['200ijvm98b4w9w9zl0653', withTries],
  ['19t0nwl4zvjzk7b979227', (document) => document], // an event was added: the end by a store that fails
];

/** The document as the given machine has it; as it is where that is not ours, or the document of no version that is known. */
export function broughtForward(document: JsonObject, machineHash: string): JsonObject {
  const first = earlier.findIndex(([hash]) => hash === document.machineHash);
  if (first === -1 || machineHash !== shippedHash) return document;
  const forward = earlier.slice(first).reduce((before, [, step]) => step(before), document);
  return { ...forward, machineHash };
}

/** Replies were never asked for again, and agents that ran as tools spent nothing of the run. */
function withTries(document: JsonObject): JsonObject {
  const { context } = document;
  if (!isJsonObject(context) || !isJsonObject(context.limits)) return document;
  const limits = { modelRetries: 0, ...context.limits };
  return { ...document, context: { attempt: 1, askAtMs: 0, nestedSteps: 0, ...context, limits } };
}
