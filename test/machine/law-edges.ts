/** Real edges of the machine, by what happens on them, from which the edges that break laws are forged. */
import type { CallState, EffectRecord } from '../../src/core/snapshot.ts';
import * as e from './driver.ts';
import { edge, restored } from './forge.ts';

export const effect = (changed: Partial<EffectRecord> = {}): EffectRecord => ({
  callId: '1.1',
  tool: 'search',
  input: { q: 1 },
  key: 'key',
  status: 'succeeded',
  ...changed,
});

export const gating = (count = 1) => [e.stopped('action'), e.ended({ calls: count })];
export const running = (passes = 'r', effect: CallState['effect'] = 'unmarked') => [
  ...gating(passes.length),
  e.checked(passes, { effect }),
];
export const answering = [e.stopped('answer')];
export const proposed = [...answering, e.ended({ answer: 'yes' })];
export const checks = { checksAnswer: true };

export const stops = edge([e.stopped('action')]);
export const thinks = edge([e.ended({ violation: 'no_step' })]);
export const cuts = edge([e.truncated()]);
export const reads = edge(gating());
export const starts = edge(running());
export const startsLast = edge(running('e'));
export const settles = edge([...running(), e.settled()]);
export const empties = edge([...running(), Object.assign({}, e.settled(), { empty: true })]);
export const fails = edge([...running(), e.settled(1, 'failed')]);
export const nextStarts = edge([...running('rr'), e.settled()]);
export const oneOfTwo = edge([...running('rr', 'readOnly'), e.settled()]);
/** Asks again for a reply that broke off, behind the label of an action. */
export const retries = edge([e.stopped('action'), e.brokeOff()], { modelRetries: 1 });
export const spent = { steps: 1, toolCalls: 2, tokens: e.tokens(4) };
/** An agent ran as the tool. */
export const nested = edge([...running(), Object.assign({}, e.settled(), { spent })]);
export const asks = edge(running('a'));
export const grants = edge([...running('a'), e.granted()]);
export const denies = edge([...running('a'), e.denied()]);
export const answers = edge([...answering, e.ended({ answer: 'yes' })]);
export const accepts = edge([...proposed, e.accepted()], checks);
export const rejects = edge([...proposed, e.rejected()], checks);
export const endsByTool = edge([...running('e'), e.settled()]);
export const aborts = edge([...running(), e.aborted()]);
export const dropped = edge([...running(), e.settled(2)]);
export const afterEnd = edge([e.aborted(), e.settled()]);
export const takenUp = restored(stops);
