/** Plays one case from its beginning to its rest, and hands out what was seen. It judges nothing. */
import type { Outcome } from '../../src/index.ts';
import { checkBehaviour } from './behaviours.ts';
import { type PlannedEvent, planned } from './events.ts';
import { type Ending, endingOf, type Facts, noEnding } from './facts.ts';
import type { Case } from './format.ts';
import { gather } from './gather.ts';
import { httpSource, scriptedSource } from './model.ts';
import { perform } from './perform.ts';
import { beginRun, describe, isSuspended, resumeRun } from './process.ts';
import { scriptOf } from './replies.ts';
import { createSeen } from './seen.ts';
import { createSession, type How, type Process, type Session } from './session.ts';

export async function play(one: Case, how: How): Promise<Facts> {
  const { given } = one;
  const seen = createSeen();
  for (const { behaviour, value } of given.tools) checkBehaviour(behaviour, value);
  const source =
    given.http === undefined ? scriptedSource(scriptOf(one), given, seen) : await httpSource(given.http, seen);
  try {
    const session = createSession(one, seen, source, how);
    session.arrive = (is) => arrive(session, is);
    const prototypeBefore = prototypeNames();
    session.arrive(({ moment }) => moment.kind === 'beforeStart');
    beginRun(session);
    watchLive(session);
    const ending = await drive(session);
    const last = session.process;
    await observe(session, last);
    const secondResume = one.expect.secondResume === undefined ? null : await resumeAgain(session);
    for (const { at, do: what } of session.queue) seen.broken.push(`the event "${what}" at ${at} never came`);
    return await gather(session, {
      ending,
      secondResume,
      last,
      prototypeChanged: prototypeNames().filter((name) => !prototypeBefore.includes(name)),
    });
  } finally {
    await source.close();
  }
}

function prototypeNames(): readonly string[] {
  return [Object.prototype, Array.prototype, Function.prototype].flatMap((each) => Object.getOwnPropertyNames(each));
}

/** Events happen in their order: only the next one can, and only at its moment. */
function arrive(session: Session, is: (event: PlannedEvent) => boolean): void {
  for (let next = session.queue[0]; next !== undefined && is(next); next = session.queue[0]) {
    session.queue.shift();
    perform(session, next);
  }
}

/** Goes from rest to rest until nothing happens any more. */
async function drive(session: Session): Promise<Ending> {
  for (;;) {
    armWait(session);
    const { process } = session;
    if (process === null) return session.refused ?? noEnding;
    if (!(await process.clock.settles(process.rest))) return hang(session);
    const ending = await atRest(session, process);
    if (ending !== null && session.process === process) return ending;
  }
}

/** What follows from a rest: null where the case goes on. */
async function atRest(session: Session, process: Process): Promise<Ending | null> {
  if (session.process !== process) return null;
  if (!process.alive) {
    session.first ??= noEnding;
    return onlyLater(session, noEnding);
  }
  if (process.thrown !== null) {
    session.thrown = process.thrown;
    return noEnding;
  }
  if (process.outcome !== null) return afterOutcome(session, process.outcome);
  return isSuspended(process) ? atPause(session, process) : goOn(process);
}

function afterOutcome(session: Session, outcome: Outcome): Ending {
  const ending = endingOf(outcome);
  session.first ??= ending;
  if (ending.stopReason === 'suspended') onNext(session, 'suspended');
  return onlyLater(session, ending);
}

/** `later` and `end` come when nothing else does. */
function onlyLater(session: Session, ending: Ending): Ending {
  const { process } = session;
  const isLast = ({ moment }: PlannedEvent) => moment.kind === 'later' || moment.kind === 'end';
  while (session.process === process && session.queue[0] !== undefined && isLast(session.queue[0]))
    onNext(session, session.queue[0].moment.kind);
  return ending;
}

/** One event, so that what it brings about can be seen before the next. */
function onNext(session: Session, kind: string): boolean {
  const next = session.queue[0];
  if (next?.moment.kind !== kind) return false;
  session.arrive((event) => event === next);
  return true;
}

/** A run that is held waits for a person. Where nobody ever comes and the case says so, that is how it ends. */
async function atPause(session: Session, process: Process): Promise<Ending | null> {
  const pause: Ending = { ...noEnding, stopReason: 'suspended', hasSnapshot: true };
  session.first ??= pause;
  while (session.process === process && isSuspended(process)) {
    if (!onNext(session, 'suspended')) return nobodyComes(session, process, pause);
    await process.clock.calm();
  }
  return goOn(process);
}

function nobodyComes(session: Session, process: Process, pause: Ending): Ending | null {
  const { expect } = session.one;
  if (expect.stopReason === 'suspended' && session.queue.length === 0) return pause;
  const next = session.queue[0];
  if (next?.moment.kind === 'later') return onlyLater(session, pause);
  return goOn(process);
}

function goOn(process: Process): null {
  process.renew();
  return null;
}

function armWait(session: Session): void {
  const next = session.queue[0];
  if (next?.moment.kind !== 'wait' || session.process === null) return;
  const { process } = session;
  process.clock.setTimer(next.moment.afterMs, () => {
    if (process.alive) session.arrive((event) => event === next);
  });
}

function hang(session: Session): Ending {
  session.seen.stuck = true;
  session.seen.broken.push('the run hangs: nothing is left that could bring it on');
  return noEnding;
}

/** Late results, late effects and late rejections come now, if they come at all. */
async function observe({ one }: Session, process: Process | null): Promise<void> {
  if (process === null) return;
  const { observeMsAfterEnd } = one.expect;
  await process.clock.pass(observeMsAfterEnd ?? (process.clock.forAgent === null ? 20 : 10_000));
}

/** The same document once more, as a second worker would take it up, with the same decision about what waits. */
async function resumeAgain(session: Session): Promise<Ending> {
  if (session.firstKept === null) {
    session.seen.broken.push('there is no snapshot for a second resume');
    return noEnding;
  }
  session.refused = null;
  resumeRun(session, session.firstKept, {});
  const decides = session.one.given.events?.find(({ do: what }) => /approve|reject/.test(what));
  const { process } = session;
  if (decides !== undefined && process !== null && isSuspended(process)) {
    const again = /reject/.test(decides.do) ? 'reject' : 'approve';
    perform(session, planned({ ...decides, at: 'restored', do: again }));
  }
  return drive(session);
}

/** Reads the live events as they come, as a caller who streams does. */
function watchLive({ one, process, seen }: Session): void {
  const run = process?.run;
  if (one.given.stream !== true || !run || one.given.settings?.readOnly !== undefined) return;
  const read = async () => {
    let pieces = 0;
    for await (const event of run) pieces += event.type === 'reply.delta' ? 1 : 0;
    return pieces;
  };
  read().catch((thrown: unknown) => seen.broken.push(`reading the live events threw ${describe(thrown)}`));
}
