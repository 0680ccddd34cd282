/** The tools of a simulation, and the ledger of what they really did, which no crash erases. */
import { messageOf } from '../core/message-of.ts';
import type { AnyTool, ToolCallOptions, ToolRecord } from '../core/tool.ts';
import { type ToolBehaviour, toolOf } from './arbitrary-tool.ts';
import type { Life } from './simulation-life.ts';
import { type SimulationScript, simulatedTools } from './simulation-script.ts';

export interface Execution {
  readonly tool: keyof typeof simulatedTools;
  readonly callId: string;
  readonly idempotencyKey: string;
  /** As text. */
  readonly input: string;
  /** Whether its process was told what came of it. */
  settled: boolean;
}

const calm: ToolBehaviour = { does: 'returns', afterMs: 0, value: 'calm' };

/** `executions` is appended to over all lives; the script's behaviours are taken in the order of executions. */
export function simulatedToolRecord(script: SimulationScript, life: Life, executions: Execution[]): ToolRecord {
  const tools = toolNames.map((name): [string, AnyTool] => {
    const marks = simulatedTools[name];
    const execute = (input: never, options: never) =>
      executed(script, life, executions, name, { input, options: checkedOptions(options) });
    return [name, { description: name, inputSchema: { type: 'object', properties: {} }, ...marks, execute }];
  });
  return Object.fromEntries(tools);
}

const toolNames = Object.keys(simulatedTools).filter((name): name is keyof typeof simulatedTools =>
  Object.hasOwn(simulatedTools, name),
);

interface Asked {
  readonly input: unknown;
  readonly options: ToolCallOptions;
}

function executed(
  script: SimulationScript,
  life: Life,
  executions: Execution[],
  tool: Execution['tool'],
  { input, options }: Asked,
): unknown {
  if (life.dead()) return new Promise(() => {}); // the process is gone: nothing is begun
  const { toolCallId: callId, idempotencyKey } = options;
  const execution: Execution = { tool, callId, idempotencyKey, input: shown(input), settled: false };
  const behaviour = script.tools[executions.push(execution) - 1] ?? calm;
  const settle = () => {
    execution.settled = !life.dead();
  };
  const result = attempt(() => perform(behaviour, life, input, options), settle);
  if (!(result instanceof Promise)) return result;
  result.then(settle, settle);
  return life.while(result);
}

function perform(behaviour: ToolBehaviour, life: Life, input: unknown, options: ToolCallOptions): unknown {
  const made = toolOf(behaviour, life.world);
  return Reflect.apply(made.execute ?? missing, made, [input, options]);
}

/** What settles at once has settled, also where it throws. */
function attempt(work: () => unknown, settle: () => void): unknown {
  try {
    const result = work();
    if (!(result instanceof Promise)) settle();
    return result;
  } catch (thrown) {
    settle();
    throw thrown;
  }
}

function missing(): never {
  throw new Error('The tool has no execute.');
}

function shown(input: unknown): string {
  try {
    return JSON.stringify(input) ?? 'nothing';
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** Tools are handed `never`; what they are really given is the loop's own options. */
function checkedOptions(options: object): ToolCallOptions {
  if (isOptions(options)) return options;
  throw new Error('A tool was called without its options.');
}

function isOptions(options: object): options is ToolCallOptions {
  return 'toolCallId' in options && 'idempotencyKey' in options && 'abortSignal' in options;
}
