/** The error classes of the library: one for its users, and one that their tools may throw. Pure; imports nothing. */

export const errorCodes = [
  'invalid_option', // what the user passed to createAgent, run, resume or a tool cannot be used
  'invalid_snapshot', // a snapshot that is damaged, foreign, or of another machine
  'invalid_journal', // what a store holds of a run is damaged, foreign, or of a version that is not known
  'store_failed', // a store could not read or write: disk, permission, database, or it took too long
  'run_held', // somebody else drives the run
  'not_awaiting', // approve or deny for a call that does not wait for a decision
  'model_failed', // the model could not be reached, answered with an error, or its adapter broke the contract
  'internal', // a defect in a guard, a reducer or the shell
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/**
 * What happened is in `message`, what to do next in `hint`. Thrown only for misuse before the first step; after it,
 * errors travel as values in the outcome.
 */
export class AgentError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options: { hint: string; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AgentError';
    this.code = code;
    this.hint = options.hint;
  }

  /** Errors have no enumerable fields, so that JSON would drop them; an outcome must survive JSON. */
  toJSON(): { name: string; code: ErrorCode; message: string; hint: string } {
    return { name: this.name, code: this.code, message: this.message, hint: this.hint };
  }
}

/**
 * What a tool may throw to say what the model should do: `throw new ToolError('No such order.', { hint: 'List the orders
 * first.' })`. The model is told the message and the hint; the cause is kept for the trace.
 */
export class ToolError extends Error {
  readonly hint: string | null;
  readonly unknown: boolean;

  /** `unknown`: an effect may have happened, and nobody knows; the call is not made again. */
  constructor(message: string, options: { hint?: string; unknown?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ToolError';
    this.hint = options.hint ?? null;
    this.unknown = options.unknown === true;
  }

  toJSON(): { name: string; message: string; hint: string | null; unknown: boolean } {
    return { name: this.name, message: this.message, hint: this.hint, unknown: this.unknown };
  }
}
