/** The events of a step as the trace has them. */
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { CopyButton } from '../common/copy-button.tsx';
import { JsonTree } from '../common/json-tree.tsx';
import { Fold } from '../common/section.tsx';

/** Each with its tree: a step of a nested run can have very many. */
const most = 100;

export function RawEvents({ session, step }: { readonly session: Session; readonly step: number }) {
  const texts = useTexts();
  return (
    <Fold title={texts.rawEvents} note="JSON" part="events">
      {() => <Events session={session} step={step} />}
    </Fold>
  );
}

function Events({ session, step }: { readonly session: Session; readonly step: number }) {
  const texts = useTexts();
  const position = useStore(session.player.store, (state) => state.position);
  const events = session.recording.eventsOfStep(step, position);
  return (
    <div class="raw">
      <div class="prompt-tools">
        <CopyButton text={() => events.map((event) => JSON.stringify(event)).join('\n')} />
        <span class="note">{texts.rawCount(events.length)}</span>
      </div>
      <ol class="plain">
        {events.slice(0, most).map((event) => (
          <li key={event.sequence} class="raw-event" data-event={event.type}>
            <code>
              {event.sequence} {event.type}
            </code>
            <JsonTree value={event} />
          </li>
        ))}
      </ol>
    </div>
  );
}
