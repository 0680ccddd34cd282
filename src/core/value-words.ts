/** What stands in a text for a value that JSON does not have. Pure. */

export interface ValueWords {
  readonly circular: string;
  readonly tooDeep: string;
  readonly tooMuch: string;
  /** A getter, a proxy or `toJSON` threw. */
  readonly notShown: string;
  readonly invalidDate: string;
  readonly callable: string;
  more(count: number): string;
  moreCharacters(count: number): string;
  binary(kind: string, bytes: number): string;
  /** A stream, a response, a promise: what it holds has not been read. */
  unread(kind: string): string;
  /** An instance of a class that has nothing to show. */
  bare(kind: string): string;
  /** Takes out what must not be seen. Asked before anything is cut: half a secret would not be found any more. */
  redact?(text: string): string;
}

export const englishValues: ValueWords = Object.freeze<ValueWords>({
  circular: '(circular)',
  tooDeep: '(truncated: nested too deep to show)',
  tooMuch: '(too much to show)',
  notShown: '(cannot be shown)',
  invalidDate: '(an invalid date)',
  callable: '(a function)',
  more: (count) => `(${count} more)`,
  moreCharacters: (count) => `(${count} more characters)`,
  binary: (kind, bytes) => `(${bytes} bytes of binary data: ${kind})`,
  unread: (kind) => `(${kind}: its content was not read; the tool has to read it and return text or JSON)`,
  bare: (kind) => `(${kind}: nothing that can be shown)`,
});
