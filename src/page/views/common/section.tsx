/** A part of a step that unfolds. What is folded is not drawn. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface FoldProps {
  readonly title: string;
  readonly note?: string;
  /** For tests: what it holds. */
  readonly part: string;
  readonly isOpen?: boolean;
  readonly children: () => ComponentChildren;
}

export function Fold({ title, note, part, isOpen: isOpenAtFirst = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <div class="fold" data-part={part}>
      <button type="button" class="fold-title" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" />
        <span>{title}</span>
        {note !== undefined && <span class="note">{note}</span>}
      </button>
      {isOpen && <div class="fold-body">{children()}</div>}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly part: string;
  readonly note?: string;
  readonly tone?: 'bad' | 'good';
  readonly children: ComponentChildren;
}

/** A label above what it names. */
export function Field({ label, part, note, tone, children }: FieldProps) {
  return (
    <div class={`field ${tone ?? ''}`} data-part={part}>
      <h4 class="field-label">
        {label}
        {note !== undefined && <span class="note"> {note}</span>}
      </h4>
      <div class="field-body">{children}</div>
    </div>
  );
}
