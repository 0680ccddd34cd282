/** What happens from outside: when, and what is done. Both are short texts with a form of their own. */
import type { GivenEvent } from './format.ts';

/** A moment: a fixed one, a step, so long after a tool was started, or so long after what went before. */
export type Moment =
  | { readonly kind: 'beforeStart' | 'suspended' | 'restored' | 'later' | 'end' }
  | { readonly kind: 'step'; readonly step: number }
  | { readonly kind: 'tool'; readonly tool: string; readonly afterMs: number }
  | { readonly kind: 'wait'; readonly afterMs: number };

export type Verb =
  | { readonly verb: PlainVerb }
  | { readonly verb: 'raise'; readonly limit: string; readonly to: number };

const plainVerbs = [
  'abort',
  'approve',
  'reject',
  'snapshot',
  'crash',
  'newProcess',
  'restore',
  'editSnapshot',
  'approveImmediately',
] as const;
export type PlainVerb = (typeof plainVerbs)[number];

export interface PlannedEvent extends GivenEvent {
  readonly moment: Moment;
  readonly verbs: readonly Verb[];
}

/** Throws for a moment or a verb that nobody knows. */
export function planned(event: GivenEvent): PlannedEvent {
  return { ...event, moment: momentOf(event.at), verbs: event.do.split('+').map((word) => verbOf(word.trim())) };
}

const fixedMoments = ['beforeStart', 'suspended', 'restored', 'later', 'end'] as const;

function momentOf(at: string): Moment {
  const fixed = fixedMoments.find((kind) => kind === at);
  if (fixed !== undefined) return { kind: fixed };
  const step = /^step:(\d+)$/.exec(at);
  if (step !== null) return { kind: 'step', step: Number(step[1]) };
  const tool = /^tool:([^+]+)(?:\+(\d+)ms)?$/.exec(at);
  if (tool !== null) return { kind: 'tool', tool: tool[1] ?? '', afterMs: Number(tool[2] ?? 0) };
  const wait = /^wait\+(\d+)ms$/.exec(at);
  if (wait !== null) return { kind: 'wait', afterMs: Number(wait[1]) };
  throw new Error(`the event at ${JSON.stringify(at)} is unknown`);
}

function verbOf(word: string): Verb {
  const verb = plainVerbs.find((known) => known === word);
  if (verb !== undefined) return { verb };
  // A snapshot always becomes JSON text here: it is kept as such.
  if (word === 'snapshot→JSON text') return { verb: 'snapshot' };
  const raise = /^raise (\w+) to (\d+)$/.exec(word);
  if (raise !== null) return { verb: 'raise', limit: raise[1] ?? '', to: Number(raise[2]) };
  throw new Error(`the event does ${JSON.stringify(word)}, which is unknown`);
}
