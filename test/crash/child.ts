/**
 * One process of the matrix: begins the run, or takes it up again by its id, decides what a person is asked, and goes on to
 * the end, unless it dies first. Says on its output that the run goes on, and in the end what came of it.
 */
import type { Message } from '../../src/core/model.ts';
import type { JournalLine } from '../../src/core/store.ts';
import type { Outcome, Run } from '../../src/index.ts';
import { fileStore, memoryStore, type Store, sqliteStore } from '../../src/store.ts';
import { createLife, type Kill } from './kill.ts';
import { type Plant, plants } from './plants.ts';
import { isAllowed, runId, scriptedRun, task } from './scripted-run.ts';

export type StoreKind = 'file' | 'sqlite';

export interface Task {
  readonly kind: StoreKind;
  readonly path: string;
  readonly effects: string;
  readonly kill: Kill | null;
  readonly plant: Plant | null;
}

export interface Report {
  readonly outcome: Outcome;
  /** Of the last request. */
  readonly messages: readonly Message[];
  /** What was found: nothing, a run to go on with, or one that had come to its end. */
  readonly found: 'nothing' | 'run' | 'end';
  /** How often the run was suspended in this process. */
  readonly suspended: number;
  /** What the store says of it afterwards. */
  readonly status: string;
  readonly lines: number;
  readonly calls: number;
}

if (process.argv[2] !== undefined) {
  const given: Task = JSON.parse(process.argv[2]);
  const report = await live(given);
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

async function live({ kind, path, effects, kill, plant }: Task): Promise<Report> {
  const life = createLife(kill);
  const disk = kind === 'file' ? fileStore(path) : sqliteStore(path);
  const stored = await disk.read(runId);
  process.stdout.write('begun\n');
  const isOver = stored !== null && endOf(stored) !== -1;
  const store = isOver ? await beforeItsEnd(stored) : life.mortal(plant === null ? disk : plants[plant](disk));
  const going = { store, effects, life };
  let suspended = 0;
  let went = await goOn({ ...going, isNew: stored === null });
  for (; went.outcome.stopReason === 'suspended'; suspended++) went = await goOn({ ...going, isNew: false });
  // One that is over comes with its outcome from the store; what the model was shown is seen by going to the end again.
  if (isOver) went = { ...(await goOn({ ...going, store: disk, isNew: false })), messages: went.messages };
  const status = (await disk.list()).map((run) => `${run.status} ${run.stopReason}`).join();
  await disk.close();
  const found = stored === null ? 'nothing' : isOver ? 'end' : 'run';
  return { ...went, found, suspended, status, ...life.count() };
}

interface Going {
  readonly store: Store;
  readonly effects: string;
  readonly life: ReturnType<typeof createLife>;
  readonly isNew: boolean;
}

/** Where it is new nobody is there to ask, so that it is suspended once. */
async function goOn({ store, effects, life, isNew }: Going): Promise<Pick<Report, 'outcome' | 'messages'>> {
  let run: Run | null = null;
  let hasEnded = false;
  const { agent, model } = scriptedRun({
    store,
    effects,
    life,
    onEvent({ type }) {
      hasEnded ||= type === 'run.ended';
      if (type === 'approval.asked' || type === 'run.resumed') setImmediate(() => hasEnded || decide(run));
    },
  });
  run = isNew ? agent.start(task, { runId, attended: false }) : await agent.resume(runId);
  const outcome = await run.outcome;
  return { outcome, messages: model.requests.at(-1)?.messages ?? [] };
}

function decide(run: Run | null): void {
  if (run === null) throw new Error('A person is asked about a run that nobody holds.');
  for (const { callId, input, status } of run.snapshot().context.calls) {
    if (status !== 'asking') continue;
    if (isAllowed(input)) run.approve(callId, { by: 'Ada' });
    else run.deny(callId, 'Nobody wants that.', { by: 'Ada' });
  }
}

/** Where the run reached its answer; -1 where it has none. */
function endOf(lines: readonly JournalLine[]): number {
  return lines.findIndex((line) => line.type !== 'checkpoint' && line.state === 'FINAL');
}

/** The run as it was right before its answer, in memory: the same model gives the same answer, and no tool is left to run. */
async function beforeItsEnd(lines: readonly JournalLine[]): Promise<Store> {
  const store = memoryStore();
  const held = await store.open(runId);
  await held.append(lines.slice(0, endOf(lines)));
  await held.release();
  return store;
}
