/** What a soak found, as text. Pure. */
import { faultKinds } from './faults.ts';
import type { Difference, Progress, Soaked } from './soak.ts';

export function progressLine({ tally, requests, openSockets, different, leftMs }: Progress): string {
  const left = Math.max(0, Math.ceil(leftMs / 1_000));
  return [
    `${tally.runs()} runs`,
    `${tally.steps()} steps`,
    `${requests} requests`,
    `${openSockets} sockets`,
    different === 0 ? 'none differs' : `${different} differ`,
    `${left} s left`,
  ].join(' · ');
}

/** What is not as it should be; nothing where all is. */
export function problemsOf({ differences, sockets, memory, handles, tally, interrupted }: Soaked): readonly string[] {
  return [
    ...(differences === 0 ? [] : [`${differences} runs did not end as their scripts imply`]),
    ...(sockets.most <= sockets.bound ? [] : [`${sockets.most} sockets were open, and ${sockets.bound} may be`]),
    ...(sockets.left === 0 ? [] : [`${sockets.left} sockets are still open`]),
    ...(memory.flat === false ? [`memory grows by ${megabytes(memory.slope)} a slice`] : []),
    ...(handles.length === 0 ? [] : [`handles are left: ${handles.join(', ')}`]),
    ...(tally.runs() > 0 || interrupted ? [] : ['no run came to its end: give it more seconds']),
  ];
}

export function reportOf(soaked: Soaked, { seed }: { readonly seed: number }): string {
  const { tally, requests, sockets, memory, shown, interrupted, handles } = soaked;
  const faulty = [...soaked.faults.values()].reduce((sum, count) => sum + count, 0);
  const problems = problemsOf(soaked);
  return [
    ...shown.map((difference) => differenceText(difference)),
    `${tally.runs()} runs, ${tally.steps()} steps, ${requests} requests, ${faulty} of them with a fault (seed ${seed})`,
    '',
    'Faults',
    ...faultKinds.map((kind) => line(kind, soaked.faults.get(kind) ?? 0)),
    '',
    'Outcomes',
    ...[...tally.endings].sort().map(([reason, count]) => line(reason, count)),
    '',
    'Tries that failed, by step',
    ...tally.tries.flatMap(({ made, failed }, at) =>
      made === 0 ? [] : [line(`step ${at + 1}`, `${percent(failed / made)} of ${made}`)],
    ),
    '',
    line('a step, p50', `${tally.quantile(0.5).toFixed(0)} ms`),
    line('a step, p95', `${tally.quantile(0.95).toFixed(0)} ms`),
    line('open sockets', `${sockets.most} at most, of ${sockets.bound} allowed; ${sockets.left} at the end`),
    line('heap', `${megabytes(memory.first)} warm, ${megabytes(memory.last)} at the end; ${flatness(memory.flat)}`),
    line('handles left', handles.length),
    '',
    ...problems.map((problem) => `Not as it should be: ${problem}.`),
    ...(interrupted ? ['Interrupted: this is what was seen until then.'] : []),
    ...(problems.length === 0 ? ['Every run that ended did so as its script implies.'] : []),
  ].join('\n');
}

function flatness(flat: boolean | null): string {
  if (flat === null) return 'too short to tell whether it is flat';
  return flat ? 'flat' : 'not flat';
}

function differenceText({ script, wrong, trace }: Difference): string {
  const { id, seed, lane, intents, faults } = script;
  const met = faults.flatMap((kind, request) => (kind === null ? [] : [`request ${request + 1}: ${kind}`]));
  return [
    `Run ${id} (seed ${seed}) differs. ${lane.name}`,
    ...wrong.map((each) => `  ${each}`),
    `  intents: ${intents.join(', ')}`,
    `  faults: ${met.join('; ') || 'none'}`,
    ...trace.map((event) => `  ${JSON.stringify(event)}`.slice(0, 600)),
    '',
  ].join('\n');
}

function line(what: string, said: string | number): string {
  return `  ${what.padEnd(36)}${said}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
