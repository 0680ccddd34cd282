/**
 * A report as one page: no script, no request, charts as inline SVG. Texts of models and tools are never markup. Pure.
 */
import type { FailureCluster, Metrics } from './metrics.ts';
import { pageStyle } from './page-style.ts';
import { headline, type Mood, type Row, type Section, sectionsOf, subline, type Table } from './sections.ts';
import { counted, numberText } from './words.ts';

export function reportPage(metrics: Metrics): string {
  const { text, mood } = headline(metrics);
  const [rate = text, ...rest] = text.split(': ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(text)} · fuseloop report</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<header>
<p class="brand">fuseloop report</p>
<h1 class="${mood}">${escaped(rate)}${rest.length === 0 ? '' : `<small>${escaped(rest.join(': '))}</small>`}</h1>
${metrics.successRate === null ? '' : gauge(metrics.successRate, mood, text)}
<p class="sub">${escaped(subline(metrics))}</p>
</header>
${sectionsOf(metrics).map(sectionOf).join('\n')}
${failuresOf(metrics.failures)}
</main>
</body>
</html>
`;
}

function gauge(rate: number, mood: Mood, text: string): string {
  return `<svg class="gauge" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${escaped(text)}"><rect class="track" width="100" height="4"/><rect class="fill ${mood}" width="${figure(rate * 100)}" height="4"/></svg>`;
}

function sectionOf({ title, tables, sentences }: Section): string {
  const shown = tables.filter(({ rows }) => rows.length > 0).map(tableOf);
  const told = sentences.map((sentence) => `<p class="note">${escaped(sentence)}</p>`);
  return `<section><h2>${escaped(title)}</h2>${[...shown, ...told].join('\n')}</section>`;
}

function tableOf({ caption, columns, rows }: Table): string {
  const hasBars = rows.some(({ bar }) => bar !== null);
  const heads = columns.map((name) => (name === '' ? '<td></td>' : `<th scope="col">${escaped(name)}</th>`)).join('');
  const body = rows.map((row) => rowOf(row, hasBars)).join('\n');
  const bars = hasBars ? '<td class="bar"></td>' : '';
  // It may be wider than a phone, and is scrolled with the keyboard, too.
  return `<div class="wide" tabindex="0" role="region" aria-label="${escaped(caption)}"><table><caption>${escaped(caption)}</caption><thead><tr>${heads}${bars}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function rowOf({ cells: [name = '', ...cells], bar, mood }: Row, hasBars: boolean): string {
  const numbers = cells.map((cell) => `<td>${escaped(cell)}</td>`).join('');
  const drawn = hasBars ? `<td class="bar">${bar === null ? '' : barOf(bar, mood)}</td>` : '';
  return `<tr class="${mood}"><th scope="row">${escaped(name)}</th>${numbers}${drawn}</tr>`;
}

/** The number stands beside it. */
function barOf(share: number, mood: Mood): string {
  const width = share > 0 ? Math.max(1, Math.min(100, share * 100)) : 0;
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="fill ${mood}" width="${figure(width)}" height="10"/></svg>`;
}

const mostFailures = 20;

function failuresOf(failures: readonly FailureCluster[]): string {
  if (failures.length === 0) return '';
  const rest = failures.length - mostFailures;
  const more = rest > 0 ? `<p class="note">and ${escaped(counted(rest, 'further kind'))}: --json has all.</p>` : '';
  const items = failures.slice(0, mostFailures).map(failureOf).join('\n');
  return `<section><h2>Failures, by what is alike</h2><ol class="failures">${items}</ol>${more}</section>`;
}

function failureOf({ stopReason, what, runs, example }: FailureCluster): string {
  const { runId, file, step, message } = example;
  const at = `run ${runId}${step === null ? '' : `, step ${step}`}${file === null ? '' : ` · ${file}`}`;
  const look = file === null || file === '-' ? '' : `<p><code>fuseloop inspect ${escaped(file)}</code></p>`;
  return `<li><h3><span class="times">${numberText(runs)} ×</span> ${escaped(stopReason)}</h3>${
    what === '' || what === message ? '' : `<p class="what">${escaped(what)}</p>`
  }${message === '' ? '' : `<blockquote>${escaped(message)}</blockquote>`}<p class="note">${escaped(at)}</p>${look}</li>`;
}

function figure(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Characters that turn the direction of writing, and controls, are shown as what they are. */
function escaped(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
      .replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
  );
}
