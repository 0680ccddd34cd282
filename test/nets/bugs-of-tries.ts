/** Bugs of loops that ask again for a reply that failed, or run agents as tools. */
import { type Bug, nets } from './bug.ts';

const all = nets;
/** The machine itself is right: only whole runs through the shell show it. */
const shell = ['simulator'] as const;

export const bugsOfTries: readonly Bug[] = [
  {
    what: 'a try is charged as a step',
    file: 'machines/reducers.ts',
    find: 'return { ...context, attempt: context.attempt + 1, askAtMs',
    replace: 'return { ...context, step: context.step + 1, attempt: context.attempt + 1, askAtMs',
    caughtBy: all,
  },
  {
    what: 'a reply is asked for again without end',
    file: 'machines/guards.ts',
    find: '  context.attempt <= context.limits.modelRetries &&\n',
    replace: '',
    caughtBy: all,
  },
  {
    what: 'a wait that ends behind the deadline is begun',
    file: 'machines/guards.ts',
    find: '  event.retryAtMs < context.limits.wallClockMs &&\n',
    replace: '',
    caughtBy: all,
  },
  {
    what: 'a try begins before the wait is over',
    file: 'src/shell/asking.ts',
    find: 'if (nowMs() >= command.atMs) return begin(command);',
    replace: 'return begin(command);',
    caughtBy: shell,
  },
  {
    what: 'the machine forgets how long to wait',
    file: 'machines/reducers.ts',
    find: 'askAtMs: event.retryAtMs ?? event.atMs }',
    replace: 'askAtMs: event.atMs }',
    caughtBy: ['walks', 'simulator'],
  },
  {
    what: 'an event of a try that failed counts for the next one',
    file: 'machines/admit.ts',
    find: '  if (isOfReply(event) && (event.attempt ?? 1) !== context.attempt) return false;\n',
    replace: '',
    caughtBy: ['explorer'],
  },
  {
    what: 'a reply that broke off is taken for a whole one',
    file: 'src/shell/reply.ts',
    find: '  const { failure, message, hint, retry } = failed;\n',
    replace:
      "  const { failure, message, hint, retry } = failed;\n  if (failure === 'broke_off') return takeEnd(reply, { type: 'end', finish: 'stop', usage: null });\n",
    caughtBy: shell,
  },
  {
    what: 'what an agent spends as a tool is not charged',
    file: 'machines/reducers.ts',
    find: '  const context = chargeNested(before, event);\n  const call =',
    replace: '  const context = before;\n  const call =',
    caughtBy: all,
  },
  {
    what: 'what an agent spends as a tool is not told',
    file: 'src/shell/calling.ts',
    find: 'const spent = scope.lending.settle(callId);',
    replace: 'const spent = scope.lending.settle(callId) && null;',
    caughtBy: shell,
  },
  {
    what: 'two agents at once are given more than there is',
    file: 'src/shell/lending.ts',
    find: 'loans.map(keptFor)',
    replace: '[].map(keptFor)',
    caughtBy: shell,
  },
];
