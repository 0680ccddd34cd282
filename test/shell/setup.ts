/** An agent on a virtual clock with scripted replies, and the words to write replies in. */
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions, RunOptions, StartOptions } from '../../src/agent-options.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { ToolRecord } from '../../src/core/tool.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import { tool } from '../../src/tool.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';

export const act = (name: string, input: unknown = {}) =>
  `Thought: I need data.\nAction: ${name}\nAction Input: ${JSON.stringify(input)}`;
export const answer = (text: string) => `Thought: I have what I need.\nFinal Answer: ${text}`;

export const anyInput = { type: 'object' } as const;
export const returns = (value: unknown, marks: Partial<Parameters<typeof tool>[0]> = {}) =>
  tool({ inputSchema: anyInput, execute: () => value, ...marks });
export const hangs = (marks: Partial<Parameters<typeof tool>[0]> = {}) =>
  tool({ inputSchema: anyInput, execute: () => new Promise(() => {}), ...marks });

export interface Setup {
  readonly replies: readonly ScriptEntry[];
  readonly tools?: ToolRecord;
  readonly agent?: Partial<AgentOptions>;
}

export function setup({ replies, tools = { look: returns('seen') }, agent: options = {} }: Setup) {
  const clock = virtualClock();
  const model = scriptedModel(replies, { clock });
  const events: TraceEvent[] = [];
  const agent = createAgent({ model, tools, clock, onEvent: (event) => events.push(event), ...options });
  return {
    clock,
    model,
    agent,
    /** The trace of all runs of this agent. */
    events,
    run: (options?: RunOptions): Promise<Outcome> => clock.until(agent.run('the task', options)),
    start: (options?: StartOptions) => agent.start('the task', options),
  };
}

/** The user message that answered the given reply, counted from 1. */
export function observationAfter(model: ReturnType<typeof setup>['model'], reply: number): string {
  return model.requests[reply]?.messages.at(-1)?.content ?? '';
}
