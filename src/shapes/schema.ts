/**
 * The words of which the schemas of events are made, and what is wrong with a value. The only file of this folder that imports
 * zod. Members that are not known are kept, so that what a later version notes is not lost. Pure.
 */
import { z } from 'zod';
import type { JsonValue } from '../core/json.ts';

export type Schema<Value> = z.ZodType<Value>;
export const { looseObject: members, literal: exactly, array: list, enum: oneOf, union: either, lazy } = z;
export const { record, custom, discriminatedUnion: byMember } = z;

/** A schema for each member of an event but `type` and `format`. Where the event may be without it, the schema says so. */
export type MembersOf<Event> = {
  readonly [Name in Exclude<keyof Event, 'type' | 'format'>]-?: Pick<Event, Name> extends Required<Pick<Event, Name>>
    ? Schema<Event[Name]>
    : z.ZodExactOptional<Schema<Exclude<Event[Name], undefined>>>;
};

export const text = z.string();
export const flag = z.boolean();
export const count = z.int().min(0);
/** Milliseconds. Beyond it, some 300,000 years, it is no time, and sums of it would be no numbers. */
const furthestMs = 1e16;
export const time = z.number().min(-furthestMs).max(furthestMs);
/** A member that must be there. What was read from a file is JSON. */
export const json = z.custom<JsonValue | null>((value) => value !== undefined, { error: 'is missing' });

/** Every member of a union by its own name: one that is missing is an error of the type. */
export function namesOf<Name extends string>(names: { readonly [One in Name]: One }): readonly Name[] {
  return Object.values(names);
}

/** How a word of a list is checked. */
export type Word = <Name extends string>(names: readonly Name[]) => Schema<Name>;

/** One of the list. */
export const knownWord: Word = (names) => z.enum(names);

/** A word of a later version stays as it is: whoever compares it must have a way for what is not known. */
export const anyWord: Word = <Name extends string>(_names: readonly Name[]) =>
  z.custom<Name>((value) => typeof value === 'string', { error: 'is no text' });

/** The value stays as it is: a copy would have its members in another order. */
export function fits<Value>(schema: Schema<Value>, value: unknown): value is Value {
  return problemOf(schema, value) === null;
}

/** The first thing that is wrong, with the path to it and without a full stop; null where nothing is. */
export function problemOf(schema: Schema<unknown>, value: unknown): string | null {
  const [issue] = issuesOf(schema, value);
  return issue === undefined ? null : `${issue.path.join('.') || 'the line'}: ${issue.message}`;
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What is nested without end, as only an enemy writes it, is deeper than the checks can go. */
export function issuesOf(schema: Schema<unknown>, value: unknown): readonly Issue[] {
  try {
    return schema.safeParse(value).error?.issues ?? [];
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return [{ path: [], message: 'is nested too deeply' }];
  }
}
