/** What a target of the fuzzer is: what it draws, and what must hold of it. */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { messageOf } from '../core/message-of.ts';
import type { ToolRecord } from '../core/tool.ts';
import type { Dialect } from '../protocol/dialect.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

/** What of the user's is under test; each target takes what concerns it, and otherwise what ships. */
export interface Subject {
  readonly tools: ToolRecord | null;
  /** A name, or a dialect of the user's own. Null: each of ours. */
  readonly dialect: string | Dialect | null;
  readonly machine: ReactMachine | null;
}

export interface FuzzTarget {
  readonly name: string;
  /** What it draws and what must hold, in one line of the help. */
  readonly tells: string;
  /** What of the user's it takes. */
  readonly takes: readonly (keyof Subject)[];
  /** How many examples are tried unless told otherwise. */
  readonly runs: number;
  feed(fc: FastCheck, subject: Subject): Feed;
}

export interface CheckParameters {
  readonly seed: number;
  readonly runs: number;
  readonly path: string | null;
  /** Called before each example. A promise that never settles leaves the check for good. */
  readonly before: () => Promise<void> | null;
  /** Called with each example that fails: the first, and the smaller ones. `fault` is asked for only if it is needed. */
  readonly onFault: (fault: () => Pick<Fault, 'message' | 'example'>) => void;
}

/** The smallest example that was found, and where. */
export interface Fault {
  readonly message: string;
  readonly example: string;
  readonly path: string;
  readonly shrinks: number;
}

/** One property over one arbitrary, whatever it draws. */
export interface Feed {
  check(parameters: CheckParameters): Promise<Fault | null>;
}

export interface FeedOptions<Example> {
  readonly fc: FastCheck;
  readonly draws: Arbitrary<Example>;
  /** Throws where something does not hold: `broken` what was promised, anything else is a defect of its own. */
  readonly holds: (example: Example) => void | Promise<void>;
  /** As plain data, for people; default: the example itself. */
  readonly shows?: (example: Example) => unknown;
}

export function feed<Example>({ fc, draws, holds, shows = (example) => example }: FeedOptions<Example>): Feed {
  return {
    async check({ seed, runs, path, before, onFault }) {
      const property = fc.asyncProperty(draws, async (example) => {
        await before();
        try {
          await holds(example);
        } catch (thrown) {
          onFault(() => ({ message: faultOf(thrown), example: printed(shows(example)) }));
          throw thrown;
        }
      });
      const details = await fc.check(property, { seed, numRuns: runs, ...(path === null ? {} : { path }) });
      if (!details.failed) return null;
      const [example] = details.counterexample ?? [];
      return {
        message: faultOf(details.errorInstance),
        example: example === undefined ? 'none: the path leads to no example' : printed(shows(example)),
        path: details.counterexamplePath ?? path ?? '0',
        shrinks: details.numShrinks,
      };
    },
  };
}

const promise = 'BrokenPromise';

/** What was promised and does not hold. */
export function broken(message: string): Error {
  const error = new Error(message);
  error.name = promise;
  return error;
}

/** Throws where two values differ as JSON. */
export function mustEqual(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw broken(`${what}: ${short(one)} instead of ${short(other)}`);
}

/** What was thrown by what is under test is a defect; its place in the source helps to find it. */
function faultOf(thrown: unknown): string {
  if (thrown instanceof Error && thrown.name === promise) return thrown.message;
  const place =
    thrown instanceof Error ? (thrown.stack ?? '').split('\n').find((line) => line.includes('    at ')) : '';
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  return `It threw ${name}: ${messageOf(thrown)}${place ? `, ${place.trim()}` : ''}`;
}

const longestShown = 4_000;

function printed(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value, null, 2) ?? String(value);
  } catch (thrown) {
    text = `(it is nested too deeply to print: ${messageOf(thrown)})`;
  }
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}… (${text.length} characters)`;
}

export function short(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return text.length <= 300 ? text : `${text.slice(0, 300)}… (${text.length} characters)`;
}
