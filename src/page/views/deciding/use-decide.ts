import { useState } from 'preact/hooks';
import type { Decision, Refusal } from '../../../observe/inspect/wire.ts';
import { useInspector } from '../../state/use-inspector.ts';
import { useTexts } from '../../texts/use-texts.ts';

export interface Decide {
  readonly send: (decision: Decision) => void;
  readonly isSending: boolean;
  /** What the server said against the last one. */
  readonly refusal: Refusal | null;
  readonly isTaken: boolean;
}

/** One decision at a time. */
export function useDecide(runKey: string): Decide {
  const texts = useTexts();
  const { source } = useInspector();
  const [state, setState] = useState<Omit<Decide, 'send'>>({ isSending: false, refusal: null, isTaken: false });
  const send = (decision: Decision) => {
    if (state.isSending) return;
    setState({ isSending: true, refusal: null, isTaken: false });
    source
      .decide(runKey, decision)
      .then((answer) => (answer === 'unreachable' ? texts.unreachable : answer))
      .then((refusal) => setState({ isSending: false, refusal, isTaken: refusal === null }));
  };
  return { send, ...state };
}
