/**
 * What a person lets run passes the gates as it is now: an edited input, or a call after a restore. An edit may not do once
 * more what was done. Meanwhile the call is decided, and cannot be decided again.
 */
import type { ApprovalDenied, ApprovalGranted } from '../core/events.ts';
import type { JsonValue } from '../core/json.ts';
import type { CallState, ReactContext } from '../core/snapshot.ts';
import { checkCall } from '../dispatch/gates.ts';
import { doSame, isKeyOf } from '../dispatch/verdict.ts';
import { gateOptions } from './gate-options.ts';
import type { RunScope } from './scope.ts';

type Granted = Pick<ApprovalGranted, 'input' | 'key' | 'by' | 'edited' | 'observation'>;
export type Denial = Omit<ApprovalDenied, 'type' | 'step' | 'callId' | 'atMs'>;

export interface Deciding {
  /** `input` where the person changed it. */
  letRun(call: CallState, by: string | null, input?: JsonValue): void;
  isDecided(callId: string): boolean;
  cancelAll(): void;
}

export interface DecidingOptions {
  readonly scope: RunScope;
  readonly standing: () => Pick<ReactContext, 'calls' | 'effects'>;
  readonly grant: (callId: string, granted: Granted) => void;
  readonly refuse: (callId: string, denial: Denial) => void;
}

export function createDeciding({ scope, standing, grant, refuse }: DecidingOptions): Deciding {
  /** By call id: what cancels it. */
  const passing = new Map<string, () => void>();

  return {
    letRun(call, by, changed) {
      const { callId, key: asked } = call;
      // As the gates left it.
      if (changed === undefined && scope.parsed.has(callId))
        return grant(callId, { input: call.input, key: asked, by, edited: false });
      const edited = changed !== undefined;
      const judged = { ...call, input: edited ? changed : call.input };
      const parsed = new Map<string, unknown>();
      const { calls, effects } = standing();
      const twin = (key: string) => calls.find((other) => isTwin(other, callId, key))?.callId;
      const asksAgain = isKeyOf(asked, judged);
      passing.set(callId, () => {});
      const gates = { ...gateOptions(scope, effects), parsed, twin, asksAgain };
      const cancel = checkCall(judged, gates, ({ pass, gate = 'input', input, key, observation }) => {
        passing.delete(callId);
        const edit = edited ? scope.plan.messages.edited(input) : '';
        if (pass !== 'refuse') {
          scope.parsed.set(callId, parsed.get(callId));
          return grant(callId, { input, key, by, edited, ...(edited && { observation: edit }) });
        }
        const told = observation ?? '';
        const denial = { cause: gate, by, why: '' } as const;
        if (!edited) return refuse(callId, { observation: told, ...denial });
        refuse(callId, { observation: `${told} ${edit}`, input, key, ...denial });
      });
      if (passing.has(callId)) passing.set(callId, cancel);
    },
    isDecided: (callId) => passing.has(callId),
    cancelAll() {
      for (const cancel of passing.values()) cancel();
      passing.clear();
    },
  };
}

/** Another call of the reply that does, or did, the same. */
function isTwin({ callId, key, status }: CallState, ofCall: string, ofKey: string): boolean {
  return callId !== ofCall && doSame(key, ofKey) && status !== 'refused' && status !== 'failed';
}
