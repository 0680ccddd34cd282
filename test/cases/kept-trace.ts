/** The trace of a case as a file of bounded length, where the case asks for one. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Observer } from '../../src/core/trace.ts';
import { traceFile } from '../../src/trace.ts';
import type { Case } from './format.ts';

export interface KeptTrace {
  readonly onEvent: Observer;
  /** Closes it: its lines, and what was wrong with it. Once. */
  end(): Promise<{ readonly lines: readonly string[]; readonly problem: string | null }>;
}

export function keepTrace({ given }: Case): KeptTrace | null {
  const maxEvents = given.trace?.maxEvents;
  if (maxEvents === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), 'fuseloop-case-'));
  const path = join(folder, 'trace.jsonl');
  const file = traceFile(path, { maxEvents });
  return {
    onEvent: file.onEvent,
    async end() {
      const { problem } = await file.close();
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      rmSync(folder, { recursive: true });
      return { lines, problem: problem?.message ?? null };
    },
  };
}
