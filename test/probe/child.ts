/**
 * One input in a process of its own: `child.ts ENGINE ROW`. Says `started`, then one line of JSON when the run has ended.
 * After that nothing of the probe keeps the process alive; before it, something does, so that a run which merely waits
 * is seen as a hang.
 */
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ending, Engine, ProbeInput, ProbeTool } from './engine.ts';
import { engineNamed } from './engines.ts';
import { rowNamed } from './rows.ts';

/** What the child says of its run. */
export interface Report {
  readonly ending: Ending;
  readonly modelCalls: number;
  readonly toolStarts: number;
  readonly elapsedMs: number;
  /** The most memory that the process ever had. */
  readonly peakMiB: number;
  /** Where `fuseloop` was loaded from. */
  readonly entry: string;
}

const [, , engineName = '', rowId = ''] = process.argv;
await report(engineNamed(engineName), rowNamed(rowId).input);

async function report(engine: Engine, input: ProbeInput): Promise<void> {
  const keepAlive = setInterval(() => {}, 60_000);
  const controller = new AbortController();
  const { counted, counts } = counting(input);
  say('started');
  const startMs = performance.now();
  const abortTimer =
    input.abortAfterMs === undefined ? undefined : setTimeout(() => controller.abort(), input.abortAfterMs);
  const ending = await engine.start(counted, controller.signal);
  const elapsedMs = performance.now() - startMs;
  clearTimeout(abortTimer);
  clearInterval(keepAlive);
  say(
    JSON.stringify({
      ending,
      ...counts,
      elapsedMs: Math.round(elapsedMs),
      peakMiB: peakMiB(),
      entry: entry(),
    } satisfies Report),
  );
}

/** The same input, with its model calls and tool starts counted where they happen. */
function counting(input: ProbeInput) {
  const counts = { modelCalls: 0, toolStarts: 0 };
  const countedTool = (tool: ProbeTool): ProbeTool => ({
    ...tool,
    run: (given) => {
      counts.toolStarts++;
      return tool.run(given);
    },
  });
  const counted: ProbeInput = {
    ...input,
    model: (call) => {
      counts.modelCalls++;
      return input.model(call);
    },
    tools: Object.fromEntries(Object.entries(input.tools).map(([name, tool]) => [name, countedTool(tool)])),
  };
  return { counted, counts };
}

function entry(): string {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return relative(root, fileURLToPath(import.meta.resolve('fuseloop'))).replaceAll('\\', '/');
}

function peakMiB(): number {
  return Math.round(process.resourceUsage().maxRSS / 1_024);
}

/** At once, also where the next thing never gives way. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
