/**
 * Reads an arithmetic expression as people and models write it and respells it for the parser: full-width characters,
 * × ÷ − ^ and thousands separators. Unknown names and misplaced brackets and commas are refused here, where their
 * position is known. A bracket that groups becomes `group(`, because the parser keeps no trace of brackets and
 * `(-2)**2` is not `-2**2`. Every error says what happened, what is allowed and what to do next.
 */
import { constants, functions, knownNames } from './arithmetic-functions.ts';

export interface ReadExpression {
  readonly text: string;
  /** The position in the expression as written, from 1, of an index into `text`. */
  positionOf(index: number): number;
}

const maxExpressionChars = 1_000;
const maxNesting = 50;

interface Bracket {
  readonly kind: 'call' | 'group';
  readonly position: number;
  tightCommas: boolean;
  spacedCommas: boolean;
}

interface Reader {
  readonly source: string;
  index: number;
  text: string;
  readonly positions: number[];
  readonly brackets: Bracket[];
  /** What the last token was; it decides what may come next. `other`: an operator or a comma. */
  last: 'operand' | 'function' | 'open' | 'other';
}

export function readExpression(expression: string): ReadExpression {
  if (expression.length > maxExpressionChars)
    throw new Error(
      `The expression has ${expression.length} characters; at most ${maxExpressionChars} are allowed. Split it and calculate the parts one after another.`,
    );
  const source = withoutEqualsSign(
    Array.from({ length: expression.length }, (_, at) => plain(expression, at)).join(''),
  );
  const reader: Reader = { source, index: 0, text: '', positions: [], brackets: [], last: 'open' };
  if (source.trim() === '')
    throw new Error('The expression is empty. Give one such as (23.5 * 6 + 12) / 3 and call the calculator again.');
  while (reader.index < source.length) readToken(reader);
  const open = reader.brackets.at(-1);
  if (open !== undefined) throw fault(open.position, 'the bracket "(" is never closed', 'Add the missing ")".');
  const { text, positions } = reader;
  return { text, positionOf: (index) => positions[index] ?? source.trimEnd().length + 1 };
}

const spellings: ReadonlyMap<string, string> = new Map([
  ...[...'×✕✖·⋅∙'].map((times): [string, string] => [times, '*']),
  ...[...'÷∕⁄'].map((over): [string, string] => [over, '/']),
  ...[...'−–—﹣'].map((minus): [string, string] => [minus, '-']),
  ...[...'\u00a0\u2009\u202f\u3000'].map((space): [string, string] => [space, ' ']),
]);

/** One code unit for one, so that positions stay those of the expression. U+FF01 to U+FF5E are full-width ASCII. */
function plain(expression: string, at: number): string {
  const unit = expression.charCodeAt(at);
  if (unit >= 0xff01 && unit <= 0xff5e) return String.fromCharCode(unit - 0xfee0);
  const char = expression.charAt(at);
  return spellings.get(char) ?? char;
}

function withoutEqualsSign(source: string): string {
  const trimmed = source.trimEnd();
  return trimmed.endsWith('=') ? trimmed.slice(0, -1) : source;
}

const tokenReaders = [readSpace, readNumber, readName, readBracket, readComma, readOperator];

function readToken(reader: Reader): void {
  if (tokenReaders.some((read) => read(reader))) return;
  throw fault(
    reader.index + 1,
    `the character ${JSON.stringify(reader.source.charAt(reader.index))} means nothing here`,
    `Use numbers, + - * / % ** and round brackets. ${knownNames}`,
  );
}

function readSpace(reader: Reader): boolean {
  if (reader.source.charAt(reader.index).trim() !== '') return false;
  keep(reader, ' ', 1);
  return true;
}

const fraction = String.raw`(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?`;
/** Groups of three digits are one number only where the groups are complete: 1,234,567 but not 12,34 and not 0,123. */
const numberWithCommas = new RegExp(String.raw`(?:[1-9]\d{0,2}(?:[,_]\d{3})+(?![,_]?\d)|\d+)${fraction}`, 'y');
/** Between the brackets of a function a comma separates its inputs. */
const numberOfCall = new RegExp(String.raw`(?:[1-9]\d{0,2}(?:_\d{3})+(?!_?\d)|\d+)${fraction}`, 'y');

