/** The smallest demonstration: one call of the calculator, and an answer made from what it returned. */
import { calculator } from '../../../tools/calculator.ts';
import type { Clock } from '../../core/clock.ts';
import type { Model, ModelRequest } from '../../core/model.ts';
import { answerText, type Demo, demoModel, lastObservation, stepText } from './demo.ts';

const task = '(23.5 × 6 + 12) ÷ 3';

export const calculatorDemo: Demo = {
  name: 'calculator',
  task,
  tools: { calculator },
  model: (clock) => calculatorModel(task, clock),
};

/** Hands any expression to the tool; whether it can be calculated is the tool's to say. */
export function calculatorModel(expression: string, clock: Clock): Model {
  const call = stepText('I do not do arithmetic in my head; the calculator does it.', 'calculator', { expression });
  return demoModel('calculator-demo', [call, (request) => conclude(expression, request)], clock);
}

function conclude(expression: string, request: ModelRequest): string {
  const observation = lastObservation(request);
  const result = /^"?(-?\d[\d.]*(?:e[+-]?\d+)?)"?$/im.exec(observation)?.[1];
  return result === undefined
    ? answerText('The calculator gave no result.', `${expression} could not be calculated. ${observation}`)
    : answerText('The calculator gave the result.', `${expression} = ${result}`);
}
