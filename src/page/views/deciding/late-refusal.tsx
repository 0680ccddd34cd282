import { useInspected, useInspector } from '../../state/use-inspector.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../common/icon.tsx';
import { ObjectionText } from './objection-text.tsx';

/** A decision about the run was not taken, and what it was about is gone: it was decided elsewhere, or the run is over. */
export function LateRefusal({ runKey }: { readonly runKey: string }) {
  const texts = useTexts();
  const { refuse } = useInspector();
  const objection = useInspected(({ refused }) => (refused?.key === runKey ? refused.objection : null));
  if (objection === null) return null;
  return (
    <div class="late-refusal" role="alert" data-part="late">
      <span class="tone-bad">
        <strong>{texts.notTaken}</strong> <ObjectionText objection={objection} />
      </span>
      <button type="button" class="icon-button" aria-label={texts.close} onClick={() => refuse(null)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
