/** Plays one run over as many processes as it takes: each dies where it is told, and the last one comes to the end. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report, StoreKind, Task } from './child.ts';
import type { Kill } from './kill.ts';
import type { Plant } from './plants.ts';
import { type EffectLine, effectsIn } from './scripted-run.ts';

export interface Trial {
  readonly kind: StoreKind;
  /** One a process, in order; behind the last comes one that is left alone. */
  readonly kills: readonly Kill[];
  readonly plant?: Plant;
}

export interface Played {
  readonly report: Report;
  readonly effects: readonly EffectLine[];
  /** Processes that were killed. The others came to the end first. */
  readonly killed: number;
  /** From when the last process goes on with the run to its end, in milliseconds. */
  readonly lastMs: number;
}

type Life = Pick<Played, 'report' | 'lastMs'>;

/** Throws Error where a process fails or hangs. */
export async function play({ kind, kills, plant }: Trial, child: string, signal?: AbortSignal): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'fuseloop-crash-'));
  const effects = join(folder, 'effects.jsonl');
  const path = join(folder, kind === 'file' ? 'runs' : 'runs.db');
  try {
    let killed = 0;
    for (const kill of [...kills, null]) {
      const life = await oneLife({ kind, path, effects, kill, plant: plant ?? null }, child, signal);
      if (life !== null) return { ...life, effects: effectsIn(effects), killed };
      killed++;
    }
    throw new Error('The last process was killed, and nobody was to kill it.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A process that lives so long hangs. */
const hangsMs = 60_000;

/** What a process came to; null where it was killed. */
function oneLife(task: Task, child: string, signal?: AbortSignal): Promise<Life | null> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const env = { ...process.env, NODE_ENV: 'test' };
    const born = spawn(process.execPath, [child, JSON.stringify(task)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { out: '', error: '', hangs: false, begunMs: 0 };
    const timers: NodeJS.Timeout[] = [];
    const kill = () => born.kill('SIGKILL');
    const hang = () => {
      said.hangs = true;
      kill();
    };
    timers.push(setTimeout(hang, hangsMs));
    signal?.addEventListener('abort', kill);
    born.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (said.out === '') {
        said.begunMs = performance.now();
        if (task.kill?.at === 'outside') timers.push(setTimeout(kill, task.kill.afterMs));
      }
      said.out += text;
    });
    born.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.error += text;
    });
    born.on('error', reject);
    born.on('close', (code, by) => {
      timers.forEach(clearTimeout);
      signal?.removeEventListener('abort', kill);
      try {
        signal?.throwIfAborted();
        resolve(by === 'SIGKILL' && task.kill !== null && !said.hangs ? null : lifeOf(said, code ?? by));
      } catch (thrown) {
        reject(thrown);
      }
    });
  });
}

interface Said {
  readonly out: string;
  readonly error: string;
  readonly hangs: boolean;
  readonly begunMs: number;
}

function lifeOf({ out, error, hangs, begunMs }: Said, end: number | string | null): Life {
  const last = out.trim().split('\n').at(-1) ?? '';
  if (hangs) throw new Error(`A process did not end within ${hangsMs} ms; it said ${last.slice(0, 300)}`);
  if (end !== 0 || !last.startsWith('{'))
    throw new Error(`A process ended with ${end}: ${error.trim().slice(0, 1_500)}`);
  const report: Report = JSON.parse(last);
  return { report, lastMs: performance.now() - begunMs };
}
