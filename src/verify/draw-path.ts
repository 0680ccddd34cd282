/** A counterexample as a picture: the states on the way down, and on each arrow the event and what it asked for. Pure. */
import type { Happening } from '../../machines/edge.ts';
import type { RunLimits } from '../core/snapshot.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Counterexample, PathStep } from './explore.ts';

/** Lines, without a line break at the end. The last state is the one in which the laws are broken. */
export function drawPath({ broken, limits, path }: Counterexample): string {
  const width = Math.max(...path.map(({ event }) => describeEvent(event).length));
  return [
    ...broken.map((law) => `broken   ${law}`),
    `budget   ${describeLimits(limits)}`,
    '',
    '  (begin)',
    ...path.flatMap((step, index) => drawStep(step, width, index === path.length - 1)),
  ].join('\n');
}

function drawStep({ event, state, commands }: PathStep, width: number, isLast: boolean): readonly string[] {
  const asks = commands.length === 0 ? '' : `  ⇒ ${commands.join(', ')}`;
  return [
    '     │',
    `     │ ${asks === '' ? describeEvent(event) : describeEvent(event).padEnd(width)}${asks}`,
    '     ▼',
    `  ${state}${isLast ? '   ✗ here' : ''}`,
  ];
}

/** The type, and what of its payload tells it from others of the type. */
function describeEvent(event: Happening): string {
  const told = detailsOf(event).filter((detail) => detail !== '');
  return told.length === 0 ? event.type : `${event.type} (${told.join(', ')})`;
}

function detailsOf(event: Happening): readonly string[] {
  switch (event.type) {
    case 'reply.stopped':
      return [event.stop, calls(event.calls.length), ...placeOf(event)];
    case 'reply.ended':
      return [
        event.answer === null ? '' : 'answer',
        calls(event.calls.length),
        event.violation ?? '',
        ...placeOf(event),
      ];
    case 'calls.checked':
      return [event.verdicts.map(describeVerdict).join(' + '), ...placeOf(event)];
    case 'call.settled':
      return [event.callId, event.result, `result ${event.resultKey}`, ...placeOf(event)];
    case 'approval.granted':
    case 'approval.denied':
      return [event.callId, ...placeOf(event)];
    case 'answer.accepted':
      return [JSON.stringify(event.answer), ...placeOf(event)];
    case 'run.started':
    case 'run.restored':
      return [];
    default:
      return placeOf(event);
  }
}

function describeVerdict({ callId, pass, effect, endsRun }: Verdict): string {
  return `${callId} ${pass} ${effect}${endsRun ? ' endsRun' : ''}`;
}

function calls(count: number): string {
  return count === 0 ? '' : `${count} ${count === 1 ? 'call' : 'calls'}`;
}

function placeOf(event: Happening): readonly string[] {
  const tokens = 'tokens' in event ? event.tokens.inputTokens + event.tokens.outputTokens : 0;
  return [
    'step' in event ? `step ${event.step}` : '',
    tokens === 0 ? '' : `${tokens} ${tokens === 1 ? 'token' : 'tokens'}`,
    'atMs' in event ? `at ${event.atMs} ms` : '',
  ];
}

function describeLimits(limits: RunLimits): string {
  const { loopGuard, maxEmptyResults, checksAnswer, ...counted } = limits;
  const counts = Object.entries(counted).map(([name, value]) => `${name} ${value}`);
  const guard = loopGuard === null ? 'loopGuard off' : `loopGuard ${Object.values(loopGuard).join('/')}`;
  const empty = `maxEmptyResults ${maxEmptyResults ?? 'off'}`;
  return [...counts, guard, empty, `checksAnswer ${checksAnswer}`].join(', ');
}
