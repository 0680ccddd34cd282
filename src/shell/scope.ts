/** What the parts of one run share. Types only. */
import type { ReactEvent } from '../core/events.ts';
import type { JournalEvent } from '../core/journal.ts';
import type { AnswerGate } from './answer-gate.ts';
import type { History } from './history.ts';
import type { Lending } from './lending.ts';
import type { RunPlan } from './plan.ts';

export interface RunScope {
  readonly plan: RunPlan;
  readonly history: History;
  readonly answers: Pick<AnswerGate<unknown>, 'judge'>;
  /** What the schemas made of the inputs of this step's calls, by call id; an edited input replaces the one before. */
  readonly parsed: Map<string, unknown>;
  /** What agents that run as tools take from the budget. */
  readonly lending: Lending;
  /** Running time. */
  readonly nowMs: () => number;
  /** Runs work of its own accord, such as on a timer; what it sends is handed over when it is done. */
  readonly hold: (work: () => void) => void;
  /** Hands an event to the machine. After the end nothing is heard of it. */
  readonly send: (event: ReactEvent) => void;
  /** For facts that are not events of the machine. */
  readonly record: (event: JournalEvent) => void;
  /** Calls back when all that was recorded so far would survive the process. Gives back what cancels it. */
  readonly whenDurable: (then: () => void) => () => void;
  /** How often the run was taken up since anything came of it. */
  readonly retaken: () => number;
  readonly onDelta: (step: number, text: string) => void;
}
