/** Bugs that loops like ours really have, each planted by one change of the source. The nets must catch every one. */
import { type Bug, nets } from './bug.ts';
import { bugsOfTries } from './bugs-of-tries.ts';

const all = nets;
/** The machine itself is right: only whole runs through the shell show it. */
const shell = ['simulator'] as const;
/** Our shell never sends such an event; somebody else's might. */
const machine = ['explorer', 'walks'] as const;

export const bugs: readonly Bug[] = [
  {
    what: 'steps are not counted',
    file: 'machines/reducers.ts',
    find: 'step: context.step + 1,',
    replace: 'step: context.step,',
    caughtBy: all,
  },
  {
    what: '`<=` for `<`: one step too many',
    file: 'machines/guards.ts',
    find: 'stepsLeft(context) <= 0;',
    replace: 'stepsLeft(context) < 0;',
    caughtBy: all,
  },
  {
    what: 'the fuse blows one violation late',
    file: 'machines/guards.ts',
    find: 'context.violationsInRow >= context.limits.maxViolations',
    replace: 'context.violationsInRow > context.limits.maxViolations',
    caughtBy: all,
  },
  {
    what: 'a violation is not counted',
    file: 'machines/reducers.ts',
    find: 'violationsInRow: context.violationsInRow + 1,',
    replace: 'violationsInRow: context.violationsInRow,',
    caughtBy: all,
  },
  {
    what: 'a reply that was cut by length bypasses the fuse',
    file: 'machines/react.machine.ts',
    find: "'reply.truncated': { target: 'OBSERVATION', actions: 'countViolation' }",
    replace: "'reply.truncated': { target: 'OBSERVATION' }",
    caughtBy: all,
  },
  {
    what: 'the budget of tool calls is checked after the call',
    file: 'machines/guards.ts',
    find: '  if (context.toolCalls + count > context.limits.maxToolCalls) return true;\n',
    replace: '',
    caughtBy: all,
  },
  {
    what: 'a late result is accepted',
    file: 'machines/admit.ts',
    find: "return callStands(context, event.callId, 'started');",
    replace: 'return true;',
    caughtBy: all,
  },
  {
    what: 'a late `reply.ended` is charged to the next step',
    file: 'machines/admit.ts',
    find: "  if ('step' in event && event.step !== context.step) return false;\n",
    replace: '',
    caughtBy: machine,
  },
  {
    what: 'the deadline is not armed again after a restore',
    file: 'src/run.ts',
    find: 'if (port.outstanding(snapshot).deadlineMs !== null) time.arm();',
    replace: 'if (from === null) time.arm();',
    caughtBy: shell,
  },
  {
    what: 'a side effect is started again after a crash',
    file: 'src/shell/calling.ts',
    find: 'if (mayRunAgain(call)) return run(step, call);',
    replace: 'return run(step, call);',
    caughtBy: shell,
  },
  {
    what: 'the end is told twice',
    file: 'src/run.ts',
    find: '    mailbox.close();\n    recorder.close();',
    replace:
      "    record({ type: 'run.ended', stopReason: result.stopReason });\n    mailbox.close();\n    recorder.close();",
    caughtBy: shell,
  },
  {
    what: 'a guard throws',
    file: 'machines/guards.ts',
    find: "has(context, 'ready');",
    replace: "JSON.parse('{');",
    caughtBy: all,
  },
  {
    what: 'an answer is accepted from a reply that was cut',
    file: 'src/shell/reply.ts',
    find: "  if (finish === 'length') return cutShort(reply, 'truncated');\n",
    replace: '',
    caughtBy: shell,
  },
  {
    what: 'an event is recorded before the history knows it',
    file: 'src/run.ts',
    find: '    const told = attempt(() => scope.history.follow(obeyed, stepped.commands, time.nowMs()), failed);\n    record(obeyed);\n',
    replace:
      '    record(obeyed);\n    const told = attempt(() => scope.history.follow(obeyed, stepped.commands, time.nowMs()), failed);\n',
    caughtBy: shell,
  },
  {
    what: 'a call is lost that still runs',
    file: 'machines/guards.ts',
    find: "event.type === 'call.settled' && othersWith(context, event.callId, 'started');",
    replace: 'false;',
    caughtBy: ['explorer', 'simulator'],
  },
  {
    what: 'what is in flight at the end is not told as unknown',
    file: 'machines/reducers.ts',
    find: 'if (left.length === 0) return context;',
    replace: 'return context;',
    caughtBy: all,
  },
  {
    what: 'the machine does not hear the deadline',
    file: 'machines/react.machine.ts',
    find: "      'clock.expired': { target: '.ERROR', actions: ['abandonCalls', endWith('timeout')] },\n",
    replace: '',
    caughtBy: ['explorer', 'simulator'],
  },
  {
    what: 'the machine does not hear an abort',
    file: 'machines/react.machine.ts',
    find: "      'run.aborted': { target: '.ERROR', actions: ['abandonCalls', endWith('aborted')] },\n",
    replace: '',
    caughtBy: ['explorer', 'simulator'],
  },
  {
    what: 'a person is asked, and nobody is left to ask about',
    file: 'machines/guards.ts',
    find: "othersWith(context, event.callId, 'asking');",
    replace: 'true;',
    caughtBy: all,
  },
  {
    what: 'a loop that is seen does not end the run',
    file: 'machines/guards.ts',
    find: "context.loop === 'end';",
    replace: 'false;',
    caughtBy: ['simulator'],
  },
  {
    what: 'verdicts are taken in any order',
    file: 'machines/admit.ts',
    find: 'verdicts[index]?.callId === call.callId',
    replace: 'verdicts.some(({ callId }) => callId === call.callId)',
    caughtBy: ['explorer'],
  },
  {
    what: 'a call that a person refused runs',
    file: 'src/shell/approval.ts',
    find: "refuse(callId, { observation: messages.denied(tool, told, othersOf(plan, tool)), cause: 'person', by, why });",
    replace: 'deciding.letRun(waitingCall(callId), by);',
    caughtBy: shell,
  },
  {
    what: 'an edited input is ignored',
    file: 'src/shell/deciding.ts',
    find: 'return grant(callId, { input, key, by, edited });',
    replace: 'return grant(callId, { input: call.input, key, by, edited });',
    caughtBy: shell,
  },
  {
    what: 'a side effect runs and nobody was asked',
    file: 'src/dispatch/approval-gate.ts',
    find: "done({ kind: asks ? 'ask' : 'run', rule });",
    replace: "done({ kind: 'run', rule });",
    caughtBy: shell,
  },
  {
    what: 'an effect whose outcome is unknown is done again by an equal call',
    file: 'src/dispatch/gates.ts',
    find: 'effects.find((effect) => doSame(effect.key, key))',
    replace: 'undefined',
    caughtBy: shell,
  },
  {
    what: 'a call has another idempotency key on each start',
    file: 'src/shell/calling.ts',
    find: 'idempotencyKey = `$' + '{scope.plan.runId}:$' + '{callId}`',
    replace: 'idempotencyKey = `$' + '{scope.plan.runId}:$' + '{Math.random()}`',
    caughtBy: shell,
  },
  {
    what: 'the shell forgets an abort',
    file: 'src/run.ts',
    find: "    mailbox.send({ type: 'run.aborted', atMs: time.nowMs(), why, ...effects.open() });\n",
    replace: '',
    caughtBy: shell,
  },
  {
    what: 'a reply that is left in flight costs nothing',
    file: 'src/shell/asking.ts',
    find: 'tokens: () => reply?.tokens() ?? noTokens,',
    replace: 'tokens: () => noTokens,',
    caughtBy: shell,
  },
  ...bugsOfTries,
];
