/** Text of models and tools, as text. A long one is cut until somebody asks for all of it. */
import { useState } from 'preact/hooks';
import { useFormat, useTexts } from '../../texts/use-texts.ts';
import { visible } from './json-text.ts';

const usualMost = 4_000;

interface LongTextProps {
  readonly text: string;
  readonly class?: string;
  /** Line breaks stand as they are, letters of equal width. */
  readonly isCode?: boolean;
  /** Characters that are shown at first. */
  readonly most?: number;
}

export function LongText({ text, class: name = '', isCode = false, most = usualMost }: LongTextProps) {
  const texts = useTexts();
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > most;
  const classes = `text ${isCode ? 'code' : ''} ${name}`;
  return (
    <>
      <span class={classes} dir="auto">
        {visible(isCut ? `${text.slice(0, most)}…` : text)}
      </span>
      {isCut && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {texts.showAll(format.count(text.length))}
        </button>
      )}
    </>
  );
}
