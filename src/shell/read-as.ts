/** What a reply was read as, as the fields of the event that tells it. Pure. */
import type { ReplyEnded } from '../core/events.ts';
import type { Reading } from '../core/reading.ts';

type Held = Pick<ReplyEnded, 'thought' | 'calls' | 'answer' | 'violation' | 'hint' | 'dropped' | 'dialect'>;

/** The reading, spread over the fields of the event. */
export function held(reading: Reading): Held {
  const nothing: Held = {
    thought: reading.thought,
    calls: [],
    answer: null,
    violation: null,
    hint: null,
    dropped: null,
  };
  switch (reading.kind) {
    case 'calls':
      return { ...nothing, ...foreignIn(reading), calls: reading.calls, dropped: reading.dropped ?? null };
    case 'answer':
      return { ...nothing, ...foreignIn(reading), answer: reading.answer, dropped: reading.dropped ?? null };
    case 'violation':
      return { ...nothing, violation: reading.code, hint: reading.hint };
  }
}

function foreignIn({ dialect }: { readonly dialect?: string }): Pick<ReplyEnded, 'dialect'> {
  return dialect === undefined ? {} : { dialect };
}

/** What a person may be shown of a reply that did not come to its end. */
export function partialOf(reading: Reading): string | null {
  return reading.kind === 'answer' ? reading.answer : reading.thought;
}
