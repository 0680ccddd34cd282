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
  const middle: Label = { text, size, x: x + width / 2, y: tenth(y + height / 2 + size * 0.35), anchor: 'middle' };
  const corner: Label = { text, size, x: x + size, y: tenth(y + size * 1.6), anchor: 'start' };
  return { name, kind, x, y, width, height, label: kind === 'outer' ? corner : middle };
}

/** `points`: as `points` of SVG's polyline. `label`: where its baseline is. */
export function wayOf(
  id: WayId,
  points: string,
  [x, y, anchor]: readonly [number, number, Label['anchor']],
  { way: size }: Sizes,
): Way {
  return { id, moves: movesOfWays[id], ...arrow(points), label: { text: wordsOfWays[id], x, y, anchor, size } };
}

const headLength = 9;
const headWidth = 8;
const cornerRadius = 12;

/** Straight from point to point, round at the corners. It ends within the head, so that its blunt end does not show. */
export function arrow(through: string): Pick<Way, 'line' | 'head'> {
  const points = through.split(' ').map(pointOf);
  const tip = points.at(-1) ?? [0, 0];
  const back = points.at(-2) ?? tip;
  const corners = points.slice(1, -1).map((corner, index) => round(points[index] ?? corner, corner, points[index + 2]));
  const [left, right] = [-headWidth / 2, headWidth / 2].map((aside) => text(towards(tip, back, headLength, aside)));
  return {
    line: [`M ${text(points[0] ?? tip)}`, ...corners, `L ${text(towards(tip, back, headLength - 2))}`].join(' '),
    head: `M ${text(tip)} L ${left} L ${right} Z`,
  };
}

function pointOf(written: string): Point {
  const [x = 0, y = 0] = written.split(',').map(Number);
  return [x, y];
}

function round(before: Point, corner: Point, after: Point = corner): string {
  const radius = Math.min(cornerRadius, distance(before, corner) / 2, distance(corner, after) / 2);
  return `L ${text(towards(corner, before, radius))} Q ${text(corner)} ${text(towards(corner, after, radius))}`;
}

/** So far from one point in the direction of another, and so far to the side. */
function towards([x, y]: Point, to: Point, length: number, aside = 0): Point {
  const whole = distance([x, y], to);
  const [alongX, alongY] = [(to[0] - x) / whole, (to[1] - y) / whole];
  return [x + alongX * length - alongY * aside, y + alongY * length + alongX * aside];
}

function distance([x, y]: Point, [otherX, otherY]: Point): number {
  return Math.hypot(otherX - x, otherY - y);
}

function text([x, y]: Point): string {
  return `${tenth(x)} ${tenth(y)}`;
}

function tenth(length: number): number {
  return Math.round(length * 10) / 10;
}
