/**
 * Holds the events of a replay against those of the recording, one after the other. Where an event says something else, the
 * replay goes on; where another event comes, it has left the recording, and what follows is not compared. Pure.
 */
import type { JsonValue } from '../core/json.ts';
import type { TraceEvent } from '../core/trace.ts';
import { type EventFacts, type Field, factsIn, hintField } from './event-facts.ts';
import { differsInQuotation } from './quotation.ts';
import { valueDifference } from './text-difference.ts';
import type { Inner } from './trace-runs.ts';

/** Where today's run is another than the recorded one. */
export interface TraceDifference {
  readonly runId: string;
  /** The number of the recorded event; null where the recording has no more. */
  readonly sequence: number | null;
  /** Null behind the last step. */
  readonly step: number | null;
  /** The type of the recorded event; where there is none, of the one that came, or that is missing. */
  readonly event: string;
  /** In plain words: what was recorded, and what came. */
  readonly message: string;
}

export interface Following {
  /** Takes the next event of today's run. */
  take(event: TraceEvent): void;
  /** Today's run is over: what it has not come to is a difference. */
  end(): void;
  /** The recorded event that is due; null at the end of the recording, and where the replay has left it. */
  due(): Inner | null;
  hasLeft(): boolean;
  readonly differences: readonly TraceDifference[];
  /** Events that were compared and are equal. */
  agreed(): number;
  /** Recorded events that are compared. */
  readonly compared: number;
}

export interface FollowOptions {
  readonly runId: string;
  /** Of the recording, what is obeyed. */
  readonly events: readonly Inner[];
  /** Fields of a recorded event that cannot be compared, because the trace lacks what they were made from. */
  readonly isInexact: (event: TraceEvent, field: string) => boolean;
  /** Whether the recording stops in the middle of the run: what comes behind it is no difference. */
  readonly isCutOff: boolean;
}

interface Expected extends EventFacts {
  readonly event: Inner;
}

export function followTrace({ runId, events, isInexact, isCutOff }: FollowOptions): Following {
  const expected = events.flatMap(expectedFrom);
  const differences: TraceDifference[] = [];
  let at = 0;
  let agreed = 0;
  let hasLeft = false;
  /** From a difference on the prompts are others too. */
  let promptsAreEqual = true;

  const differ = (recorded: Inner | null, event: TraceEvent, message: string) => {
    promptsAreEqual = false;
    const { type, sequence } = recorded ?? { ...event, sequence: null };
    differences.push({ runId, sequence, step: stepOf(recorded ?? event), event: type, message });
  };

  const differenceIn = ({ event }: Expected, field: Field, { now, today }: Today): string | null => {
    const [name, value] = field;
    if (isInexact(event, name) || isOtherQuotation(field, { now, today })) {
      promptsAreEqual = false;
      return null;
    }
    return event.type === 'prompt.sent' && !promptsAreEqual ? null : valueDifference(value, now);
  };

  const compare = (recorded: Expected, came: EventFacts, event: TraceEvent) => {
    const before = differences.length;
    const now = new Map(came.fields);
    for (const field of recorded.fields) {
      const difference = differenceIn(recorded, field, { now: now.get(field[0]), today: event });
      if (difference !== null) differ(recorded.event, event, `${field[0]} differs${comma(difference)}`);
    }
    if (differences.length === before) agreed++;
  };

  return {
    take(event) {
      const came = event.ignored === true || hasLeft ? null : factsIn(event);
      if (came === null) return;
      const recorded = expected[at];
      if (recorded?.kind === came.kind) {
        at++;
        return compare(recorded, came, event);
      }
      hasLeft = true;
      if (recorded !== undefined) differ(recorded.event, event, `recorded ${recorded.words}, now ${came.words}`);
      else if (!isCutOff) differ(null, event, `the recording has no more events here, now ${came.words}`);
    },
    end() {
      const recorded = expected[at];
      if (hasLeft || recorded === undefined) return;
      differ(recorded.event, recorded.event, `recorded ${recorded.words}, and today's run was over before it`);
    },
    due: () => (hasLeft ? null : (expected[at]?.event ?? null)),
    hasLeft: () => hasLeft,
    differences,
    agreed: () => agreed,
    compared: expected.length,
  };
}

function expectedFrom(event: Inner): readonly Expected[] {
  const facts = factsIn(event);
  return facts === null ? [] : [{ ...facts, event }];
}

/** What today's run says of a field, and the event that says it. */
interface Today {
  readonly now: JsonValue | undefined;
  readonly today: TraceEvent;
}

function isOtherQuotation([name, value]: Field, { now, today }: Today): boolean {
  if (name !== hintField || typeof value !== 'string' || typeof now !== 'string' || value === now) return false;
  return 'text' in today && differsInQuotation(value, now, today.text);
}

export function stepOf(event: TraceEvent): number | null {
  return 'step' in event ? event.step : null;
}

/** `at character 3: …` goes on; `recorded 1, now 2` is a clause of its own. */
function comma(difference: string): string {
  return difference.startsWith('at ') ? ` ${difference}` : `: ${difference}`;
}
