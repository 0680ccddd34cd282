import type { Objection } from '../../state/source.ts';
import { useTexts } from '../../texts/use-texts.ts';

/** In the language of the page, whatever the server's is. */
export function ObjectionText({ objection }: { readonly objection: Objection }) {
  const { message, hint } = useTexts().refusal(objection);
  return (
    <>
      {message} {hint}
    </>
  );
}
