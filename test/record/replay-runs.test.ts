/** Property: whatever a run was, its trace replays without a difference. */
import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { TraceEvent } from '../../src/index.ts';
import { replayTrace } from '../../src/record.ts';
import { playRun, runScripts } from '../../src/verify/fuzz-runs.ts';
import { simulatedDialect } from '../../src/verify/simulation-dialects.ts';
import { playSimulation } from '../../src/verify/simulation-play.ts';
import { simulationScripts } from '../../src/verify/simulation-script.ts';

test.prop([runScripts(fc)], { numRuns: 150 })(
  'the trace of a random run replays without a difference',
  async (script) => {
    const { events } = await playRun(script, null);
    const { differences, agreed, compared } = await replayTrace(events);
    expect(differences).toEqual([]);
    expect(agreed).toBe(compared);
  },
);

test.prop([simulationScripts(fc)], { numRuns: 150 })(
  'also of a run that everything was against, over several processes',
  async (script) => {
    const { trace } = await playSimulation(script);
    fc.pre(trace.every(isWhole));
    const dialect = simulatedDialect(script.dialect);
    const { differences, agreed, compared } = await replayTrace(trace, { dialect, unfinished: true });
    expect(differences).toEqual([]);
    expect(agreed).toBe(compared);
  },
);

/** What brought a defect about, and how often a tool may be called, are not in a trace: the latter is given with the tools. */
function isWhole(event: TraceEvent): boolean {
  if (event.type === 'calls.checked') return event.verdicts.every(({ gate }) => gate !== 'rateLimit');
  if (event.type === 'call.settled' && event.observation.includes('it is called too often')) return false;
  return event.type !== 'machine.failed' && !('waiting' in event);
}
