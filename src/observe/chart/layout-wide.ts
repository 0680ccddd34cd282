/** For a screen: THOUGHT on the left and ACTION on the right of the line from OBSERVATION to ERROR. */
import type { Chart, Label, StateBox, WayId } from './chart.ts';
import { arrow, boxOf, type Points, type Sizes, wayOf } from './draw.ts';

const sizes: Sizes = { outer: 17, inner: 15, way: 13 };

const box = (name: string, kind: StateBox['kind'], ...place: [number, number, number, number]) =>
  boxOf(name, kind, place, sizes);
const way = (id: WayId, points: Points, ...label: [number, number, Label['anchor']]) => wayOf(id, points, label, sizes);

export const wideChart: Chart = {
  width: 1000,
  height: 500,
  start: {
    x: 276,
    y: 46,
    radius: 8,
    ...arrow([
      [284, 46],
      [390, 46],
    ]),
  },
  states: [
    box('OBSERVATION', 'door', 390, 24, 220, 62),
    box('FINAL', 'final', 750, 24, 120, 44),
    box('THOUGHT', 'outer', 40, 160, 350, 234),
    box('ACTION', 'outer', 610, 160, 350, 234),
    box('ERROR', 'error', 420, 430, 160, 46),
    box('THOUGHT.reasoning', 'inner', 60, 272, 106, 38),
    box('THOUGHT.calling', 'inner', 268, 218, 102, 38),
    box('THOUGHT.answering', 'inner', 268, 330, 102, 38),
    box('ACTION.gating', 'inner', 630, 218, 84, 38),
    box('ACTION.checkingAnswer', 'inner', 630, 330, 130, 38),
    box('ACTION.running', 'inner', 800, 218, 142, 38),
    box('ACTION.awaitingApproval', 'inner', 800, 330, 142, 38),
  ],
  ways: [
    way(
      'think',
      [
        [390, 68],
        [250, 72],
        [146, 140],
        [142, 272],
      ],
      202,
      110,
      'end',
    ),
    way(
      'answered',
      [
        [610, 46],
        [750, 46],
      ],
      680,
      38,
      'middle',
    ),
    way(
      'stopped',
      [
        [500, 86],
        [500, 430],
      ],
      500,
      196,
      'middle',
    ),
    way(
      'call',
      [
        [166, 284],
        [210, 276],
        [220, 240],
        [268, 237],
      ],
      216,
      252,
      'middle',
    ),
    way(
      'answer',
      [
        [166, 298],
        [210, 306],
        [220, 346],
        [268, 349],
      ],
      216,
      338,
      'middle',
    ),
    way(
      'answerInstead',
      [
        [319, 256],
        [319, 330],
      ],
      326,
      298,
      'start',
    ),
    way(
      'tryAgain',
      [
        [40, 350],
        [-4, 356],
        [10, 296],
        [60, 294],
      ],
      60,
      372,
      'start',
    ),
    way(
      'judgeReply',
      [
        [330, 160],
        [332, 118],
        [428, 140],
        [432, 86],
      ],
      318,
      128,
      'end',
    ),
    way(
      'failReply',
      [
        [215, 394],
        [218, 450],
        [320, 454],
        [420, 454],
      ],
      240,
      460,
      'end',
    ),
    way(
      'gate',
      [
        [370, 237],
        [630, 237],
      ],
      446,
      230,
      'middle',
    ),
    way(
      'check',
      [
        [370, 349],
        [630, 349],
      ],
      446,
      342,
      'middle',
    ),
    way(
      'run',
      [
        [714, 231],
        [800, 231],
      ],
      757,
      224,
      'middle',
    ),
    way(
      'ask',
      [
        [714, 246],
        [760, 252],
        [756, 340],
        [800, 345],
      ],
      754,
      300,
      'end',
    ),
    way(
      'runNext',
      [
        [846, 218],
        [842, 180],
        [904, 180],
        [900, 218],
      ],
      910,
      200,
      'start',
    ),
    way(
      'askNext',
      [
        [838, 256],
        [838, 330],
      ],
      838,
      298,
      'middle',
    ),
    way(
      'approve',
      [
        [906, 330],
        [906, 256],
      ],
      906,
      298,
      'middle',
    ),
    way(
      'observe',
      [
        [670, 160],
        [668, 118],
        [572, 140],
        [568, 86],
      ],
      682,
      128,
      'start',
    ),
    way(
      'abort',
      [
        [785, 394],
        [782, 450],
        [680, 454],
        [580, 454],
      ],
      760,
      460,
      'start',
    ),
  ],
};
