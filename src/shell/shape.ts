/** Checks of what a plain value looks like, made of small ones. Pure; a problem is a sentence that names the field. */
import { isJsonObject } from '../core/json.ts';
import { largestLimit } from '../core/limits.ts';

/** The first problem of a value, or null. */
export type Shape = (value: unknown, field: string) => string | null;

export const of =
  (fits: (value: unknown) => boolean, allowed: string): Shape =>
  (value, field) =>
    fits(value) ? null : `${field} is ${show(value)}; it is ${allowed}`;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
export const isCount = (value: unknown): value is number => isNumber(value) && Number.isInteger(value) && value >= 0;

export const text = of((value) => typeof value === 'string', 'a text');
export const someText = of((value) => typeof value === 'string' && value !== '', 'a text that is not empty');
export const flag = of((value) => typeof value === 'boolean', 'true or false');
export const count = of(isCount, 'a whole number from 0');
export const limit = of((value) => isCount(value) && value <= largestLimit, 'a whole number from 0 to 2^50');
export const instant = of(isNumber, 'a number of milliseconds');
export const duration = of((value) => isNumber(value) && value >= 0, 'a number of milliseconds from 0');
export const json = of((value) => isJson(value, 0), 'JSON, nested at most 500 deep');

export const word = (...words: readonly string[]): Shape =>
  of((value) => typeof value === 'string' && words.includes(value), words.join(' or '));

export const nullOr =
  (shape: Shape): Shape =>
  (value, field) =>
    value === null ? null : shape(value, field);

export const list =
  (shape: Shape): Shape =>
  (value, field) =>
    Array.isArray(value)
      ? firstOf(value.keys(), (index) => shape(value[index], `${field}[${index}]`))
      : `${field} is ${show(value)}; it is a list`;

/** An object with exactly these members. */
export const members = (shapes: { readonly [name: string]: Shape }): Shape => {
  const names = Object.keys(shapes);
  return (value, field) => {
    if (!isJsonObject(value)) return `${field || 'it'} is ${show(value)}; it is an object`;
    const foreign = Object.keys(value).find((name) => !Object.hasOwn(shapes, name));
    if (foreign !== undefined) return `${at(field, foreign)} is not known; known there: ${names.join(', ')}`;
    return firstOf(names, (name) => shapes[name]?.(own(value, name), at(field, name)) ?? null);
  };
};

/** An object with any names. */
export const named =
  (shape: Shape): Shape =>
  (value, field) =>
    isJsonObject(value)
      ? firstOf(Object.keys(value), (name) => shape(own(value, name), at(field, name)))
      : `${field} is ${show(value)}; it is an object`;

export function firstOf<Item>(items: Iterable<Item>, problemOf: (item: Item) => string | null): string | null {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== null) return problem;
  }
  return null;
}

function at(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

function isJson(value: unknown, depth: number): boolean {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= 500) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
}

/** Short, whatever it is. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  return shown.slice(0, 80);
}
