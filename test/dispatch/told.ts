/** One call through a whole run: what the model is told of it, and what the record has. */
import type { AgentOptions } from '../../src/agent-options.ts';
import type { CallSettled } from '../../src/core/events.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { looksLikeError } from '../../tools/looks-like-error.ts';
import { act, answer, anyInput, setup } from '../shell/setup.ts';

export interface Told {
  /** Of the call, in the trace. */
  readonly observation: string;
  readonly settled: CallSettled;
  /** The last message of the second request: what the model was really sent. */
  readonly sent: string;
  readonly outcome: Outcome;
  readonly events: readonly TraceEvent[];
  readonly elapsedMs: number;
}

/** A tool that is called once. `marks` are added to it. */
export async function told(tool: AnyTool, agent: Partial<AgentOptions> = {}, input: unknown = {}): Promise<Told> {
  const { run, model, events, clock } = setup({
    replies: [act('look', input), answer('ok')],
    tools: { look: tool },
    agent: { looksLikeError, ...agent },
  });
  const outcome = await run();
  const settled = events.find((event) => event.type === 'call.settled');
  if (settled?.type !== 'call.settled') throw new Error('The call was never settled.');
  const sent = model.requests[1]?.messages.at(-1)?.content ?? '';
  return { observation: settled.observation, settled, sent, outcome, events, elapsedMs: clock.monotonicMs() };
}

/** A tool that does this when it is called. */
export function does(execute: (input: unknown) => unknown, marks: Partial<AnyTool> = {}): AnyTool {
  return { inputSchema: anyInput, execute, ...marks };
}

export const gives = (value: unknown, marks: Partial<AnyTool> = {}): AnyTool => does(() => value, marks);

export function throws(thrown: unknown, marks: Partial<AnyTool> = {}): AnyTool {
  return does(() => {
    throw thrown;
  }, marks);
}
