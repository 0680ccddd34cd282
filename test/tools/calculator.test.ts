import fc from 'fast-check';
import jsep from 'jsep';
import { describe, expect, it } from 'vitest';
import type { ToolCallOptions } from '../../src/core/tool.ts';
import { calculator } from '../../tools/calculator.ts';

const options: ToolCallOptions = {
  toolCallId: 'c1',
  idempotencyKey: 'run:c1',
  attempt: 1,
  abortSignal: new AbortController().signal,
  messages: [],
  context: undefined,
};
const calculate = (expression: string) => calculator.execute({ expression }, options);

describe('results', () => {
  it.each([
    ['(23.5 × 6 + 12) ÷ 3', '51'],
    ['0.1 + 0.2', '0.3'],
    ['1/3', '0.333333333333333'],
    ['1/3*3', '1'],
    ['sqrt(2)**2', '2'],
    ['2**64', '18446744073709551616'],
    ['123456789012345.67 + 0.01', '123456789012345.68'],
    ['2^10', '1024'],
    ['-2**2', '-4'],
    ['(-2)**2', '4'],
    ['2**-2**2', '0.0625'],
    ['2**3**2', '512'],
    ['10 % 3', '1'],
    ['-7 % 3', '-1'],
    ['2 - -3', '5'],
    ['2 − 3 – 4', '-5'],
    ['１２＋（３×２）', '18'],
    ['1,234,567.5 * 2', '2469135'],
    ['1_000 + 1', '1001'],
    ['3 + 4 =', '7'],
    ['π * 2', '6.28318530717959'],
    ['E', '2.71828182845905'],
    ['max(100,200)', '200'],
    ['max(1200, 3)', '1200'],
    ['min(3, 1, 2)', '1'],
    ['round(2.345, 2)', '2.35'],
    ['round(-2.5)', '-3'],
    ['floor(-2.5) + ceil(-2.5) + abs(-2.5)', '-2.5'],
    ['ln(e) + log10(1000) + exp(0)', '5'],
    ['pow(2, 3) + sqrt(16)', '12'],
    ['sin(pi)', '0'],
    ['cos(pi/2)', '0'],
    ['tan(pi/4)', '1'],
    ['1e-7', '0.0000001'],
    ['1e40', '1e+40'],
    ['0 * -1', '0'],
    ['0**0', '1'],
    [`${'1+'.repeat(490)}1`, '491'],
    [`${'-'.repeat(900)}1`, '1'],
  ])('%s', (expression, result) => expect(calculate(expression)).toBe(result));
});

describe('errors say where, what is allowed and what to do', () => {
  it.each([
    ['', /empty.*such as/],
    ['=', /empty/],
    ['2 +', /position 4.*expected/],
    ['2 + * 3', /position 5.*expected/],
    ['15%', /position 4.*% is the remainder/],
    ['(1', /position 1.*never closed/],
    ['1)', /position 2.*closes nothing/],
    ['()', /position 2.*missing before "\)"/],
    ['max(1,)', /position 7.*missing/],
    ['max(1,,2)', /position 7.*missing/],
    ['2(3)', /position 2.*operator is missing/],
    ['1 2', /position 3.*operator is missing/],
    ['（2）× 1.2.3', /position 9.*operator is missing/],
    ['12,34', /position 3.*comma/],
    ['0,123', /position 2.*comma/],
    ['1.234,567', /position 6.*comma/],
    ['max(1,200, 3)', /position 4.*thousands/],
    ['1;2', /position 2.*";"/],
    ['5²', /position 2.*"²"/],
    ['"a"', /position 1/],
    ['fact(5)', /"fact".*sqrt, abs, round.*pi, e/],
    ['constructor', /"constructor" is not a known name/],
    ['__proto__', /"__proto__" is not a known name/],
    ['Math.sqrt(2)', /"Math" is not a known name/],
    ['this', /"this" is not a known name/],
    ['true', /"true" is not a known name/],
    ['group(1)', /"group" is not a known name/],
    ['sqrt', /no brackets.*sqrt\(2\)/],
    ['sqrt()', /0 inputs.*takes 1/],
    ['round(1, 2, 3)', /3 inputs.*1 to 2/],
    ['1 / (2 - 2)', /Division by zero in 1 \/ 0/],
    ['5 % 0', /Division by zero/],
    ['0 ** -1', /Division by zero/],
    ['sqrt(-1)', /sqrt\(-1\) has no real value/],
    ['ln(0)', /no real value/],
    ['(-8)**(1/3)', /no real value/],
    ['tan(pi/2)', /no real value/],
    ['sin(1e20)', /no real value/],
    ['round(1, 0.5)', /no real value/],
  ])('%s', (expression, message) => expect(() => calculate(expression)).toThrow(message));
});

