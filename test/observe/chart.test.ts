/** The chart has every way of the machine and no other, and can be read: nothing covers a word or leaves the picture. */
import { describe, expect, it } from 'vitest';
import type { AnyStateNode } from 'xstate';
import { createReactMachine } from '../../machines/react.machine.ts';
import { type Chart, type Label, type WayId, wordsOfWays } from '../../src/observe/chart/chart.ts';
import { charts } from '../../src/observe/chart/layout.ts';
import { svgOf } from '../../src/observe/chart/svg.ts';
import { chinese } from '../../src/page/texts/chinese.ts';

const { root } = createReactMachine();

interface Box {
  readonly what: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type Words = { readonly [Id in WayId]: string };

/** In a picture by itself, and in the page: in its languages, with the largest count. */
const wordings: readonly (readonly [name: string, words: Words, count: string])[] = [
  ['as it is drawn', wordsOfWays, ''],
  ['with counts', wordsOfWays, ' 1,000×'],
  ['in Chinese, with counts', chinese.words.ways, ' 1,000×'],
];
const cases = Object.values(charts).flatMap((chart) =>
  wordings.map(
    ([name, words, count]) => [`${chart.width} × ${chart.height} ${name}`, worded(chart, words, count)] as const,
  ),
);

describe.each(cases)('the chart %s', (_name, chart) => {
  const words = [...chart.states, ...chart.ways].map(({ label }) => boxOfText(label));
  const states = chart.states.map(({ name, x, y, width, height }) => boxAt(name, x, y, width, height));

  it('has every transition of the machine, and no other', () => {
    expect(chart.ways.flatMap(({ moves }) => moves).toSorted()).toEqual(movesOfMachine());
    expect(new Set(chart.ways.map(({ id }) => id)).size).toBe(chart.ways.length);
  });

  it('has every state of the machine, and each inner one stands in its own', () => {
    expect(states.map(({ what }) => what).toSorted()).toEqual(nodesUnder(root).map(nameOf).toSorted());
    for (const inner of states.filter(({ what }) => what.includes('.')))
      expect(states.filter((other) => other !== inner && holds(other, inner)).map(({ what }) => what)).toEqual([
        inner.what.split('.')[0],
      ]);
  });

  it('has no word on a word, on the edge of a box, or outside', () => {
    const picture = boxAt('the picture', 0, 0, chart.width, chart.height);
    const pairs = words.flatMap((one, index) =>
      [
        ...words.slice(index + 1).filter((other) => meet(one, other)),
        ...states.filter((state) => meet(one, state) && !holds(state, one)),
        ...(holds(picture, one) ? [] : [picture]),
      ].map((other) => `${one.what} | ${other.what}`),
    );
    expect(pairs).toEqual([]);
  });

  it('has no line through a word of another, or through a state it does not lead to', () => {
    const problems = chart.ways.flatMap(({ id, line, head, label, moves }) => {
      const own = new Set(moves.flatMap((move) => move.split(' > ')));
      const foreign = [
        ...words.filter(({ what }) => what !== boxOfText(label).what),
        ...states.filter(
          ({ what }) => !own.has(what) && !chart.states.some((box) => box.kind === 'outer' && box.name === what),
        ),
      ];
      const points = [...pointsOf(line), ...pointsOf(head).slice(0, 1)];
      return foreign.filter((box) => crosses(points, box)).map(({ what }) => `${id} | ${what}`);
    });
    expect(problems).toEqual([]);
  });

  it('has lines that begin and end at the states they join', () => {
    for (const { id, line, head, moves } of chart.ways) {
      const [first] = pointsOf(line);
      const [tip] = pointsOf(head);
      const [from, to] = (moves[0] ?? '').split(' > ');
      const outer = moves.length > 1 ? from?.split('.')[0] : from;
      expect([id, touches(boxNamed(chart, outer), first), touches(boxNamed(chart, to), tip)]).toEqual([id, true, true]);
    }
  });

  it('is an SVG that carries its own title, and asks for nothing', () => {
    const svg = svgOf(chart);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
    expect(svg).toMatch(/<title id="title">[^<]+<\/title>\n<desc id="desc">[^<]+<\/desc>/);
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|<script|foreignObject|url\(|@import|href/,
    );
    for (const { label } of [...chart.states, ...chart.ways]) expect(svg).toContain(`>${label.text}</text>`);
  });
});

function worded(chart: Chart, words: Words, count: string): Chart {
  const ways = chart.ways.map((way) => ({ ...way, label: { ...way.label, text: `${words[way.id]}${count}` } }));
  return { ...chart, ways };
}

/** From each innermost state that a transition holds for, to the innermost one that it leads to. */
function movesOfMachine(): readonly string[] {
  const moves = [root, ...nodesUnder(root)].flatMap((node) =>
    [...[...node.transitions.values()].flat(), ...(node.always ?? [])].flatMap(({ target }) =>
      (target ?? []).flatMap((to: AnyStateNode) =>
        leavesOf(node)
          .filter(({ type }) => type !== 'final')
          .map((from) => `${nameOf(from)} > ${nameOf(firstIn(to))}`),
      ),
    ),
  );
  return [...new Set(moves)].toSorted();
}

function nodesUnder(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states).flatMap((child) => [child, ...nodesUnder(child)]);
}

