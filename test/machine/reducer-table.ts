/** Reducers as a table: what each changes for an event, and that it leaves alone every event which it does not know. */
import { describe, expect, it } from 'vitest';
import type { ReactEvent, ReactEventType } from '../../src/core/events.ts';
import type { ReactContext } from '../../src/core/snapshot.ts';
import { calls, context, everyOther } from './contexts.ts';

/** What it does; the context before, as far as it is not ordinary; the event; what has changed. */
type Row = readonly [string, Partial<ReactContext>, ReactEvent, Partial<ReactContext>];

export type Table = Readonly<
  Record<
    string,
    {
      readonly reducer: (context: ReactContext, event: ReactEvent) => ReactContext;
      readonly knows: readonly ReactEventType[];
      readonly rows: readonly Row[];
    }
  >
>;

export const effect = (callId: string, status: 'succeeded' | 'unknown') => ({
  callId,
  tool: 'search',
  input: { q: 1 },
  key: 'key',
  status,
});

export function walk(table: Table): void {
  describe.each(Object.entries(table))('%s', (_name, { reducer, knows, rows }) => {
    it.each(rows)('%s', (_what, before, event, after) => {
      const given = context(before);
      const result = reducer(given, event);
      expect(result).toEqual({ ...given, ...after });
      if (Object.keys(after).length === 0) expect(result).toBe(given);
    });

    it.each(everyOther(...knows))('leaves $type alone', (event) => {
      const given = context({ calls: calls('read', 'started', 'asking') });
      expect(reducer(given, event)).toBe(given);
    });
  });
}
