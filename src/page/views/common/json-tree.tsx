/** A JSON value, or anything made of such, as a tree that folds. What is folded is not drawn, so size and depth do not matter. */
import { useState } from 'preact/hooks';
import { useTexts } from '../../texts/use-texts.ts';
import { CopyButton } from './copy-button.tsx';
import { jsonText, visible } from './json-text.ts';
import { LongText } from './long-text.tsx';

/** Entries of one value that are drawn at first, and with each click for more. */
const page = 50;
/** Values with at most so many entries are open at first, down to this depth. */
const openEntries = 12;
const openDepth = 2;

export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div class="json">
      <CopyButton text={() => jsonText(value)} />
      <Value value={value} name={null} depth={0} />
    </div>
  );
}

interface ValueProps {
  readonly value: unknown;
  /** Its key or its index. */
  readonly name: string | null;
  readonly depth: number;
}

function Value({ value, name, depth }: ValueProps) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return <Branch value={value} name={name} depth={depth} />;
  return (
    <div class="json-line">
      <Name name={name} />
      <Leaf value={value} />
    </div>
  );
}

function Branch({ value, name, depth }: ValueProps & { readonly value: object }) {
  const texts = useTexts();
  const entries = Object.entries(value);
  const [isOpen, setOpen] = useState(depth < openDepth && entries.length <= openEntries);
  const [shown, setShown] = useState(page);
  const isList = Array.isArray(value);
  return (
    <div class="json-branch">
      <button type="button" class="json-line json-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Name name={name} />
        <span class="json-size">
          {isList ? '[ ' : '{ '}
          {isList ? texts.items(entries.length) : texts.fields(entries.length)}
          {isList ? ' ]' : ' }'}
        </span>
      </button>
      {isOpen && (
        <div class="json-children">
          {entries.slice(0, shown).map(([key, child]) => (
            <Value key={key} value={child} name={key} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="link" onClick={() => setShown(shown + page * 4)}>
              {texts.showMore(Math.min(page * 4, entries.length - shown))}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Name({ name }: { readonly name: string | null }) {
  return name === null ? null : (
    <span class="json-name">
      <bdi>{visible(name)}</bdi>
      <span aria-hidden="true">: </span>
    </span>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <LongText class="json-string" text={value} />;
  const text = Array.isArray(value) ? '[]' : typeof value === 'object' && value !== null ? '{}' : String(value);
  return <span class={`json-${value === null ? 'null' : typeof value}`}>{text}</span>;
}
