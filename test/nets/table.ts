/** The bugs and what catches them, as Markdown. Pure. */
import { nets } from './bug.ts';
import { bugs } from './bugs.ts';

export function netsTable(): string {
  const rows = bugs.map(({ what, caughtBy }) => [what, ...nets.map((net) => (caughtBy.includes(net) ? '✓' : ''))]);
  const heads = ['planted', ...nets];
  return [heads, heads.map((_, index) => (index === 0 ? '---' : ':-:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}
