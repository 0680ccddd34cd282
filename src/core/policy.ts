/** Who decides about the calls of an agent. Types only; `dispatch/policy.ts` obeys it. */

/**
 * `readOnly`: only tools marked `readOnly` run. `dryRun`: the others are told of and not run. `ask`: a person is asked
 * about the others. `all`: nobody is asked. `allow`: those named run without asking, a person is asked about the others.
 * Without a policy the marks of each tool decide.
 */
export type Policy = 'readOnly' | 'dryRun' | 'ask' | 'all' | { readonly allow: readonly string[] };
