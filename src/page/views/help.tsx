/** The keys, and what the colours mean. */
import { useEffect, useRef } from 'preact/hooks';
import { useInspected, useInspector } from '../state/use-inspector.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Icon } from './common/icon.tsx';

const states = ['THOUGHT', 'ACTION', 'OBSERVATION', 'FINAL', 'ERROR'] as const;

export function Help() {
  const texts = useTexts();
  const inspector = useInspector();
  const isOpen = useInspected(({ isHelpOpen }) => isHelpOpen);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => inspector.openHelp(false)}>
      <div class="help-head">
        <h2 id="help-title">{texts.keys}</h2>
        <button type="button" class="icon-button" aria-label={texts.close} onClick={() => inspector.openHelp(false)}>
          <Icon name="close" />
        </button>
      </div>
      <dl class="keys">
        {texts.keyList.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <h3>{texts.legend}</h3>
      <ul class="legend">
        {states.map((state) => (
          <li key={state}>
            <span class={`swatch of-${state}`} aria-hidden="true" />
            {state}
          </li>
        ))}
      </ul>
    </dialog>
  );
}
