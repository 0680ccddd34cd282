/** What an audit counts: its last line. Pure. */
import type { AuditRecord, Decision } from '../observe/audit-record.ts';
import { grouped } from './flag-table.ts';

export interface Tally {
  add(record: AuditRecord): void;
  /** What the gates refused of what a person edited counts with what was asked about. Such as `3 calls: 1 run, 1 refused, 1 asked (1 approved, 0 denied) · 2 succeeded, 0 failed, 0 unknown`. */
  line(): string;
}

export function createTally(): Tally {
  const counts = new Map<Decision, number>();
  let refusedEdits = 0;
  const count = (decision: Decision) => counts.get(decision) ?? 0;
  const some = (decision: Decision) => `${grouped(count(decision))} ${decision}`;
  return {
    add({ decision, edited, late }) {
      if (late) return;
      if (decision === 'refused' && edited) refusedEdits++;
      else counts.set(decision, count(decision) + 1);
    },
    line() {
      const calls = count('run') + count('refused') + count('asked');
      const open = count('asked') - count('approved') - count('denied') - refusedEdits;
      const asked = [
        some('approved'),
        some('denied'),
        ...(refusedEdits > 0 ? [`${grouped(refusedEdits)} refused as edited`] : []),
        ...(open > 0 ? [`${grouped(open)} not decided`] : []),
      ].join(', ');
      const results = [some('succeeded'), some('failed'), some('unknown')];
      const more = (['unsettled', 'accepted', 'rejected'] as const).filter((decision) => count(decision) > 0).map(some);
      const gates = `${grouped(calls)} ${calls === 1 ? 'call' : 'calls'}: ${some('run')}, ${some('refused')}, ${some('asked')} (${asked})`;
      return `${gates} · ${[...results, ...more].join(', ')}`;
    },
  };
}
