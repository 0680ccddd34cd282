/** A question that models get wrong in their heads. Every date and figure of the answer comes from the clock tool. */
import { clockTool } from '../../../tools/clock.ts';
import type { Clock } from '../../core/clock.ts';
import type { ModelRequest } from '../../core/model.ts';
import { answerText, type Demo, demoModel, lastObservation, stepText } from './demo.ts';

/** `toolClock` is the clock that knows the date. Default: the clock of the machine. */
export function dateDemoWith(toolClock?: Pick<Clock, 'wallMs'>): Demo {
  return {
    name: 'date',
    task: 'How many days from today to the first of next month?',
    tools: { clock: clockTool(toolClock === undefined ? {} : { clock: toolClock }) },
    model: (clock) => demoModel('date-demo', replies, clock),
  };
}

export const dateDemo: Demo = dateDemoWith();

const replies = [
  stepText('I need the date first; I do not know it myself.', 'clock', { operation: 'today' }),
  askForFirst,
  askForDays,
  conclude,
];

function askForFirst(request: ModelRequest): string {
  const { today } = datesIn(request);
  return stepText(`Today is ${today}. The clock also knows when the next month begins.`, 'clock', {
    operation: 'firstOfNextMonth',
    from: today,
  });
}

function askForDays(request: ModelRequest): string {
  const { today, first } = datesIn(request);
  return stepText(`The next month begins on ${first}. Now I count the days between the two.`, 'clock', {
    operation: 'daysBetween',
    from: today,
    to: first,
  });
}

function conclude(request: ModelRequest): string {
  const { today, first } = datesIn(request);
  const days = /"?days"?\s*:\s*(-?\d+)/.exec(lastObservation(request))?.[1] ?? 'an unknown number of';
  return answerText(
    'The clock has counted the days.',
    `From today (${today}) to the first of next month (${first}): ${days} ${days === '1' ? 'day' : 'days'}.`,
  );
}

/** The dates in what the loop told the model, in order. The task holds none, so that the first is today. */
function datesIn(request: ModelRequest): { readonly today: string; readonly first: string } {
  const told = request.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const [today = 'today', first = 'today'] = told.join('\n').match(/\d{4}-\d{2}-\d{2}/g) ?? [];
  return { today, first };
}