describe('hostile expressions end at once', () => {
  it.each([
    ['('.repeat(1e6), /1000000 characters/],
    ['('.repeat(999), /nested/],
    ['9**9**9**9', /9 \*\* 387420489 is too large/],
    ['1e999999*1e999999', /1e999999 is too large/],
    ['1e-999999', /too small/],
    ['10**-5000', /too small/],
    ['1e1000 * 10', /too large/],
    ['exp(1e15)', /too large/],
    ['exp(-1e15)', /too small/],
    [`${'9'.repeat(900)}**${'9'.repeat(90)}`, /too large/],
    ['0.5**1e900', /too small/],
    [`${'1,'.repeat(400)}x`, /comma/],
  ])('case %$', (expression, message) => {
    const startedAtMs = performance.now();
    expect(() => calculate(expression)).toThrow(message);
    expect(performance.now() - startedAtMs).toBeLessThan(500);
  });

  it('a thousand characters of the most expensive functions', () => {
    const startedAtMs = performance.now();
    const sum = Array.from({ length: 71 }, () => 'tan(999999e9)').join('+');
    expect(calculate(sum)).toMatch(/^-?\d/);
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });
});

it('leaves the tables of jsep, which other users share, as they are', () => {
  const tables = () => JSON.stringify([jsep.binary_ops, jsep.unary_ops, jsep.literals, [...jsep.right_associative]]);
  const before = tables();
  calculate('-2**2 ^ 2');
  expect(tables()).toBe(before);
});

/** A fraction of two integers is the oracle: exact, and of another make than the calculator. */
interface Sum {
  readonly text: string;
  readonly over: bigint;
  readonly under: bigint;
}

const { sum } = fc.letrec<{ sum: Sum }>((tie) => ({
  sum: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer({ min: 0, max: 999 }).map((n): Sum => ({ text: `${n}`, over: BigInt(n), under: 1n })),
    fc.tuple(tie('sum'), tie('sum')).map(([left, right]) => ({
      text: `(${left.text} * ${right.text})`,
      over: left.over * right.over,
      under: left.under * right.under,
    })),
    fc.tuple(tie('sum'), fc.constantFrom(1n, -1n), tie('sum')).map(([left, sign, right]) => ({
      text: `(${left.text} ${sign === 1n ? '+' : '-'} ${right.text})`,
      over: left.over * right.under + sign * right.over * left.under,
      under: left.under * right.under,
    })),
    fc.tuple(tie('sum'), fc.integer({ min: 1, max: 99 })).map(([left, by]) => ({
      text: `(${left.text} / ${by})`,
      over: left.over,
      under: left.under * BigInt(by),
    })),
    tie('sum').map(({ text, over, under }) => ({ text: `-${text}`, over: -over, under })),
  ),
}));

describe('properties', () => {
  it('is as exact after failures as before them', () => {
    for (const expression of ['sin(1e20)', 'ln(-1)', 'exp(1e20)', '0 ** -1', 'tan(pi/2)', '9**9**9'])
      expect(outcome(expression)).toMatch(/^Error/);
    expect(calculate('1/3')).toBe('0.333333333333333');
    expect(calculate('2/3*1e29')).toBe('66666666666666700000000000000');
  });

  it('agrees with exact fractions', () => {
    fc.assert(
      fc.property(
        sum.filter(({ text }) => text.length <= 200),
        ({ text, over, under }) => {
          const difference = Math.abs(Number(calculate(text)) - Number(over) / Number(under));
          expect(difference).toBeLessThanOrEqual(1e-12 * Math.max(1e-6, Math.abs(Number(over) / Number(under))));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('agrees with JavaScript on precedence without brackets', () => {
    const tail = fc.tuple(fc.constantFrom('+', '-', '*', '%'), fc.integer({ min: 1, max: 99 }));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), fc.array(tail, { maxLength: 6 }), (first, rest) => {
        const text = `${first}${rest.map(([operator, n]) => ` ${operator} ${n}`).join('')}`;
        const value: unknown = new Function(`return ${text}`)();
        expect(Number(calculate(text))).toBe(Number(value) + 0);
      }),
    );
  });

  const pieces = [
    '1',
    '2.5',
    '9',
    '1e9',
    ',',
    '(',
    ')',
    '+',
    '-',
    '*',
    '/',
    '%',
    '**',
    '^',
    'sqrt(',
    'max(',
    'pi',
    ' ',
  ];
  const alphabet = fc.array(
    fc.constantFrom(...pieces, 'tan(', 'exp(', 'round(', '×', '（', '__proto__', '\0', '=', '.'),
  );
  it.each([
    ['any text', fc.string({ unit: 'binary', maxLength: 1_200 })],
    ['near-expressions', alphabet.map((some) => some.join(''))],
  ])('%s gives a number or an Error with a message', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(text)).toMatch(/^(?:-?\d+(?:\.\d+)?(?:e[+-]\d+)?|Error: .{20,})$/s);
      }),
      { numRuns: 2_000 },
    );
  });
});

function outcome(expression: string): unknown {
  try {
    return calculate(expression);
  } catch (thrown) {
    return thrown instanceof Error && Object.getPrototypeOf(thrown) === Error.prototype ? String(thrown) : thrown;
  }
}
