/** Where each lane of the timeline is, in pixels from the top. */
import type { Lane } from './timeline-bars.ts';

export const rowHeight = 16;
/** Above each bar. */
export const padding = 3;

const betweenLanes = 6;
const numbersHeight = 12;
const ticksHeight = 18;

export const laneHeight = (rows: number): number => rows * rowHeight + betweenLanes;

export function topsOf(toolRows: number): { readonly [lane in Lane | 'axis' | 'height']: number } {
  const model = numbersHeight;
  const tools = model + laneHeight(1);
  const person = tools + laneHeight(toolRows);
  const axis = person + laneHeight(1);
  return { model, tools, person, axis, height: axis + ticksHeight };
}
