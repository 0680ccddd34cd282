/** What the page says, in English, of what is not there: of events that are missing or cut, and of decisions that were not taken. */
import type { Objection } from '../state/source.ts';
import { plural } from './plural.ts';

/** What happened, and what to do next. */
export interface Said {
  readonly message: string;
  readonly hint: string;
}

export const englishSaid = {
  noBeginning: 'a run whose beginning is missing',
  noBeginningNote: (count: number) =>
    `The beginning of this run is not here: ${plural(count, 'event', 'events')}. Its task and its limits are not known, and what is counted begins where the events begin.`,
  missing: (count: number) => `${plural(count, 'event is', 'events are')} missing from this trace.`,
  lost: (count: number) =>
    `The inspector had no room for all of this run: it did not keep ${plural(count, 'event', 'events')}.`,
  countsLack: 'What is counted is without them.',
  cut: (count: number) =>
    count === 1
      ? 'In 1 event long texts were cut: it does not hold all there was.'
      : `In ${plural(count, 'event', 'events')} long texts were cut: they do not hold all there was.`,
  incomplete: 'incomplete',
  incompleteHint: (count: number) =>
    `${plural(count, 'event is', 'events are')} missing: what is counted is without them`,
  stepLacks: 'events of this step are missing',
  gaugeLacks: 'events are missing: it may be more',
  unknownLimit: 'limit not known',

  oddEvents: (id: string) => `the server sent events with the id ${id}`,
  refusal(objection: Objection): Said {
    if (objection.code === 'unreachable')
      return {
        message: 'The server cannot be reached.',
        hint: 'See whether the program still runs, then try again.',
      };
    if (objection.code === 'answered')
      return {
        message: `The server answered ${objection.status}.`,
        hint: 'Load the page again from the address that the program printed.',
      };
    // The server speaks English.
    return objection;
  },
};