function leavesOf(node: AnyStateNode): readonly AnyStateNode[] {
  const inner = Object.values(node.states);
  return inner.length === 0 ? [node] : inner.flatMap(leavesOf);
}

function firstIn(node: AnyStateNode): AnyStateNode {
  const first = Object.keys(node.states).length === 0 ? undefined : node.initial.target[0];
  return first === undefined ? node : firstIn(first);
}

function nameOf({ path }: AnyStateNode): string {
  return path.join('.');
}

function boxAt(what: string, left: number, top: number, width: number, height: number): Box {
  return { what, left, top, right: left + width, bottom: top + height };
}

/** As wide as the widest usual font has it; capitals are bold and spaced, and a Chinese sign is as wide as it is high. */
function boxOfText({ text, x, y, anchor, size }: Label): Box {
  const letter = /^[A-Z]+$/.test(text) ? 0.82 : 0.6;
  const widthOf = (sign: string) => (/[ ·]/.test(sign) ? 0.35 : /\p{Script=Han}/u.test(sign) ? 1 : letter);
  const width = [...text].reduce((sum, sign) => sum + size * widthOf(sign), 0);
  const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
  return boxAt(`"${text}" at ${x}, ${y}`, left, y - size * 0.8, width, size);
}

function boxNamed({ states }: Chart, name: string | undefined): Box | null {
  const found = states.find((state) => state.name === name);
  return found === undefined ? null : boxAt(found.name, found.x, found.y, found.width, found.height);
}

function meet(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function holds(outer: Box, inner: Box): boolean {
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  );
}

type Point = readonly [number, number];

function pointsOf(path: string): readonly Point[] {
  return [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** All lines run along the axes; round corners lie within the box of their three points. */
function crosses(points: readonly Point[], box: Box): boolean {
  return points.slice(1).some(([x, y], index) => {
    const [beforeX, beforeY] = points[index] ?? [x, y];
    const left = Math.min(x, beforeX);
    const top = Math.min(y, beforeY);
    return meet(boxAt('', left - 0.5, top - 0.5, Math.abs(x - beforeX) + 1, Math.abs(y - beforeY) + 1), box);
  });
}

function touches(box: Box | null, point: Point | undefined): boolean {
  if (box === null || point === undefined) return false;
  const [x, y] = point;
  const isWithin = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  return isWithin && [x - box.left, box.right - x, y - box.top, box.bottom - y].some((distance) => distance === 0);
}
