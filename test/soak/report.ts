/** What a soak found, as text. Pure. */
import { faultKinds } from './faults.ts';
import type { KeptVerdict, StoreSize } from './keeping.ts';
import { flatness, kilobytes, line, megabytes, percent } from './lines.ts';
import type { Difference, Progress, Soaked } from './soak.ts';

export function progressLine({ tally, requests, openSockets, different, lines, leftMs }: Progress): string {
  const left = Math.max(0, Math.ceil(leftMs / 1_000));
  return [
    `${tally.runs()} runs`,
    `${tally.steps()} steps`,
    `${requests} requests`,
    `${openSockets} sockets`,
    ...(lines === null ? [] : [`${lines} lines stored`]),
    different === 0 ? 'none differs' : `${different} differ`,
    `${left} s left`,
  ].join(' · ');
}

/** What is not as it should be; nothing where all is. */
export function problemsOf({
  differences,
  sockets,
  memory,
  kept,
  handles,
  tally,
  interrupted,
}: Soaked): readonly string[] {
  return [
    ...(differences === 0 ? [] : [`${differences} runs did not end as their scripts imply`]),
    ...(sockets.most <= sockets.bound ? [] : [`${sockets.most} sockets were open, and ${sockets.bound} may be`]),
    ...(sockets.left === 0 ? [] : [`${sockets.left} sockets are still open`]),
    ...(memory.flat === false ? [`memory grows by ${megabytes(memory.slope)} a slice`] : []),
    ...(kept === null ? [] : storeProblems(kept)),
    ...(handles.length === 0 ? [] : [`handles are left: ${handles.join(', ')}`]),
    ...(tally.runs() > 0 || interrupted ? [] : ['no run came to its end: give it more seconds']),
  ];
}

export function reportOf(soaked: Soaked, { seed }: { readonly seed: number }): string {
  const { tally, requests, sockets, memory, kept, takenUp, shown, interrupted, handles } = soaked;
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
    ...(kept === null ? [] : ['', 'Store', ...storeLines(kept, takenUp)]),
    '',
    ...problems.map((problem) => `Not as it should be: ${problem}.`),
    ...(interrupted ? ['Interrupted: this is what was seen until then.'] : []),
    ...(problems.length === 0 ? ['Every run that ended did so as its script implies.'] : []),
  ].join('\n');
}

/** What the store holds on the disk beside its runs: a log of the database, a lock for each run that goes on. */
const besideRuns = { share: 2, bytes: 16 * 1024 * 1024 };

function storeProblems({ bytesPerRun, most, strays, left }: KeptVerdict): readonly string[] {
  return [
    ...(bytesPerRun.flat === false ? [`the store grows by ${bytesPerRun.slope.toFixed(0)} bytes a run and slice`] : []),
    ...(most.onDisk <= besideRuns.share * most.bytes + besideRuns.bytes
      ? []
      : [`${megabytes(most.onDisk)} are on the disk for ${megabytes(most.bytes)} of runs`]),
    ...(strays.length === 0 ? [] : [`runs were stored that should not be: ${strays.join(', ')}`]),
    ...(left.length === 0 ? [] : [`the store was not empty at the end: ${left.join(', ')}`]),
  ];
}

function storeLines(kept: KeptVerdict, takenUp: number): readonly string[] {
  const { kind, first, middle, last, most, bytesPerRun, waits } = kept;
  const sizeOf = ({ runs, onDisk }: StoreSize) => `${megabytes(onDisk)} for ${runs} runs`;
  return [
    line('kind', kind),
    line('taken up again by id', takenUp),
    line('durable lines', `${kept.lines}, ${kept.linesPerSecond.toFixed(0)} a second`),
    line('until durable, p50', `${waits.quantile(0.5).toFixed(0)} ms`),
    line('until durable, p95', `${waits.quantile(0.95).toFixed(0)} ms`),
    line('pruned', `${kept.pruned} runs`),
    line('size, first', sizeOf(first)),
    line('size, middle', sizeOf(middle)),
    line('size, last', sizeOf(last)),
    line('size, at most', sizeOf(most)),
    line(
      'bytes for each run that may be there',
      `${kilobytes(bytesPerRun.first)} warm, ${kilobytes(bytesPerRun.last)} at the end; ${flatness(bytesPerRun.flat)}`,
    ),
    line('left when all was pruned', kept.left.length),
  ];
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
