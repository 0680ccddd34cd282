/** A calculator for agents: exact where decimals are exact, bounded, and without any evaluation of code. */
import type { Tool } from '../src/core/tool.ts';
import { calculate } from './arithmetic.ts';

/** Returns the result as text, such as `51`; an expression that cannot be calculated is a thrown Error that says why. */
export const calculator: Tool<{ readonly expression: string }, string> = {
  description:
    'Calculates an arithmetic expression and returns the result. Operators: + - * / % (remainder) ** (power). ' +
    'Functions: sqrt, abs, round(x, places), floor, ceil, min, max, ln, log10, exp, sin, cos, tan (radians), pow. ' +
    'Constants: pi, e. Example: (23.5 * 6 + 12) / 3',
  inputSchema: {
    type: 'object',
    properties: {
      expression: { type: 'string', description: 'Such as (23.5 * 6 + 12) / 3. At most 1,000 characters.' },
    },
    required: ['expression'],
    additionalProperties: false,
  },
  readOnly: true,
  execute: ({ expression }) => calculate(expression),
};
