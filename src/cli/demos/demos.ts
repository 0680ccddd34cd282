/** The demonstrations by name, and the scripted model for a task. */
import { readExpression } from '../../../tools/arithmetic-text.ts';
import type { Clock } from '../../core/clock.ts';
import type { Model } from '../../core/model.ts';
import { scriptedModel } from '../../models/scripted.ts';
import { calculatorDemo, calculatorModel } from './calculator.ts';
import { dateDemo } from './date.ts';
import type { Demo } from './demo.ts';
import { incidentDemo } from './incident.ts';
import { rollbackDemo } from './rollback.ts';

export const demos: readonly Demo[] = Object.freeze([incidentDemo, calculatorDemo, dateDemo, rollbackDemo]);

export function demoNamed(name: string): Demo | undefined {
  return demos.find((demo) => demo.name === name);
}

/** The demo with this task, white space and case aside. */
export function demoOf(task: string): Demo | undefined {
  return demos.find((demo) => spelled(demo.task) === spelled(task));
}

/**
 * The scripted model of a task: that of the demo with this task, or the calculator's for an arithmetic expression. Any
 * other task gets a model whose every reply is `failed` (`refused`) and says how to use a real one.
 */
export function demoModelFor(task: string, clock: Clock): Model {
  const demo = demoOf(task);
  if (demo !== undefined) return demo.model(clock);
  return isArithmetic(task) ? calculatorModel(task.trim(), clock) : unscripted;
}

/** Whether a scripted model knows the task. */
export function isScripted(task: string): boolean {
  return demoOf(task) !== undefined || isArithmetic(task);
}

function spelled(task: string): string {
  return task.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function isArithmetic(task: string): boolean {
  try {
    return /[-+*/%(]/.test(readExpression(task).text);
  } catch {
    return false;
  }
}

/** Written out, because a script has an end and this model says the same as often as it is asked. */
const unscripted: Model = {
  provider: 'scripted',
  name: 'demos',
  generate: (request) =>
    scriptedModel([
      {
        failure: {
          failure: 'refused',
          message: `This is a scripted model. It knows only the tasks of its ${demos.length} demos (${demos.map(({ name }) => name).join(', ')}) and arithmetic expressions, and this task is none of them.`,
          hint: 'Configure a real model: set OPENAI_API_KEY (and OPENAI_BASE_URL and FUSELOOP_MODEL for another server or model), or start Ollama on 127.0.0.1:11434. Or run one of the demos.',
        },
      },
    ]).generate(request),
};
