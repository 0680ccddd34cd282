/**
 * Performs the machine's commands. What comes of them goes back as events; nothing here decides what happens next.
 */
import type { Command } from '../../machines/commands.ts';
import type { Spent, TokenCount } from '../core/usage.ts';
import { createAsking } from './asking.ts';
import { createCalling } from './calling.ts';
import { checkAnswer } from './check-answer.ts';
import { onceTakenUp } from './going-on.ts';
import { createInFlight } from './in-flight.ts';
import { observationCutter } from './observation-cutter.ts';
import type { RunScope } from './scope.ts';

/** Approvals stop the running time and are the run's own matter. */
export type Performed = Exclude<Command, { type: 'askApproval' | 'closeApproval' }>;

export interface Effects {
  perform(command: Performed): void;
  /**
   * What is open, for an event that ends the run: tokens of the reply that is being read, calls that have not begun, what
   * agents that run as tools have spent.
   */
  open(): { readonly tokens: TokenCount; readonly waiting?: readonly string[]; readonly spent?: Spent };
  /** Of the reply that is being read. */
  tokens(): TokenCount;
  /** Of a reply that was left before its end: what may be shown of it. */
  partial(): string | null;
  /** Nothing is left in flight. */
  cancelAll(): void;
}

export function createEffects(scope: RunScope): Effects {
  const inFlight = createInFlight();
  const cutter = observationCutter(scope.plan.sizes);
  const asking = createAsking(scope, cutter);
  const calling = createCalling(scope, inFlight, cutter);

  const perform = (command: Performed): void => {
    switch (command.type) {
      case 'askModel':
        return asking.ask(command);
      case 'cancelReply':
        return asking.cancel();
      case 'checkCalls':
        return calling.check(command);
      case 'runCalls':
        return calling.begin(command.step, command.calls);
      case 'recoverCalls':
        for (const call of command.calls) calling.recover(command.step, call);
        return;
      case 'cancelCalls':
        return inFlight.cancelAll();
      case 'checkAnswer':
        return checkAnswer(scope, inFlight, command);
      case 'recordStep': // the history has it already
        if (command.loop === 'warn') scope.record({ type: 'loop.warned', step: command.step, atMs: scope.nowMs() });
        return;
    }
  };
  return {
    perform: onceTakenUp(scope, inFlight, perform),
    open() {
      const waiting = calling.waiting();
      const spent = scope.lending.settleAll();
      return {
        tokens: asking.tokens(),
        ...(waiting.length === 0 ? {} : { waiting }),
        ...(spent === null ? {} : { spent }),
      };
    },
    tokens: asking.tokens,
    partial: asking.partial,
    cancelAll() {
      asking.cancel();
      inFlight.cancelAll();
      scope.lending.close();
    },
  };
}
