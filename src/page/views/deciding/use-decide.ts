import { useEffect, useRef, useState } from 'preact/hooks';
import type { Decision } from '../../../observe/inspect/wire.ts';
import type { Objection } from '../../state/source.ts';
import { useInspector } from '../../state/use-inspector.ts';

export interface Decide {
  readonly send: (decision: Decision) => void;
  readonly isSending: boolean;
  /** What was said against the last one. */
  readonly objection: Objection | null;
  readonly isTaken: boolean;
}

interface Told {
  isSending: boolean;
  objection: Objection | null;
  isGone: boolean;
}

/** One decision at a time. An objection outlives the call that it was about: a decision that comes too late is told as well. */
export function useDecide(runKey: string): Decide {
  const { source, refuse } = useInspector();
  const [state, setState] = useState<Omit<Decide, 'send'>>({ isSending: false, objection: null, isTaken: false });
  /** As it is now: what is drawn may be a frame behind. */
  const told = useRef<Told>({ isSending: false, objection: null, isGone: false });
  useEffect(
    () => () => {
      const { objection } = told.current;
      told.current.isGone = true;
      if (objection !== null) refuse({ key: runKey, objection });
    },
    [],
  );
  const answered = (objection: Objection | null) => {
    told.current.isSending = false;
    told.current.objection = objection;
    if (told.current.isGone && objection !== null) refuse({ key: runKey, objection });
    setState({ isSending: false, objection, isTaken: objection === null });
  };
  const send = (decision: Decision) => {
    if (told.current.isSending) return;
    told.current.isSending = true;
    told.current.objection = null;
    refuse(null);
    setState({ isSending: true, objection: null, isTaken: false });
    source.decide(runKey, decision).then(answered);
  };
  return { send, ...state };
}
