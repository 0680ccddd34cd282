/** One run, drawn from a seed: what the model wants, how each request is answered, and through which lane it goes. */
import { labelled } from '../../src/protocol/labelled.ts';
import { createRandom, type Random } from '../support/random.ts';
import type { ServerAnswer } from '../support/server-answer.ts';
import { type FaultKind, faults, type Way, weighted } from './faults.ts';

/**
 * What the model wants in one step. `look` reads, `wait` reads for a few milliseconds, `save` has an effect, `fail` is a tool
 * that throws, `unknown` one that does not exist, `both` two reads at once, `nonsense` no step at all. Of runs that are stored
 * also: `send` has an effect about which a person is asked, `haltRead` and `haltEffect` abort their own run when they start.
 */
export type Intent = (typeof common)[number] | 'both' | 'nonsense' | 'answer' | (typeof ofStored)[number];

const common = ['look', 'look', 'look', 'wait', 'save', 'save', 'fail', 'unknown'] as const;
const ofStored = ['send', 'send', 'haltRead', 'haltEffect'] as const;

export interface Lane {
  readonly name: string;
  readonly dialect: Way['dialect'];
  /** The models that stand behind one, in their order; one where there is no fallback. */
  readonly models: readonly Omit<Way, 'dialect'>[];
  readonly modelRetries: number;
}

export interface RunScript {
  readonly id: number;
  readonly seed: number;
  readonly lane: Lane;
  readonly intents: readonly Intent[];
  /** By the number of the request, from 0; null: answered as it should be. */
  readonly faults: readonly (FaultKind | null)[];
  /** Where its runs are stored: how this one is left, to be taken up again by its id. Else null. */
  readonly leaving: Leaving | null;
}

export interface Leaving {
  /** Somebody is there when it begins; where nobody is, the first call that asks suspends it. */
  readonly attended: boolean;
  /** What it may have at first; it goes on with the whole budget. Null: that from the beginning. */
  readonly limit: { readonly maxSteps: number } | { readonly maxToolCalls: number } | null;
  /** Of each call that asks, in turn. `first`: what is done when it asks for the first time. */
  readonly decisions: readonly { readonly first: 'decide' | 'suspend' | 'abort'; readonly allow: boolean }[];
  /** Between two of its lives. */
  readonly pauseMs: number;
}

const most = { intents: 7, faultyRequests: 80 } as const;

interface Drawing {
  readonly seed: number;
  readonly lanes: readonly Lane[];
  readonly faultShare: number;
  readonly isStored: boolean;
}

export function drawScript(id: number, { seed, lanes, faultShare, isStored }: Drawing): RunScript {
  const random = createRandom(seed);
  const lane = oneOf(lanes, random);
  const wants = [...intentsIn(lane), ...(isStored ? ofStored : [])];
  const count = random(most.intents);
  return {
    id,
    seed,
    lane,
    intents: [...Array.from({ length: count }, () => oneOf(wants, random)), 'answer'],
    faults: Array.from({ length: most.faultyRequests }, () =>
      random(1_000_000) < faultShare * 1_000_000 ? oneOf(weighted, random) : null,
    ),
    leaving: isStored ? leavingIn(random) : null,
  };
}

function leavingIn(random: Random): Leaving {
  return {
    attended: random(2) === 0,
    limit: oneOf([null, null, { maxSteps: 1 + random(4) }, { maxToolCalls: random(4) }], random),
    decisions: Array.from({ length: 3 }, () => ({
      first: oneOf(['decide', 'suspend', 'abort'] as const, random),
      allow: random(4) > 0,
    })),
    pauseMs: random(500),
  };
}

function intentsIn({ dialect }: Lane): readonly Intent[] {
  // In `native` any text without a call is an answer.
  return [...common, dialect === 'native' ? 'both' : 'nonsense'];
}

function oneOf<Value>(values: readonly Value[], random: Random): Value {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error('There is nothing to draw from.');
  return value;
}

/** The calls of an intent in the step with this number, in their order; none of an answer or of nonsense. */
export function callsOf(intent: Intent, number: number): readonly { readonly tool: string; readonly input: object }[] {
  if (intent === 'answer' || intent === 'nonsense') return [];
  const input = { n: number };
  if (intent !== 'both') return [{ tool: intent, input }];
  return [
    { tool: 'look', input },
    { tool: 'look', input: { n: number + 100 } },
  ];
}

export function answerOf(id: number): string {
  return `the answer of run ${id}`;
}

/** Stands in what must not be used. */
export const torn = 'torn';

/** The reply that is due, as the server is to send it to this request. */
export function answerTo(
  { id, intents, faults: drawn }: Pick<RunScript, 'id' | 'intents' | 'faults'>,
  { request, due }: { readonly request: number; readonly due: number },
  way: Way,
): ServerAnswer {
  const kind = drawn[request] ?? null;
  const intent = intents[due] ?? 'answer';
  if (kind === null) return reply(intent, { id, due, way });
  const fault = faults[kind];
  const { is } = fault.meaning(way);
  return fault.answer(is === 'failed' || is === 'silent' ? tornReply(way) : reply(intent, { id, due, way }), way);
}

function reply(
  intent: Intent,
  { id, due, way }: { readonly id: number; readonly due: number; readonly way: Way },
): ServerAnswer {
  if (intent === 'nonsense') return { text: '' };
  const thought = `I think of 海 in step ${due}.`;
  if (intent === 'answer')
    return { text: way.dialect === 'native' ? answerOf(id) : labelled.form.answer(thought, answerOf(id)) };
  return calling(thought, callsOf(intent, due), way);
}

function tornReply(way: Way): ServerAnswer {
  return calling(`${torn} thought`, [{ tool: 'save', input: { n: torn } }], way);
}

function calling(thought: string, calls: ReturnType<typeof callsOf>, { dialect }: Way): ServerAnswer {
  if (dialect === 'native')
    return {
      text: thought,
      calls: calls.map(({ tool, input }, index) => ({
        name: tool,
        arguments: JSON.stringify(input),
        id: `call_${index}`,
      })),
    };
  const texts = calls.map(({ tool, input }) => labelled.form.call(thought, tool, { ...input }));
  return { text: texts.join('\n') };
}
