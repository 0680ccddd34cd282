/** Boxes and arrows from a few numbers each. Pure. */
import { type Label, movesOfWays, type StateBox, type Way, type WayId, wordsOfWays } from './chart.ts';

type Point = readonly [x: number, y: number];

export interface Sizes {
  readonly outer: number;
  readonly inner: number;
  readonly way: number;
}

/** `place`: left, top, width, height. An outer state has its name in its corner, any other in its middle. */
export function boxOf(
  name: string,
  kind: StateBox['kind'],
  [x, y, width, height]: readonly [number, number, number, number],
  sizes: Sizes,
): StateBox {
  const text = name.split('.').at(-1) ?? name;
  const size = kind === 'inner' ? sizes.inner : sizes.outer;
  const middle: Label = { text, size, x: x + width / 2, y: y + height / 2 + size * 0.35, anchor: 'middle' };
  const corner: Label = { text, size, x: x + size, y: y + size * 1.6, anchor: 'start' };
  return { name, kind, x, y, width, height, label: kind === 'outer' ? corner : middle };
}

/** From the first point to the last: straight, or with two more between them as the handles of a curve. */
export type Points = readonly [Point, Point] | readonly [Point, Point, Point, Point];

/** `label`: where its baseline is. */
export function wayOf(
  id: WayId,
  points: Points,
  [x, y, anchor]: readonly [number, number, Label['anchor']],
  { way: size }: Sizes,
): Way {
  return { id, moves: movesOfWays[id], ...arrow(points), label: { text: wordsOfWays[id], x, y, anchor, size } };
}

const headLength = 9;
const headWidth = 8;

/** The line ends within the head, so that its blunt end does not show beside the tip. */
export function arrow(points: Points): Pick<Way, 'line' | 'head'> {
  const [start, ...rest] = points;
  const [tipX, tipY] = rest.at(-1) ?? start;
  const [backX, backY] = rest.at(-2) ?? start;
  const length = Math.hypot(tipX - backX, tipY - backY);
  const [alongX, alongY] = [(tipX - backX) / length, (tipY - backY) / length];
  const behind = (distance: number, aside: number): Point => [
    tipX - alongX * distance - alongY * aside,
    tipY - alongY * distance + alongX * aside,
  ];
  const through = [...rest.slice(0, -1), behind(headLength - 2, 0)].map(text).join(' ');
  const sides = [behind(headLength, headWidth / 2), behind(headLength, -headWidth / 2)].map(text);
  return {
    line: `M ${text(start)} ${rest.length === 1 ? 'L' : 'C'} ${through}`,
    head: `M ${text([tipX, tipY])} L ${sides.join(' L ')} Z`,
  };
}

function text([x, y]: Point): string {
  return `${tenth(x)} ${tenth(y)}`;
}

function tenth(length: number): number {
  return Math.round(length * 10) / 10;
}
