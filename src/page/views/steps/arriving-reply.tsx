import type { StepView } from '../../../observe/run-view.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { visible } from '../common/json-text.ts';
import { Field } from '../common/section.tsx';

/** What is shown of a long one: its end. */
const shownChars = 2_000;

/** Only at the end of the run that is live: further back it has not begun. */
export function ArrivingReply({ session, step }: { readonly session: Session; readonly step: StepView }) {
  const texts = useTexts();
  const { recording, player } = session;
  useStore(player.store, ({ pieces }) => pieces);
  const follows = useStore(player.store, (state) => state.follows);
  const { reply } = recording;
  if (!follows || reply?.step !== step.number || step.repliedAtMs !== null) return null;
  return (
    <Field label={texts.replying} part="replying">
      <span class="text code arriving">{visible(reply.text.slice(-shownChars))}</span>
    </Field>
  );
}
