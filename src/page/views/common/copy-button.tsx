import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from './icon.tsx';

const toldMs = 1_600;

/** Copies what `text` gives when it is pressed. Says whether the browser let it. */
export function CopyButton({ text, label }: { readonly text: () => string; readonly label?: string }) {
  const texts = useTexts();
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (result === null) return undefined;
    const timer = setTimeout(() => setResult(null), toldMs);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = () => {
    copyText(text()).then(
      () => setResult('copied'),
      () => setResult('failed'),
    );
  };
  const told = result === null ? '' : result === 'copied' ? texts.copied : texts.copyFailed;
  return (
    <button type="button" class="copy" onClick={copy} aria-label={label ?? texts.copy} title={label ?? texts.copy}>
      <Icon name={result === 'copied' ? 'check' : 'copy'} />
      <span class="copy-told" role="status">
        {told}
      </span>
    </button>
  );
}

/** Without a clipboard, as in a page from another machine, this rejects. */
async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
