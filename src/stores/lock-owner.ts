/**
 * Who holds a run, and whether that process is still there. A process is known by its id and the time at which it started,
 * as ids come again. Of one on another machine, or in another pid namespace, nobody here can tell: it counts as alive.
 */
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isJsonObject } from '../core/json.ts';
import { systemCode } from './disk.ts';
import { instance, isLiving } from './holds.ts';
import { parsedJson } from './journal-line.ts';

/** What is null, the system does not tell. */
export interface LockOwner {
  readonly pid: number;
  /** Clock ticks since the machine started, as `/proc` has it. */
  readonly startTime: string | null;
  readonly host: string;
  readonly pidNamespace: string | null;
  readonly bootId: string | null;
  /** Which of the threads of that process, as far as it is known. */
  readonly instance: string | null;
}

/** Somebody who holds a run. */
export interface Holder {
  /** Such as `process 4711 on this machine`. */
  readonly words: string;
  /** Whether it was seen to be alive, and not only cannot be told. */
  readonly isSeen: boolean;
}

let known: Promise<LockOwner> | null = null;

/** This process. */
export function ownerHere(): Promise<LockOwner> {
  known ??= findOwner();
  return known;
}

async function findOwner(): Promise<LockOwner> {
  const [stat, pidNamespace, bootId] = await Promise.all([
    statOf(process.pid),
    readlink('/proc/self/ns/pid').catch(() => null),
    textIfAny('/proc/sys/kernel/random/boot_id'),
  ]);
  const startTime = stat?.startTime ?? null;
  return { pid: process.pid, startTime, host: hostname(), pidNamespace, bootId: bootId?.trim() ?? null, instance };
}

/** The owner that a lock file names; null where it names none, as when its writer was killed half-way. */
export function readOwner(text: string): LockOwner | null {
  const value = parsedJson(text);
  return isOwner(value) ? value : null;
}

function isOwner(value: unknown): value is LockOwner {
  if (!isJsonObject(value) || typeof value.host !== 'string') return false;
  // Of 0 and below, a signal goes to many processes.
  if (typeof value.pid !== 'number' || !Number.isSafeInteger(value.pid) || value.pid <= 0) return false;
  const { startTime, pidNamespace, bootId, instance } = value;
  return [startTime, pidNamespace, bootId, instance].every((one) => one === null || typeof one === 'string');
}

/** Null where the owner is dead, and so holds nothing, or has let this hold go. */
export async function holderOf(owner: LockOwner | null, hold: string | null): Promise<Holder | null> {
  if (owner === null) return { words: 'somebody unknown', isSeen: false };
  if (owner.instance === instance) return isLiving(hold) ? { words: 'this process', isSeen: true } : null;
  const here = await ownerHere();
  if (owner.host !== here.host) return { words: `process ${owner.pid} on ${owner.host}`, isSeen: false };
  if (differ(owner.bootId, here.bootId)) return null; // The machine was started anew.
  if (owner.pidNamespace !== here.pidNamespace)
    return { words: `process ${owner.pid} in another container of this machine`, isSeen: false };
  if (!(await isAlive(owner))) return null;
  const isSelf = owner.pid === here.pid;
  return { words: isSelf ? 'this process' : `process ${owner.pid} on this machine`, isSeen: true };
}

function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}

async function isAlive({ pid, startTime }: LockOwner): Promise<boolean> {
  if (!isThere(pid)) return false;
  const stat = await statOf(pid);
  if (stat === null) return isThere(pid); // No /proc, or gone just now.
  return !differ(stat.startTime, startTime) && !stat.isDead;
}

export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return systemCode(thrown) !== 'ESRCH'; // EPERM: somebody else's.
  }
}

interface ProcessStat {
  readonly startTime: string;
  /** It only waits for its parent to look at it, and none of its threads is left that could still write. */
  readonly isDead: boolean;
}

/** proc_pid_stat(5). The name of the program, in brackets, may hold anything; the third field follows the last bracket. */
async function statOf(pid: number): Promise<ProcessStat | null> {
  const text = await textIfAny(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, threads, startTime] = [fields[0] ?? '', Number(fields[17]), fields[19]];
  return startTime === undefined ? null : { startTime, isDead: state === 'X' || (state === 'Z' && threads <= 1) };
}

async function textIfAny(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}
