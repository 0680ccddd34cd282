/** Edges that break the laws of calls, ends and events; and close ones, which keep them all. */
import type { Command } from '../../machines/commands.ts';
import type { Happening } from '../../machines/edge.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { CallState, CallStatus } from '../../src/core/snapshot.ts';
import { call, calls } from './contexts.ts';
import * as e from './driver.ts';
import { edge, forged, without } from './forge.ts';
import * as real from './law-edges.ts';
import type { Broken, Close } from './law-rows.ts';

const { checks, effect, running, stops, thinks, reads, settles, fails, nextStarts, oneOfTwo, grants } = real;
const { answers, accepts, endsByTool, aborts, afterEnd } = real;
const loopGuard = { warnAt: 2, endAt: 2, cycleMax: 2 };

const changed = (commands: readonly Command[], change: (command: Command) => Command) => commands.map(change);
const startsAgain = changed(nextStarts.commands, (command) =>
  command.type === 'runCalls' ? { ...command, calls: calls('started') } : command,
);
const recordsAnswer = changed(settles.commands, (command) =>
  command.type === 'recordStep' ? { ...command, answer: 'yes' } : command,
);
const recordsCalls = (...statuses: readonly CallStatus[]) =>
  changed(settles.commands, (command) =>
    command.type === 'recordStep' ? { ...command, calls: calls(...statuses) } : command,
  );
const lastCall = (change: Partial<CallState>) => ({
  calls: endsByTool.after.context.calls.map((one) => ({ ...one, ...change })),
});
/** The tool that ends the run, with this output; what the model would be told differs from it. */
const gives = (output: JsonValue): Happening => Object.assign({}, e.settled(), { output });
/** A letter a read: s(tarted). */
const reading = (letters: string) =>
  [...letters].map((_, index) => call({ callId: `1.${index + 1}`, status: 'started', effect: 'readOnly' }));
const twoReads = edge(running('rr', 'readOnly'));
const kept = { effects: [effect()] };
const becomes = (change: Parameters<typeof effect>[0]) =>
  forged(settles, { before: kept, after: { effects: [effect(change)] } });

