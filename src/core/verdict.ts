/** What the gates say of a call before it runs, and in whose words. Its gates are asked in the order of `Gate`. */
import type { JsonValue } from './json.ts';

/** The gates in their order; `policy` and `approval` are the last. */
export type Gate = 'tool' | 'input' | 'duplicate' | 'required' | 'callLimit' | 'rateLimit' | 'policy' | 'approval';

/** The policy of the agent; or without one, the tool's own `needsApproval`, or how the tool is marked. */
export type Rule = 'policy' | 'needsApproval' | 'mark';

/** What the gates say of a call. `ask` waits for a person, `refuse` is a result. */
export interface Verdict {
  readonly callId: string;
  readonly pass: 'run' | 'ask' | 'refuse';
  /** The input that will run: after the schema, which may have filled in defaults. */
  readonly input: JsonValue | null;
  /** Where `pass` is `refuse`: what the model is told. Where it is `ask`: what the person should know. */
  readonly observation: string | null;
  /** What the machine must know of the tool. */
  readonly effect: Effect;
  readonly endsRun: boolean;
  /** Stands for tool and canonical input: equal for equal calls; short. */
  readonly key: string;
  /** The gate that refused it or asks. */
  readonly gate?: Gate;
  /** What let it run, or made it wait for a person. */
  readonly rule?: Rule;
  /** What was changed so that the input fits its schema, such as `limit: "5" → 5`. */
  readonly coerced?: readonly string[];
}

/** How a tool is marked. An unmarked one counts as a side effect wherever doing something twice would matter. */
export type Effect = 'readOnly' | 'idempotent' | 'unmarked' | 'sideEffect';

/** What each verdict makes of its call. */
export const statusOfPass = { run: 'ready', ask: 'asking', refuse: 'refused' } as const satisfies Record<
  Verdict['pass'],
  string
>;
