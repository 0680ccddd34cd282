/** For a phone: from the top down, with the ways back in the margins. */
import type { Chart, Label, StateBox, WayId } from './chart.ts';
import { arrow, boxOf, type Points, type Sizes, wayOf } from './draw.ts';

const sizes: Sizes = { outer: 15, inner: 13, way: 12 };

const box = (name: string, kind: StateBox['kind'], ...place: [number, number, number, number]) =>
  boxOf(name, kind, place, sizes);
const way = (id: WayId, points: Points, ...label: [number, number, Label['anchor']]) => wayOf(id, points, label, sizes);

export const tallChart: Chart = {
  width: 360,
  height: 780,
  start: {
    x: 70,
    y: 30,
    radius: 7,
    ...arrow([
      [74, 36],
      [120, 96],
    ]),
  },
  states: [
    box('FINAL', 'final', 135, 12, 90, 36),
    box('OBSERVATION', 'door', 100, 96, 160, 46),
    box('THOUGHT', 'outer', 36, 204, 288, 216),
    box('ACTION', 'outer', 36, 470, 288, 226),
    box('ERROR', 'error', 115, 734, 130, 36),
    box('THOUGHT.reasoning', 'inner', 92, 244, 100, 34),
    box('THOUGHT.calling', 'inner', 52, 362, 92, 34),
    box('THOUGHT.answering', 'inner', 216, 362, 92, 34),
    box('ACTION.gating', 'inner', 52, 510, 92, 34),
    box('ACTION.checkingAnswer', 'inner', 182, 510, 126, 34),
    box('ACTION.running', 'inner', 52, 624, 92, 34),
    box('ACTION.awaitingApproval', 'inner', 182, 624, 126, 34),
  ],
  ways: [
    way(
      'think',
      [
        [142, 142],
        [142, 244],
      ],
      136,
      178,
      'end',
    ),
    way(
      'answered',
      [
        [180, 96],
        [180, 48],
      ],
      188,
      76,
      'start',
    ),
    way(
      'stopped',
      [
        [100, 119],
        [-10, 130],
        [-24, 752],
        [115, 752],
      ],
      20,
      168,
      'start',
    ),
    way(
      'call',
      [
        [128, 278],
        [128, 320],
        [98, 320],
        [98, 362],
      ],
      100,
      318,
      'end',
    ),
    way(
      'answer',
      [
        [160, 278],
        [164, 330],
        [262, 310],
        [262, 362],
      ],
      240,
      312,
      'start',
    ),
    way(
      'answerInstead',
      [
        [144, 379],
        [216, 379],
      ],
      180,
      372,
      'middle',
    ),
    way(
      'tryAgain',
      [
        [324, 270],
        [300, 261],
        [230, 261],
        [192, 261],
      ],
      258,
      252,
      'middle',
    ),
    way(
      'judgeReply',
      [
        [226, 204],
        [226, 142],
      ],
      234,
      178,
      'start',
    ),
    way(
      'failReply',
      [
        [324, 380],
        [352, 392],
        [352, 752],
        [245, 752],
      ],
      352,
      440,
      'end',
    ),
    way(
      'gate',
      [
        [98, 396],
        [98, 510],
      ],
      104,
      450,
      'start',
    ),
    way(
      'check',
      [
        [262, 396],
        [262, 510],
      ],
      256,
      450,
      'end',
    ),
    way(
      'run',
      [
        [98, 544],
        [98, 624],
      ],
      92,
      590,
      'end',
    ),
    way(
      'ask',
      [
        [134, 544],
        [136, 590],
        [206, 580],
        [210, 624],
      ],
      200,
      586,
      'start',
    ),
    way(
      'runNext',
      [
        [62, 658],
        [62, 690],
        [120, 690],
        [120, 658],
      ],
      90,
      690,
      'middle',
    ),
    way(
      'askNext',
      [
        [144, 634],
        [182, 634],
      ],
      163,
      622,
      'middle',
    ),
    way(
      'approve',
      [
        [182, 648],
        [144, 648],
      ],
      163,
      668,
      'middle',
    ),
    way(
      'observe',
      [
        [324, 490],
        [372, 470],
        [372, 130],
        [260, 119],
      ],
      290,
      150,
      'start',
    ),
    way(
      'abort',
      [
        [180, 696],
        [180, 734],
      ],
      188,
      720,
      'start',
    ),
  ],
};