function readNumber(reader: Reader): boolean {
  const written = match(reader, reader.brackets.at(-1)?.kind === 'call' ? numberOfCall : numberWithCommas);
  if (written === null) return false;
  beginOperand(reader, written);
  keep(reader, written.replaceAll(/[,_]/g, ''), written.length);
  reader.last = 'operand';
  return true;
}

function readName(reader: Reader): boolean {
  const written = match(reader, /[A-Za-z_$][\w$]*|π/y);
  if (written === null) return false;
  const name = written === 'π' ? 'pi' : written.toLowerCase();
  const position = reader.index + 1;
  if (!functions.has(name) && !constants.has(name))
    throw fault(position, `${JSON.stringify(written)} is not a known name`, `Use one of these. ${knownNames}`);
  beginOperand(reader, written);
  keep(reader, name, written.length);
  reader.last = functions.has(name) ? 'function' : 'operand';
  if (reader.last === 'function' && !reader.source.slice(reader.index).trimStart().startsWith('('))
    throw fault(position, `the function ${name} has no brackets`, `Write ${name}(2), with its input in brackets.`);
  return true;
}

function readBracket(reader: Reader): boolean {
  const char = reader.source.charAt(reader.index);
  if (char === ')') closeBracket(reader);
  else if (char === '(') openBracket(reader);
  return char === '(' || char === ')';
}

function openBracket(reader: Reader): void {
  const position = reader.index + 1;
  if (reader.brackets.length >= maxNesting)
    throw fault(position, `brackets are nested more than ${maxNesting} deep`, 'Calculate the inner parts first.');
  const kind = reader.last === 'function' ? 'call' : 'group';
  if (kind === 'group') beginOperand(reader, '(');
  reader.brackets.push({ kind, position, tightCommas: false, spacedCommas: false });
  keep(reader, kind === 'call' ? '(' : 'group(', 1);
  reader.last = 'open';
}

function closeBracket(reader: Reader): void {
  const bracket = reader.brackets.pop();
  if (bracket === undefined)
    throw fault(reader.index + 1, 'this ")" closes nothing', 'Remove it, or add the "(" that it belongs to.');
  if (reader.last === 'other' || (reader.last === 'open' && bracket.kind === 'group')) throw missing(reader, ')');
  if (bracket.tightCommas && bracket.spacedCommas)
    throw fault(
      bracket.position,
      'some commas in these brackets may be thousands separators',
      'Write numbers without separators: max(1200, 3), not max(1,200, 3).',
    );
  keep(reader, ')', 1);
  reader.last = 'operand';
}

function readComma(reader: Reader): boolean {
  if (reader.source.charAt(reader.index) !== ',') return false;
  const bracket = reader.brackets.at(-1);
  if (bracket?.kind !== 'call')
    throw fault(
      reader.index + 1,
      'a comma is allowed only between the inputs of a function and before each three digits of a number',
      'Write decimals with a point (2.5) and thousands without separators (1234567).',
    );
  if (reader.last !== 'operand') throw missing(reader, ',');
  if (match(reader, /,\d{3}(?!\d)/y) !== null) bracket.tightCommas = true;
  else if (match(reader, /,\s/y) !== null) bracket.spacedCommas = true;
  keep(reader, ',', 1);
  reader.last = 'other';
  return true;
}

function readOperator(reader: Reader): boolean {
  const written = match(reader, /\*\*|[-+*/%^]/y);
  if (written === null) return false;
  keep(reader, written === '^' ? '**' : written, written.length);
  reader.last = 'other';
  return true;
}

function beginOperand(reader: Reader, written: string): void {
  if (reader.last !== 'operand') return;
  throw fault(
    reader.index + 1,
    `an operator is missing before ${JSON.stringify(written)}`,
    'Write every operator, such as 2 * (3 + 4) for 2(3 + 4).',
  );
}

function missing(reader: Reader, before: string): Error {
  return fault(reader.index + 1, `a number is missing before ${JSON.stringify(before)}`, 'Add it, or remove the rest.');
}

function keep(reader: Reader, text: string, length: number): void {
  for (let count = 0; count < text.length; count++) reader.positions.push(reader.index + 1);
  reader.text += text;
  reader.index += length;
}

/** What a sticky pattern matches at the reader's place. */
function match(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.index;
  return pattern.exec(reader.source)?.[0] ?? null;
}

function fault(position: number, happened: string, next: string): Error {
  return new Error(`At position ${position} of the expression ${happened}. ${next}`);
}
