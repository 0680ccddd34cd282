/** What a person typed where they were asked whether a call may run. Pure. */

export type TypedDecision =
  | { readonly kind: 'yes' }
  | { readonly kind: 'no'; readonly why: string }
  /** `input` is what stands behind the word; empty where nothing does. */
  | { readonly kind: 'edit'; readonly input: string }
  /** Nothing runs by accident. */
  | { readonly kind: 'unclear' };

/** Nothing typed is a no. */
export function readDecision(line: string): TypedDecision {
  const text = line.trim();
  const [word = ''] = text.split(/[\s,.:;!]/, 1);
  const rest = text.slice(word.length).replace(/^[\s,.:;!]{1,9}/, '');
  switch (word.toLowerCase()) {
    case '':
      return text === '' ? { kind: 'no', why: '' } : { kind: 'unclear' };
    case 'y':
    case 'yes':
      return rest === '' ? { kind: 'yes' } : { kind: 'unclear' };
    case 'n':
    case 'no':
      return { kind: 'no', why: rest.replace(/^because\s{1,9}/i, '') };
    case 'e':
    case 'edit':
      return { kind: 'edit', input: rest };
    default:
      return { kind: 'unclear' };
  }
}
