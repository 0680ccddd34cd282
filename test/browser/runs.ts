/** Runs for the page: recorded ones with much in them, and live ones that a test holds back and lets go. */
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { Model } from '../../src/core/model.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import { viewAfter } from '../../src/observe/fold-run.ts';
import type { RunView } from '../../src/observe/run-view.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, anyInput, returns, type Setup, setup } from '../shell/setup.ts';

/** The trace of a run on a virtual clock; calls that wait are approved. */
export async function recorded({ agent, ...rest }: Setup, runId = 'recorded'): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  const { clock, start } = setup({
    ...rest,
    agent: {
      ...agent,
      onEvent: (event) => {
        events.push(event);
        if (event.type === 'approval.asked') queueMicrotask(() => approveAll(run, events));
      },
    },
  });
  const run = start({ runId });
  await clock.until(run.outcome);
  return events;
}

function approveAll(run: { approve(callId: string, how: { by: string }): void }, events: readonly TraceEvent[]): void {
  for (const call of viewOf(events).steps.at(-1)?.calls ?? [])
    if (call.approval?.decision === null) run.approve(call.callId, { by: 'ann' });
}

/** The picture behind the events. */
export function viewOf(events: readonly TraceEvent[]): RunView {
  let view: RunView | null = null;
  for (const event of events) view = viewAfter(view, event);
  if (view === null) throw new Error('There is no event.');
  return view;
}

/** A run in which much happens: two reads at once, a violation, errors, an approval, a reply that broke off, a loop, an answer. */
export const eventful = (): Setup => ({
  tools: {
    look: returns('seen'),
    count: returns({ lines: 120, of: 'app.log' }),
    save: returns('saved', { sideEffect: true }),
    wrong: tool({
      inputSchema: anyInput,
      execute: () => {
        throw new Error('no such table');
      },
    }),
  },
  agent: { policy: 'ask' },
  replies: [
    { text: act('look', { at: 'app.log' }), delayMs: 700 },
    { text: 'I think that it is the pool.', delayMs: 300 },
    { text: act('wrong', { table: 'pools' }), delayMs: 400 },
    { text: act('save', { path: 'note.txt', text: 'pool' }), delayMs: 500 },
    { text: act('missing', { a: 1 }), delayMs: 200 },
    { chunks: ['Thought: I'], failure: { failure: 'broke_off', message: 'reset', retry: { afterMs: 100 } } },
    { text: act('count', { file: 'app.log' }), delayMs: 900 },
    { text: act('count', { file: 'app.log' }), delayMs: 100 },
    { text: act('count', { file: 'app.log' }), delayMs: 100 },
    { text: answer('The pool was too small.'), delayMs: 600 },
  ],
});

/** As many steps as are wanted. */
export const long = (steps: number): Setup => ({
  replies: [
    ...Array.from({ length: steps - 1 }, (_, index) => ({ text: act('look', { line: index }), delayMs: 20 })),
    answer('Read.'),
  ],
  tools: { look: tool({ inputSchema: anyInput, execute: ({ line }: { line?: unknown }) => `line ${String(line)}` }) },
  agent: { checkLaws: false, budget: { maxSteps: steps, maxTokens: 1e9, maxToolCalls: steps, wallClockMs: 1e9 } },
});

export interface Gate {
  /** Lets one more through. */
  open(): void;
  openAll(): void;
  pass(): Promise<void>;
}

export function gate(): Gate {
  const waiting: (() => void)[] = [];
  let room = 0;
  return {
    open() {
      const next = waiting.shift();
      if (next === undefined) room += 1;
      else next();
    },
    openAll() {
      room = Number.POSITIVE_INFINITY;
      for (const next of waiting.splice(0)) next();
    },
    pass() {
      if (room === 0) return new Promise((resolve) => waiting.push(resolve));
      room -= 1;
      return Promise.resolve();
    },
  };
}

/** A scripted model each of whose replies waits for the gate. */
export function gatedModel(replies: readonly ScriptEntry[], held: Gate): Model {
  const model = scriptedModel(replies);
  return {
    ...model,
    async *generate(request) {
      await held.pass();
      yield* model.generate(request);
    },
  };
}

/** An agent on the real clock, and the trace of its runs. */
export function liveAgent(options: AgentOptions) {
  const events: TraceEvent[] = [];
  const { onEvent = [] } = options;
  const observers = typeof onEvent === 'function' ? [onEvent] : onEvent;
  const agent = createAgent({ ...options, onEvent: [...observers, (event) => events.push(event)] });
  return { agent, events };
}
