/**
 * Calculates an arithmetic expression with 34 significant digits. No code is evaluated and no property is read: the
 * parser's tree is walked, and whatever is not plain arithmetic is refused. Bounded: the length and the nesting of the
 * expression (`arithmetic-text.ts`), and the size of every intermediate result. The parser's tables are global, so that
 * they are used as they are and never changed.
 */
import jsep from 'jsep';
import { constants, functions, Real } from './arithmetic-functions.ts';
import { type ReadExpression, readExpression } from './arithmetic-text.ts';

/** The result as text, such as `51`. Throws an Error whose message is written for the model. */
export function calculate(expression: string): string {
  return write(evaluate(parse(readExpression(expression))));
}

function parse(read: ReadExpression): jsep.Expression {
  try {
    return jsep(read.text);
  } catch (thrown) {
    const index = thrown instanceof Error && 'index' in thrown ? Number(thrown.index) : Number.NaN;
    const percent = read.text.includes('%') ? ' % is the remainder: write 15 % of 80 as 80 * 15 / 100.' : '';
    throw new Error(
      `Syntax error at position ${read.positionOf(index)} of the expression: a number, a function, a constant or "(" is expected there. Complete the expression and try again.${percent}`,
      { cause: thrown },
    );
  }
}

function evaluate(node: jsep.Expression): Real {
  if (!isKnown(node)) return refuse(`a ${node.type}`);
  switch (node.type) {
    case 'Literal':
      return bounded(new Real(node.raw).toSignificantDigits(), () => `the number ${node.raw}`);
    case 'Identifier':
      return constants.get(node.name) ?? refuse(node.name);
    case 'UnaryExpression':
      return signed(node.operator, evaluate(node.argument));
    case 'BinaryExpression':
      return node.operator === '**' ? power(node.left, node.right) : combine(node);
    case 'CallExpression':
      return call(node);
  }
}

type KnownNode = jsep.Literal | jsep.Identifier | jsep.UnaryExpression | jsep.BinaryExpression | jsep.CallExpression;

function isKnown(node: jsep.Expression): node is KnownNode {
  if (node.type === 'Literal') return typeof node.value === 'number';
  return ['Identifier', 'UnaryExpression', 'BinaryExpression', 'CallExpression'].includes(node.type);
}

function refuse(what: string): never {
  throw new Error(`The expression holds ${what}, which is not arithmetic. Use numbers, + - * / % ** and brackets.`);
}

function signed(operator: string, value: Real): Real {
  if (operator === '-') return value.neg();
  return operator === '+' ? value : refuse(`the sign ${operator}`);
}

/** The parser binds a sign more closely than **; mathematics, and people, mean -(2 ** 2) by -2 ** 2. */
function power(base: jsep.Expression, exponent: jsep.Expression): Real {
  if (isKnown(base) && base.type === 'UnaryExpression') return signed(base.operator, power(base.argument, exponent));
  return raise(evaluate(base), evaluate(exponent));
}

function raise(base: Real, exponent: Real): Real {
  if (base.isZero() && exponent.isNegative() && !exponent.isZero()) throw divisionByZero(`0 ** ${write(exponent)}`);
  const result = base.pow(exponent);
  const vanished = result.isZero() && !base.isZero();
  return bounded(vanished ? tooSmall : result, () => `${operand(base)} ** ${write(exponent)}`);
}

function combine(node: jsep.BinaryExpression): Real {
  const left = evaluate(node.left);
  const right = evaluate(node.right);
  const written = () => `${operand(left)} ${node.operator} ${write(right)}`;
  if ((node.operator === '/' || node.operator === '%') && right.isZero()) throw divisionByZero(written());
  return bounded(operators.get(node.operator)?.(left, right) ?? refuse(`the operator ${node.operator}`), written);
}

/** `%` is the remainder with the sign of its left side, as in JavaScript and C. */
const operators: ReadonlyMap<string, (left: Real, right: Real) => Real> = new Map([
  ['+', (left, right) => left.plus(right)],
  ['-', (left, right) => left.minus(right)],
  ['*', (left, right) => left.times(right)],
  ['/', (left, right) => left.div(right)],
  ['%', (left, right) => left.mod(right)],
]);

function call(node: jsep.CallExpression): Real {
  const name = isKnown(node.callee) && node.callee.type === 'Identifier' ? node.callee.name : '';
  const inputs = node.arguments.map(evaluate);
  if (name === 'group') return inputs[0] ?? refuse('empty brackets');
  const known = functions.get(name) ?? refuse(`the function ${name}`);
  const count = known.least === known.most ? `${known.least}` : `${known.least} to ${known.most}`;
  if (inputs.length < known.least || inputs.length > known.most)
    throw new Error(`The function ${name} was given ${inputs.length} inputs; it takes ${count}. Correct the brackets.`);
  const result = known.apply(inputs);
  const vanished = name === 'exp' && result.isZero();
  return bounded(vanished ? tooSmall : result, () => `${name}(${inputs.map(write).join(', ')})`);
}

/** Powers of ten. Larger numbers are never meant, and towers such as 9**9**9 stop here. */
const maxExponent = 1_000;
const tooSmall = new Real(`1e-${2 * maxExponent}`);

function bounded(value: Real, written: () => string): Real {
  if (value.isNaN())
    throw new Error(`${written()} has no real value. Check the sign and the range of what stands there.`);
  if (value.isZero() || Math.abs(value.e) <= maxExponent) return value;
  const size = value.isFinite() && value.e < 0 ? 'small' : 'large';
  throw new Error(
    `${written()} is too ${size}: every number must be between 1e-${maxExponent} and 1e+${maxExponent}. Use logarithms (ln, log10), or change the expression.`,
  );
}

function divisionByZero(written: string): Error {
  return new Error(`Division by zero in ${written}. Every divisor must differ from 0; check the expression.`);
}

function operand(value: Real): string {
  return value.isNegative() ? `(${write(value)})` : write(value);
}

const fullDigits = 30;
const roundedDigits = 15;

/** Up to 30 digits as they are; longer ones have been rounded on the way, and 15 of their digits say enough. */
function write(value: Real): string {
  const shown = value.precision() <= fullDigits ? value : value.toSignificantDigits(roundedDigits);
  if (shown.isZero()) return '0';
  return shown.e < fullDigits && shown.e >= -roundedDigits ? shown.toFixed() : shown.toExponential();
}
