/**
 * A chart as one SVG file: light and dark as the reader's screen is, with nothing to download, and no script. Works where
 * SVG is only an image, as in a README. Pure.
 */
import type { Chart, Label, StateBox, Way } from './chart.ts';

const title = 'The machine of fuseloop';
const description =
  'A run begins at OBSERVATION, the one door. OBSERVATION leads to FINAL where there is an answer, to ERROR where a fuse, a loop or a ' +
  'budget ends the run, and otherwise to THOUGHT, which reads one reply: reasoning, calling, answering. Calls lead to ACTION: gating, ' +
  'running, awaitingApproval; an answer that is to be checked to checkingAnswer. ACTION and THOUGHT lead back to OBSERVATION. An abort ' +
  'and the deadline lead to ERROR from anywhere.';

const style = `
  svg { --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --line: #818b98; --edge: #d1d9e0; --outer: #f6f8fa; --inner: #ffffff;
    --door: #0969da; --final: #1a7f37; --error: #cf222e; --on: #ffffff; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --line: #7d8590; --edge: #3d444d; --outer: #151b23; --inner: #0d1117;
      --door: #1f6feb; --final: #238636; --error: #da3633; --on: #ffffff; }
  }
  text { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: var(--ink); }
  .paper { fill: var(--paper); }
  .outer rect { fill: var(--outer); stroke: var(--edge); }
  .inner rect { fill: var(--inner); stroke: var(--edge); }
  .door rect { fill: var(--door); } .final rect { fill: var(--final); } .error rect { fill: var(--error); }
  .outer text, .door text, .final text, .error text { font-weight: 600; letter-spacing: 0.04em; }
  .door text, .final text, .error text { fill: var(--on); }
  .line { fill: none; stroke: var(--line); stroke-width: 1.5; }
  .head, .start { fill: var(--line); }
  .word { fill: var(--faint); stroke: var(--behind, var(--paper)); stroke-width: 5; stroke-linejoin: round; paint-order: stroke; }
  .inside { --behind: var(--outer); }
`.trim();

export function svgOf(chart: Chart): string {
  const { width, height, states, ways, start } = chart;
  const outer = states.filter(({ kind }) => kind === 'outer');
  const others = states.filter(({ kind }) => kind !== 'outer');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${title}</title>`,
    `<desc id="desc">${description}</desc>`,
    `<style>${style}</style>`,
    `<rect class="paper" width="${width}" height="${height}" rx="12"/>`,
    ...outer.map(stateOf),
    `<circle class="start" cx="${start.x}" cy="${start.y}" r="${start.radius}"/>`,
    arrowOf(start),
    ...ways.map(arrowOf),
    ...others.map(stateOf),
    ...ways.map((way) => wordOf(way, outer)),
    '</svg>',
    '',
  ].join('\n');
}

function stateOf({ kind, x, y, width, height, label }: StateBox): string {
  const place = `x="${x}" y="${y}" width="${width}" height="${height}"`;
  return `<g class="${kind}"><rect ${place} rx="${kind === 'outer' ? 14 : 9}"/>${textOf(label, '')}</g>`;
}

function arrowOf({ line, head }: Pick<Way, 'line' | 'head'>): string {
  return `<path class="line" d="${line}"/><path class="head" d="${head}"/>`;
}

/** The words stand on the colour of what is behind them, so that a line does not go through them. */
function wordOf({ label }: Way, outer: readonly StateBox[]): string {
  const inside = outer.some(
    ({ x, y, width, height }) => label.x >= x && label.x <= x + width && label.y > y && label.y < y + height,
  );
  return textOf(label, inside ? 'word inside' : 'word');
}

function textOf({ text, x, y, anchor, size }: Label, kind: string): string {
  const classed = kind === '' ? '' : ` class="${kind}"`;
  return `<text${classed} x="${tenth(x)}" y="${tenth(y)}" font-size="${size}" text-anchor="${anchor}">${text}</text>`;
}

function tenth(length: number): number {
  return Math.round(length * 10) / 10;
}
