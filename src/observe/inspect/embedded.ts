/** Recorded runs as one file: the page with the runs inside, to be sent to somebody and opened without a server. */
import { AgentError } from '../../core/errors.ts';
import type { TraceEvent } from '../../core/trace.ts';
import { harmless } from './harmless.ts';
import type { Hold } from './hold.ts';
import { createHolds } from './holds.ts';
import { createIntake } from './intake.ts';
import { type PageOptions, readPage, runsMark } from './page-file.ts';
import { createSources } from './sources.ts';

export interface RecordedRuns {
  /** As `Inspector.show`. */
  show(events: Iterable<TraceEvent> | AsyncIterable<TraceEvent>, options: { readonly file: string }): Promise<void>;
  /** How many were shown. */
  count(): number;
  /** The text of the file, in pieces. */
  html(): Iterable<string>;
}

/** `page` and `prices`: as of `createInspector`. Rejects with AgentError where the page is not there. */
export async function recordedRuns({ page, prices }: PageOptions): Promise<RecordedRuns> {
  const { html } = await readPage({ page, prices });
  const [before, after, ...more] = html.split(runsMark);
  if (before === undefined || after === undefined || more.length > 0)
    throw new AgentError('invalid_option', `The page has no one place for runs, ${runsMark}.`, {
      hint: 'It is of another version: npm run build makes it anew.',
    });
  const holds = createHolds({ mostBytes: Infinity, mostBytesPerRun: Infinity, onChange: () => {} });
  const sources = createSources(holds, createIntake({ keepsProcess: true, mostBytes: Infinity }));
  return {
    show: (events, { file }) => sources.show(events, file),
    count: () => holds.all().length,
    *html() {
      yield `${before}<script type="application/json" id="fuseloop-runs">[`;
      for (const [index, hold] of holds.all().entries()) {
        if (index > 0) yield ',\n';
        yield* embedded(hold);
      }
      yield `]</script>${after}`;
    },
  };
}

function* embedded(hold: Hold): Iterable<string> {
  yield `{"summary":${harmless(JSON.stringify(hold.summary()))},"events":[`;
  for (const [index, line] of hold.lines.entries()) yield (index === 0 ? '' : ',') + harmless(line.toString('utf8'));
  yield ']}';
}
