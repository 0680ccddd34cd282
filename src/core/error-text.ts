/** An error in one text: its name, its message, and what it was caused by. Pure. */
import { withoutTrace } from './without-trace.ts';

const deepest = 5;
/** In code units, of each message. */
const longest = 2_000;
/** Stands for a name or a message that is no text. */
const notShown = '(cannot be shown)';

/** Takes out what must not be seen. */
export type Redact = (text: string) => string;
export const asItIs: Redact = (text) => text;

/** Also an error of another realm, which `instanceof` does not know. May throw for a proxy. */
export function isErrorLike(value: object): boolean {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** Never holds a stack. Total, as every reading of a member may be foreign code. */
export function errorText(error: object, redact: Redact = asItIs, levels = deepest): string {
  const name = read(error, 'name');
  const message = read(error, 'message');
  const named = typeof name === 'string' ? redact(name).slice(0, 100) || 'Error' : notShown;
  const said = typeof message === 'string' ? withoutTrace(redact(message).slice(0, longest)) : notShown;
  const whole = said === '' ? named : `${named}: ${said}`;
  const below = levels > 1 ? causesOf(error).map((cause) => causeText(cause, redact, levels - 1)) : [];
  return below.length === 0 ? whole : `${whole} (caused by ${below.join('; ')})`;
}

/** `cause`, and the first few errors of an AggregateError. */
export function causesOf(error: object): readonly unknown[] {
  const cause = read(error, 'cause');
  const several = firstOf(read(error, 'errors'));
  return cause === undefined || cause === null ? several : [cause, ...several];
}

/** A member of an object that may resist being read. */
export function read(value: object, name: string): unknown {
  return safely(() => Reflect.get(value, name));
}

function firstOf(errors: unknown): readonly unknown[] {
  return safely(() => (Array.isArray(errors) ? errors.slice(0, 3) : [])) ?? [];
}

function causeText(cause: unknown, redact: Redact, levels: number): string {
  if (typeof cause === 'object' && cause !== null && safely(() => isErrorLike(cause)) === true)
    return errorText(cause, redact, levels);
  return typeof cause === 'string' ? withoutTrace(redact(cause).slice(0, longest)) : typeof cause;
}

function safely<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
