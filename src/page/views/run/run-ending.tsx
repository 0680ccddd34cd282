/** How the run ended: the answer, or what stands in its place. */
import type { RunView } from '../../../observe/run-view.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { CopyButton } from '../common/copy-button.tsx';
import { visible } from '../common/json-text.ts';
import { JsonTree } from '../common/json-tree.tsx';
import { LongText } from '../common/long-text.tsx';
import { memoised } from '../common/memoised.ts';
import { Field } from '../common/section.tsx';

export const RunEnding = memoised(({ view }: { readonly view: RunView }) => {
  const texts = useTexts();
  const { answer, notes, partial, failure, unknown } = view;
  if (view.phase !== 'ended' && view.phase !== 'suspended' && unknown.length === 0) return null;
  return (
    <section class="ending" aria-label={texts.ending} data-view="ending">
      <h3>{texts.ending}</h3>
      {answer !== null && (
        <Field label={texts.answer} part="final-answer" tone="good">
          <LongText text={answer} class="answer" />
          <CopyButton text={() => answer} />
        </Field>
      )}
      {notes.length > 0 && (
        <Field label={texts.notes} part="notes">
          <ul class="plain">
            {notes.map((note) => (
              <li key={note}>
                <LongText text={note} />
              </li>
            ))}
          </ul>
        </Field>
      )}
      {failure !== null && (
        <Field label={texts.failure} part="failure" tone="bad">
          <LongText text={failure.message} />
          <p class="note">
            <LongText text={failure.hint} />
          </p>
        </Field>
      )}
      {answer === null && partial !== null && (
        <Field label={texts.partial} part="partial">
          <LongText text={partial} />
        </Field>
      )}
      {unknown.length > 0 && (
        <Field label={texts.unknownEffects} part="unknown" tone="bad">
          {unknown.map(({ toolCallId, tool, input }) => (
            <div key={toolCallId}>
              <strong>{visible(tool)}</strong> <code>{toolCallId}</code>
              <JsonTree value={input} />
            </div>
          ))}
        </Field>
      )}
    </section>
  );
});
