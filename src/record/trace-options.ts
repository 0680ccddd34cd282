/** What the replay of a trace may be given. */
import type { AgentOptions } from '../agent-options.ts';
import type { InputSchema } from '../core/schema.ts';
import { checkOptions, flag, type Kind } from './check-options.ts';

/** `createAgent` looks at what they are. */
const agentOptions = [
  'answerSchema',
  'budget',
  'checkAnswer',
  'checkLaws',
  'checkResult',
  'dialect',
  'language',
  'looksLikeError',
  'loopGuard',
  'machine',
  'maxEmptyResults',
  'maxParallel',
  'modelRetries',
  'plainText',
  'policy',
  'redact',
  'requireTools',
  'sizes',
  'timeouts',
  'tools',
] as const;

/**
 * As `createAgent` has them. What is left out is as the trace says; what a trace does not hold (`answerSchema`, `requireTools`,
 * `checkAnswer`, `checkResult`, `looksLikeError`) is then answered as it was recorded, and `timeouts`, `sizes` and `plainText`
 * are the defaults, but that nothing recorded is too late. Of `tools` all counts but `execute` and `outputSchema`: their
 * results are the recorded ones.
 */
export interface ReplayTraceOptions<Schema extends InputSchema | undefined = undefined>
  extends Pick<AgentOptions<Schema>, (typeof agentOptions)[number]> {
  /** Whether a trace may end before its run does, as after a crash. Default false: that is a difference. */
  readonly unfinished?: boolean | undefined;
}

const anything: Kind = { allowed: '', problem: () => null };

const kinds: ReadonlyMap<string, Kind> = new Map([
  ...agentOptions.map((name) => [name, anything] as const),
  ['unfinished', flag],
]);

/** Throws AgentError (`invalid_option`) for an unknown option. */
export function checkTraceOptions(options: object): void {
  checkOptions('replayTrace', options, kinds);
}
