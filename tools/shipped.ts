/** The tools that ship with fuseloop, as `fuseloop/tools`. */
export { calculator } from './calculator.ts';
export { type ClockInput, type ClockOutput, type ClockToolOptions, clockTool } from './clock.ts';
export { type GroundedNumbersOptions, groundedNumbers } from './grounded-numbers.ts';
export { type JoinedTools, type JoinOptions, joinTools, type PrefixedTools, type ToolSources } from './join-tools.ts';
export { looksLikeError } from './looks-like-error.ts';
export { withJsonSchema } from './with-json-schema.ts';
