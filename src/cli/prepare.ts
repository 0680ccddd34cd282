/** All that must be known before a run begins: task, model, tools. What cannot be used is misuse. */
import { calculator, clockTool } from '../../tools/shipped.ts';
import type { Model } from '../core/model.ts';
import type { ToolRecord } from '../core/tool.ts';
import { nearestName } from '../dispatch/nearest.ts';
import { demoClock } from './demo-pace.ts';
import type { Demo } from './demos/demo.ts';
import { demoModelFor, demoOf } from './demos/demos.ts';
import { readEnvironment } from './environment.ts';
import { type FoundModel, findModel } from './find-model.ts';
import type { AgentFlags, RunFlags } from './flags.ts';
import { loadTools } from './load-tools.ts';
import { misuse } from './misuse.ts';
import { findOllama } from './ollama.ts';
import { readTask } from './read-task.ts';

export interface Prepared {
  readonly task: string;
  readonly model: Model;
  readonly tools: ToolRecord;
  readonly found: FoundModel;
}

export async function prepare(
  flags: AgentFlags & Pick<RunFlags, 'task'>,
  stdin: AsyncIterable<Uint8Array>,
): Promise<Prepared> {
  const environment = readEnvironment();
  const tools = flags.tools === undefined ? undefined : await loadTools(flags.tools);
  const found = await findModel(flags, environment, { ollama: () => findOllama(environment.OLLAMA_HOST) });
  if (found.model === null && flags.dialect !== undefined && flags.dialect !== 'labelled')
    throw misuse(
      `--dialect is ${flags.dialect}, and the scripted model writes labelled only.`,
      'Leave --dialect out, or configure a real model: set OPENAI_API_KEY, or start Ollama.',
    );
  const task = await taskOf(flags.task, stdin);
  // A scripted model calls the tools of its own demonstration.
  const demo = 'from' in flags.task ? (found.model === null ? demoOf(task) : undefined) : flags.task;
  const all = tools ?? toolsOf(demo);
  checkPolicy(flags.policy, Object.keys(all));
  return { task, tools: all, model: found.model ?? scriptedModel(demo, task), found };
}

function checkPolicy(policy: RunFlags['policy'], tools: readonly string[]): void {
  const named = typeof policy === 'object' ? policy.allow : null;
  if (named?.length === 0)
    throw misuse(
      '--policy allow: names no tool.',
      `The tools are: ${tools.join(', ')}. Name those that run unasked: --policy allow:${tools[0] ?? 'NAME'}; or --policy ask to be asked about each that does more than read.`,
    );
  const unknown = named?.find((name) => !tools.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, tools);
  throw misuse(
    `--policy allows ${JSON.stringify(unknown)}, which is no tool.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
    `The tools are: ${tools.join(', ')}.`,
  );
}

async function taskOf(task: RunFlags['task'], stdin: AsyncIterable<Uint8Array>): Promise<string> {
  if (!('from' in task)) return task.task;
  return task.from === 'stdin' ? readTask(stdin) : task.text;
}

function toolsOf(demo: Demo | undefined): ToolRecord {
  return demo?.tools ?? { calculator, clock: clockTool() };
}

function scriptedModel(demo: Demo | undefined, task: string): Model {
  const clock = demoClock(process.env.FUSELOOP_DEMO_PACE);
  return demo?.model(clock) ?? demoModelFor(task, clock);
}
