/**
 * Counts the characters of text that a piece of code looks at or copies: a measure of its work that no busy machine
 * changes. While the code runs, the methods of strings, regular expressions, `JSON` and `Array.prototype.join` count.
 * Not seen: `text[index]`, and comparing with `===`.
 */

/** How many characters a call looked at or copied; `source` is what it was called on. */
type Cost = (source: unknown, given: readonly unknown[], result: unknown) => number;

const one: Cost = () => 1;
const source: Cost = (text) => lengthOf(text);
const result: Cost = (_, __, made) => lengthOf(made);
const given: Cost = (_, [text]) => lengthOf(text);
const both: Cost = (text, _, made) => lengthOf(text) + lengthOf(made);

const { indexOf } = String.prototype;

/** A search stops where it finds; it may begin anywhere. */
const forwards: Cost = (text, [sought, from]) => {
  const start = typeof from === 'number' ? Math.max(0, from) : 0;
  const at: number = Reflect.apply(indexOf, text, [sought, start]);
  return (at < 0 ? Math.max(0, lengthOf(text) - start) : at - start) + lengthOf(sought);
};
const backwards: Cost = (text, [sought, from], found) => {
  const start = typeof from === 'number' ? Math.min(from, lengthOf(text)) : lengthOf(text);
  return start - (typeof found === 'number' ? Math.max(0, found) : 0) + lengthOf(sought);
};

const costs: readonly (readonly [owner: object, names: readonly string[], cost: Cost])[] = [
  [String.prototype, ['at', 'charAt', 'charCodeAt', 'codePointAt'], one],
  [String.prototype, ['indexOf', 'includes'], forwards],
  [String.prototype, ['lastIndexOf'], backwards],
  [String.prototype, ['startsWith', 'endsWith'], given],
  [String.prototype, ['slice', 'substring', 'substr', 'repeat', 'padStart', 'padEnd', 'concat'], result],
  [String.prototype, ['trim', 'trimStart', 'trimEnd', 'split', 'search', 'match', 'matchAll', 'localeCompare'], source],
  [String.prototype, ['toLowerCase', 'toUpperCase', 'replace', 'replaceAll', 'normalize', 'toWellFormed'], both],
  [RegExp.prototype, ['exec', 'test'], given],
  [JSON, ['parse'], given],
  [JSON, ['stringify'], result],
  [Array.prototype, ['join'], result],
];

/** `known`: texts that the code is given, which no concatenation made. */
export function visitsOf(run: () => void, known: readonly string[] = []): number {
  const count: Count = { visits: 0, lengths: new Set(known.map(({ length }) => length)), within: false };
  const restore = costs.flatMap(([owner, names, cost]) => names.map((name) => watch(owner, name, cost, count)));
  try {
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return count.visits;
}

interface Count {
  visits: number;
  /** Of all texts so far. */
  readonly lengths: Set<number>;
  /** In a call that is being counted: what it calls itself is part of it. */
  within: boolean;
}

function watch(owner: object, name: string, cost: Cost, count: Count): () => void {
  const property = Object.getOwnPropertyDescriptor(owner, name);
  const method: unknown = property?.value;
  if (property === undefined || typeof method !== 'function') throw new Error(`There is no method ${name}.`);
  const value = cost === one ? countedOne(method, count) : counted(method, cost, count);
  Object.defineProperty(owner, name, { ...property, value });
  return () => Object.defineProperty(owner, name, property);
}

/** Most calls by far look at one character: these are kept cheap. */
function countedOne(method: CallableFunction, count: Count) {
  return function one(this: unknown, at: unknown): unknown {
    if (!count.within) count.visits += 1 + concatenated(count, this);
    return Reflect.apply(method, this, [at]);
  };
}

function counted(method: CallableFunction, cost: Cost, count: Count) {
  return function several(this: unknown, ...words: unknown[]): unknown {
    if (count.within) return Reflect.apply(method, this, words);
    count.within = true;
    try {
      const made: unknown = Reflect.apply(method, this, words);
      const added = concatenated(count, this) + concatenated(count, words[0]);
      count.visits += added + Math.max(1, cost(this, words, made));
      remember(count, made);
      return made;
    } finally {
      count.within = false;
    }
  };
}

/**
 * `+` and templates copy nothing until somebody looks at the text they make, and nobody can see that happen. A text of a
 * length that was not met before was made so, or is a constant: it counts as copied once.
 */
function concatenated(count: Count, text: unknown): number {
  if (typeof text !== 'string' || count.lengths.has(text.length)) return 0;
  count.lengths.add(text.length);
  return text.length;
}

function remember(count: Count, made: unknown): void {
  if (typeof made === 'string') count.lengths.add(made.length);
  else if (Array.isArray(made)) for (const part of made) if (typeof part === 'string') count.lengths.add(part.length);
}

function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0;
}