export const broken = {
  'no tool starts that was not let through': [
    ['a person is still to be asked', forged(edge(running('ra', 'readOnly')), { after: { calls: reading('ss') } })],
    ['it was not there', forged(nextStarts, { before: { calls: calls('started') } }), 'the rank falls'],
    ['it was refused', forged(edge(running('rx', 'readOnly')), { after: { calls: reading('ss') } })],
    ['the result of another', forged(nextStarts, { before: { calls: calls('started', 'asking') } })],
    [
      'the yes was to another',
      forged(grants, { before: { calls: calls('asking', 'asking') }, after: { calls: calls('asking', 'started') } }),
    ],
  ],
  'what is in flight with others is a read, and there are not too many': [
    ['two that are no reads', forged(twoReads, { after: { calls: calls('started', 'started') } })],
    [
      'one of two is no read',
      forged(twoReads, { after: { calls: [...reading('s'), ...calls('read', 'started').slice(1)] } }),
    ],
    ['three where two may be', forged(edge(running('rrr', 'readOnly')), { limits: { maxParallel: 2 } })],
  ],
  'a call starts at most once': [
    ['it had been started', forged(nextStarts, { commands: startsAgain })],
    ['one of two had been', forged(edge(running('rr', 'readOnly')), { before: { calls: calls('read', 'started') } })],
  ],
  'a call only goes forward': [
    [
      'it went back',
      forged(oneOfTwo, { after: { calls: calls('succeeded', 'ready') } }),
      'the rank falls',
      'something is due until the end',
    ],
    ['it is gone', forged(oneOfTwo, { after: { calls: calls('succeeded') } }), 'something is due until the end'],
  ],
  'what is left open is taken back': [
    ['a reply, and calls are read', forged(reads, { commands: without(reads, 'cancelReply') })],
    ['a reply, and the next is asked for', forged(thinks, { commands: without(thinks, 'cancelReply') })],
    ['calls', forged(settles, { commands: without(settles, 'cancelCalls') })],
    ['a question', forged(grants, { commands: without(grants, 'closeApproval') })],
  ],
  'an end leaves nothing in flight whose effect is not accounted for': [
    ['a call is in flight', forged(aborts, { after: { calls: calls('started'), effects: [] } })],
  ],
  'what may have happened in the world is remembered': [
    ['an unknown result is not', forged(aborts, { after: { effects: [] } })],
    ['another call is', forged(aborts, { after: { effects: [effect({ callId: '1.2', status: 'unknown' })] } })],
    [
      'a side effect that succeeded is not',
      forged(nextStarts, {
        after: {
          calls: [call({ status: 'succeeded', effect: 'sideEffect' }), call({ callId: '1.2', status: 'started' })],
        },
      }),
    ],
    ['with another key', becomes({ key: 'other' })],
    ['as another call', becomes({ callId: '1.2' })],
    ['with another result', becomes({ status: 'unknown' })],
    ['no more', forged(settles, { before: kept, after: { effects: [] } }), 'counters never fall'],
  ],
  'a final answer was read, or comes from a tool that ends the run': [
    ['it was read otherwise', forged(answers, { after: { answer: 'other' } })],
    ['it was not checked', forged(answers, { limits: checks })],
    ['it is blank', forged(answers, { after: { answer: ' ' }, event: e.ended({ answer: ' ' }) })],
    ['it was accepted otherwise', forged(accepts, { after: { answer: 'other' } })],
    ['it was not what was checked', forged(accepts, { before: { proposed: 'other' } })],
    ['the tool does not end the run', forged(endsByTool, { after: lastCall({ endsRun: false }) })],
    ['it is not what the tool gave', forged(endsByTool, { after: { answer: 'other' } })],
    ['it is the result in quotes', forged(endsByTool, { event: gives('forty-two'), after: { answer: '"forty-two"' } })],
    [
      'it comes from a call that is not there',
      forged(endsByTool, { event: e.settled(9), after: { answer: 'other' } }),
      'an event of another step or call changes nothing',
    ],
    ['the tool failed', forged(endsByTool, { after: lastCall({ status: 'refused' }) })],
    [
      'there is none',
      forged(answers, { after: { answer: null } }),
      'what holds no step is a violation, and nothing else is',
      'a reason is true',
    ],
  ],
  'a step is over when its calls are': [
    ['one is still in flight', forged(settles, { commands: recordsCalls('succeeded', 'started') })],
    ['one was only read', forged(settles, { commands: recordsCalls('succeeded', 'read') })],
  ],
  'an answer ends the run': [['it goes on', forged(settles, { commands: recordsAnswer })]],
  'an end has its reason, and a reason is an end': [
    ['an end without a reason', forged(aborts, { after: { stopReason: null } })],
    ['an answer that was aborted', forged(answers, { after: { stopReason: 'aborted' } }), 'a reason is true'],
    ['an error that is an answer', forged(aborts, { after: { stopReason: 'final' } }), 'a reason is true'],
    ['a reason and no end', forged(thinks, { after: { stopReason: 'aborted' } }), 'a reason is true'],
  ],
  'a reason is true': [['an abort that is called a time-out', forged(aborts, { after: { stopReason: 'timeout' } })]],
  'after an end nothing happens': [
    ['a command', forged(afterEnd, { commands: thinks.commands.slice(0, 1) })],
    ['a change', forged(afterEnd, { after: {} }), 'the rank falls', 'an event of another step or call changes nothing'],
  ],
  'counters never fall': [
    ['time', forged(stops, { before: { atMs: 5 }, after: {} })],
    [
      'steps',
      forged(fails, { after: { step: 0 } }),
      'asking the model costs one step, and asking again none',
      'the rank falls',
    ],
    ['tool calls', forged(stops, { before: { toolCalls: 1 }, after: {} }), 'a tool that starts is counted'],
    [
      'violations',
      forged(stops, { before: { violations: 1 }, after: {} }),
      'what holds no step is a violation, and nothing else is',
      'a violation raises its fuse by one, and only a success resets it',
    ],
    [
      'tokens',
      forged(stops, { before: { tokens: e.tokens(5) }, after: { tokens: e.tokens(4) } }),
      'a reply is charged once, when it is left',
    ],
    ['effects', forged(stops, { before: kept, after: {} }), 'what may have happened in the world is remembered'],
  ],
  'an event of another step or call changes nothing': [
    [
      'a reply of another try',
      forged(stops, { before: { attempt: 2 }, after: { ...stops.after.context, attempt: 2 } }),
    ],
    ['another step', forged(stops, { event: e.stopped('action', 0, { step: 2 }) })],
    ['another call', forged(settles, { event: e.settled(2) })],
    ['a result of a call that asks', forged(settles, { before: { calls: calls('asking') } })],
    ['a yes to a call that is ready', forged(grants, { before: { calls: calls('ready') } })],
  ],
  'what is kept is bounded': [
    [
      'more effects than calls',
      forged(settles, { limits: { maxToolCalls: 1 }, after: { effects: [effect(), effect()] } }),
    ],
    ['a window too long', forged(settles, { limits: { loopGuard }, after: { window: [...'abcde'] } })],
    ['a window without a guard', forged(settles, { limits: { loopGuard: null }, after: { window: ['a'] } })],
  ],
} as const satisfies Broken;

export const close: Close = [
  [
    'a read in flight at the end',
    forged(aborts, { after: { calls: [call({ status: 'started', effect: 'readOnly' })], effects: [] } }),
  ],
  ['as many effects as calls', forged(settles, { limits: { maxToolCalls: 1 }, after: kept })],
  ['a full window', forged(settles, { limits: { loopGuard }, after: { window: [...'abcd'] } })],
  ['no window without a guard', forged(settles, { limits: { loopGuard: null }, after: { window: [] } })],
  ['an end that is taken up again', forged(afterEnd, { after: {}, event: { type: 'run.restored' } })],
  [
    'one whose result was unknown before',
    forged(grants, { before: { calls: calls('asking', 'unknown') }, after: { calls: calls('started', 'unknown') } }),
  ],
  ['one that succeeded and is no side effect', forged(nextStarts, { after: { effects: [] } })],
  [
    'the text of the result ends the run',
    forged(endsByTool, { event: gives('forty-two'), after: { answer: 'forty-two' } }),
  ],
  [
    'the JSON of the result ends the run',
    forged(endsByTool, { event: gives({ n: 42 }), after: { answer: '{"n":42}' } }),
  ],
  [
    'one of two ends the run',
    forged(endsByTool, {
      before: { answer: 'ok' },
      after: { calls: [...calls('failed'), ...lastCall({ callId: '1.2' }).calls] },
    }),
  ],
];
