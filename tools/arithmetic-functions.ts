/**
 * The numbers, functions and constants of the calculator. `Real` is a private copy of Decimal, so that its settings are
 * nobody else's. Nothing here may let decimal.js throw: a throw in the middle leaves its precision, and a switch which
 * all copies share, in a wrong state. Outside its domain a function gives NaN.
 */
import { Decimal } from 'decimal.js';

export const Real = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP, defaults: true });
export type Real = Decimal;

export interface RealFunction {
  readonly least: number;
  readonly most: number;
  apply(inputs: readonly Real[]): Real;
}

const one = (of: (x: Real) => Real): RealFunction => ({ least: 1, most: 1, apply: ([x = nan]) => of(x) });

const nan = new Real(Number.NaN);
const zero = new Real(0);

/** Rounding is half away from zero, as people round; `round` takes a number of decimal places as well. */
export const functions: ReadonlyMap<string, RealFunction> = new Map<string, RealFunction>([
  ['sqrt', one((x) => x.sqrt())],
  ['abs', one((x) => x.abs())],
  ['round', { least: 1, most: 2, apply: ([x = nan, places = zero]) => round(x, places) }],
  ['floor', one((x) => x.floor())],
  ['ceil', one((x) => x.ceil())],
  ['min', { least: 1, most: 100, apply: (inputs) => Real.min(...inputs) }],
  ['max', { least: 1, most: 100, apply: (inputs) => Real.max(...inputs) }],
  ['ln', one((x) => (x.gt(0) ? x.ln() : nan))],
  ['log10', one((x) => (x.gt(0) ? x.log(10) : nan))],
  ['exp', one((x) => x.exp())],
  ['sin', one((x) => wave(x, x.abs().lte(largestAngle) ? x.sin() : nan))],
  ['cos', one((x) => wave(x, x.abs().lte(largestAngle) ? x.cos() : nan))],
  ['tan', one(tan)],
  ['pow', { least: 2, most: 2, apply: ([x = nan, y = nan]) => x.pow(y) }],
]);

export const constants: ReadonlyMap<string, Real> = new Map([
  ['pi', Real.acos(-1)],
  ['e', new Real(1).exp()],
]);

export const knownNames = `Functions: ${[...functions.keys()].join(', ')}. Constants: ${[...constants.keys()].join(', ')}.`;

/** Angles are in radians. Beyond this decimal.js would need more digits of pi than 34 digits of the angle deserve. */
const largestAngle = new Real('1e15');

/** What is smaller than the rounding of the angle itself is zero: sin(pi) is 0, not -1.2e-34. */
function wave(angle: Real, value: Real): Real {
  return value.abs().lt(angle.abs().times('1e-32')) ? zero : value;
}

function tan(x: Real): Real {
  if (x.abs().gt(largestAngle)) return nan;
  const below = wave(x, x.cos());
  return below.isZero() ? nan : wave(x, x.sin()).div(below);
}

function round(x: Real, places: Real): Real {
  if (!places.isInteger() || places.abs().gt(100)) return nan;
  const scale = new Real(10).pow(places);
  return x.times(scale).round().div(scale);
}
