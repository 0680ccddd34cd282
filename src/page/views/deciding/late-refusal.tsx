import { useInspected, useInspector } from '../../state/use-inspector.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../common/icon.tsx';

/** A decision about the run was not taken, and what it was about is gone: it was decided elsewhere, or the run is over. */
export function LateRefusal({ runKey }: { readonly runKey: string }) {
  const texts = useTexts();
  const { refuse } = useInspector();
  const refusal = useInspected(({ refused }) => (refused?.key === runKey ? refused.refusal : null));
  if (refusal === null) return null;
  return (
    <div class="late-refusal" role="alert" data-part="late">
      <span class="tone-bad">
        <strong>{texts.notTaken}</strong> {refusal.message} {refusal.hint}
      </span>
      <button type="button" class="icon-button" aria-label={texts.close} onClick={() => refuse(null)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
