import { useEffect, useRef, useState } from 'preact/hooks';
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

/** One decision at a time. A refusal outlives the call that it was about: a decision that comes too late is told as well. */
export function useDecide(runKey: string): Decide {
  const texts = useTexts();
  const { source, refuse } = useInspector();
  const [state, setState] = useState<Omit<Decide, 'send'>>({ isSending: false, refusal: null, isTaken: false });
  const told = useRef<{ refusal: Refusal | null; isGone: boolean }>({ refusal: null, isGone: false });
  useEffect(
    () => () => {
      const { refusal } = told.current;
      told.current.isGone = true;
      if (refusal !== null) refuse({ key: runKey, refusal });
    },
    [],
  );
  const answered = (refusal: Refusal | null) => {
    told.current.refusal = refusal;
    if (told.current.isGone && refusal !== null) refuse({ key: runKey, refusal });
    setState({ isSending: false, refusal, isTaken: refusal === null });
  };
  const send = (decision: Decision) => {
    if (state.isSending) return;
    told.current.refusal = null;
    refuse(null);
    setState({ isSending: true, refusal: null, isTaken: false });
    source
      .decide(runKey, decision)
      .then((answer) => (answer === 'unreachable' ? texts.unreachable : answer))
      .then(answered);
  };
  return { send, ...state };
}
