/** Asks a tool about a call that had been started when the run was interrupted: whether it happened. */
import type { CallState } from '../core/snapshot.ts';
import type { ProbeOptions } from '../core/tool.ts';
import { type CallOptions, type CallOutcome, interruptedCall } from './call.ts';
import { readInput } from './input-gate.ts';
import { judgeResult } from './result.ts';

/** `run`: it did not happen, and is to be run. */
export type ProbeResult = CallOutcome | 'run';

/** Returns what cancels it. Of a tool without a `probe` nobody knows. */
export function probeCall(call: CallState, options: CallOptions, done: (result: ProbeResult) => void): () => void {
  const { toolbox, within, messages } = options;
  const tool = toolbox.get(call.tool);
  const unknown = () => done(interruptedCall(call, messages));
  const probe = tool?.probe ?? null;
  if (tool === undefined || probe === null) {
    unknown();
    return () => {};
  }
  const { toolCallOptions, abort } = options.begin(1);
  const cancels = [() => abort('The run no longer wants this answer.')];
  const ask = (input: unknown) => {
    const { idempotencyKey, context } = toolCallOptions;
    const given: ProbeOptions<unknown> = {
      input,
      idempotencyKey,
      context,
      get abortSignal() {
        return toolCallOptions.abortSignal;
      },
    };
    const asked = within<unknown>(
      tool.timeoutMs,
      () => probe(call.callId, given),
      (settled) => {
        if (settled.kind === 'late') abort(`The probe of ${tool.name} took longer than ${tool.timeoutMs} ms.`);
        const said = settled.kind === 'value' ? readAnswer(settled.value) : null;
        if (said === null) return unknown();
        if (!said.happened) return done('run');
        cancels.push(judgeResult(said.output, call, tool, options, done));
      },
    );
    cancels.push(asked);
  };
  cancels.push(readInput(call.input, tool, options, (read) => (read.ok ? ask(read.parsed) : unknown())));
  return () => {
    for (const cancel of cancels) cancel();
  };
}

interface Answer {
  readonly happened: boolean;
  readonly output: unknown;
}

/** Anything may have been given, and reading it may throw: then nothing was said. */
function readAnswer(value: unknown): Answer | null {
  try {
    if (typeof value !== 'object' || value === null || !('happened' in value)) return null;
    const { happened } = value;
    if (happened === false) return { happened, output: undefined };
    return happened === true && 'output' in value ? { happened, output: value.output } : null;
  } catch {
    return null;
  }
}
