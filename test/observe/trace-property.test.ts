/** Whatever an observer does, the run is the same; and what it saw is read back from the file. Drawn runs on a virtual clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Observer, TraceEvent } from '../../src/core/trace.ts';
import { type TraceFile, type TraceFileOptions, traceFile } from '../../src/trace.ts';
import { act, answer, setup } from '../shell/setup.ts';
import { openIn } from '../support/open-files.ts';
import { readAll } from './read-all.ts';

const folder = mkdtempSync(join(tmpdir(), 'fuseloop-trace-'));
afterAll(() => {
  expect(openIn(folder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});
let files = 0;
const newPath = () => join(folder, `${++files}.jsonl`);

const script = fc.array(
  fc.constantFrom(act('look'), act('none'), act('look', { text: '\u001b[31m 号 \ud800' }), 'Just talk.', answer('42')),
  { maxLength: 6 },
);
/** Closed when the test is over: a file that nobody closes is closed by whoever collects garbage, with a warning. */
function openTrace(path: string, options: TraceFileOptions = {}): TraceFile {
  const file = traceFile(path, options);
  onTestFinished(async () => {
    await file.close();
  });
  return file;
}

const observers: readonly [string, () => Observer][] = [
  ['throws', () => () => Promise.reject(new Error('no'))],
  [
    'throws at once',
    () => () => {
      throw new Error('no');
    },
  ],
  ['never settles', () => () => new Promise(() => {})],
  [
    'changes its event',
    () => (event) => {
      for (const name of Object.keys(event)) Reflect.deleteProperty(event, name);
    },
  ],
  [
    'is slow',
    () => () => {
      for (const until = performance.now() + 2; performance.now() < until; );
    },
  ],
  ['writes to a full disk', () => openTrace('/dev/full').onEvent],
  ['writes to a folder', () => openTrace(folder).onEvent],
  ['writes where it may not', () => openTrace(join(folder, 'no', 'such', 'file')).onEvent],
  [
    'was closed early',
    () => {
      const file = traceFile(newPath());
      void file.close();
      return file.onEvent;
    },
  ],
  ['has room for one event', () => openTrace(newPath(), { maxQueuedEvents: 1 }).onEvent],
];

describe('no observer changes a run', () => {
  const play = async (replies: readonly string[], onEvent: Observer | null) => {
    const { agent, clock } = setup({
      replies: [...replies],
      agent: { onEvent: onEvent ?? [], budget: { maxSteps: 5 } },
    });
    const { runId: _, ...outcome } = await clock.until(agent.run('the task'));
    return {
      outcome: JSON.stringify(outcome).replaceAll(/"runId":"[^"]*"|"life":"[^"]*"/g, ''),
      endMs: clock.monotonicMs(),
    };
  };
  it.each(observers)('one that %s', async (_name, observer) => {
    await fc.assert(
      fc.asyncProperty(script, async (replies) => {
        expect(await play(replies, observer())).toEqual(await play(replies, null));
      }),
      { numRuns: 15 },
    );
  });
});

test.prop([script], { numRuns: 25 })(
  'what was seen is read back, also from a file that is cut anywhere',
  async (replies) => {
    const path = newPath();
    const file = traceFile(path);
    const events: TraceEvent[] = [];
    const { run: play } = setup({
      replies,
      agent: { onEvent: [(event) => void events.push(event), file.onEvent], budget: { maxSteps: 4 } },
    });
    await play();
    expect(await file.close()).toMatchObject({ events: events.length, dropped: 0, cut: 0, problem: null });
    expect(await readAll(path)).toEqual({
      events: JSON.parse(JSON.stringify(events)),
      notes: { torn: null, gap: null, dropped: 0, cut: 0, endless: null, isRecording: false },
    });
  },
);
