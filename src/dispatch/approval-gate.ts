/** Whether a call may run, a person is asked, or the policy forbids it. */

import type { Policy } from '../core/policy.ts';
import type { ApprovalOptions } from '../core/tool.ts';
import type { Rule } from '../core/verdict.ts';
import type { Within } from '../core/within.ts';
import { whyOf } from './check-value.ts';
import type { Messages } from './messages.ts';
import { allowance } from './policy.ts';
import type { CompiledTool } from './toolbox.ts';

export type Allowed =
  | { readonly kind: 'run' | 'ask' | 'deny'; readonly rule: Rule }
  /** The tool's own function gave no answer: nothing runs unasked. */
  | { readonly kind: 'failed'; readonly why: string };

export interface ApprovalGate {
  readonly policy: Policy | null;
  readonly within: Within;
  /** For an asynchronous schema or `needsApproval`. */
  readonly hookMs: number;
  readonly messages: Pick<Messages, 'noResult' | 'redactor'>;
  readonly approvalOptions: (toolCallId: string) => ApprovalOptions;
}

/** A call, and its input as the schema made it. Returns what cancels it. */
export function checkAllowed(
  tool: CompiledTool,
  { callId, parsed }: { readonly callId: string; readonly parsed: unknown },
  gate: ApprovalGate,
  done: (allowed: Allowed) => void,
): () => void {
  const nothing = () => {};
  const kind = allowance(gate.policy, tool);
  const { asks, rule } = tool.approval;
  if (kind !== 'marks') {
    done({ kind: kind === 'dryRun' ? 'run' : kind, rule: 'policy' });
    return nothing;
  }
  if (typeof asks === 'boolean') {
    done({ kind: asks ? 'ask' : 'run', rule });
    return nothing;
  }
  return gate.within(
    gate.hookMs,
    () => asks(parsed, gate.approvalOptions(callId)),
    (asked) => {
      if (asked.kind !== 'value') return done({ kind: 'failed', why: whyOf(asked, gate.messages) });
      done({ kind: asked.value === false ? 'run' : 'ask', rule });
    },
  );
}
