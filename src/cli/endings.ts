/** Why a run stopped, in words, and what to do next. Pure. */
import type { StopReason } from '../core/stop-reasons.ts';

export interface Ending {
  readonly words: string;
  /** Empty: nothing to add. */
  readonly next: string;
}

const askLess = 'Ask for less at once.';

export const endings = {
  final: { words: 'answered', next: '' },
  max_steps: { words: 'all steps are used up', next: 'Raise --max-steps, or ask for less at once.' },
  max_tool_calls: { words: 'all tool calls are used up', next: askLess },
  token_budget: { words: 'the tokens are used up', next: 'Raise --max-tokens, or ask for less at once.' },
  // Reserved: no run ends so yet.
  cost_budget: { words: 'the cost budget is used up', next: askLess },
  timeout: { words: 'the time is used up', next: 'Raise --timeout, or use a faster model.' },
  violations_exhausted: {
    words: 'the model kept breaking the form of a step',
    next: 'Try another --dialect, such as json, or another model.',
  },
  tool_errors_exhausted: {
    words: 'tool calls failed several times in a row',
    next: 'Look at the observations above: the tools, or what the model asks of them, must change.',
  },
  loop_detected: {
    words: 'the model repeated the same steps with the same results',
    next: 'Say it in other words, or use another model.',
  },
  no_progress: {
    words: 'too many results in a row were empty',
    next: 'Look at the calls above: name what is to be found as the tools know it, give other tools, or raise maxEmptyResults of the agent.',
  },
  aborted: { words: 'aborted', next: '' },
  model_error: { words: 'the model failed', next: '' },
  content_filter: { words: 'the provider withheld the reply', next: 'Say it in other words, or use another model.' },
  store_error: { words: 'the store failed', next: '' },
  internal_error: { words: 'a defect of the loop', next: 'Please report it, with the file of --trace.' },
  suspended: {
    words: 'a call waits for a person',
    next: 'Run it at a terminal to be asked; or with --store DIR, to decide later; or choose --policy allow:NAME or all; or take the snapshot of --json to agent.resume.',
  },
} as const satisfies Record<StopReason, Ending>;
