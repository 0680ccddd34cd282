/** For a phone: from the top down, what fails in the left margin, and what was observed in the right one. */
import type { Chart, Label, StateBox, WayId } from './chart.ts';
import { arrow, boxOf, type Sizes, wayOf } from './draw.ts';

const sizes: Sizes = { outer: 15, inner: 13, way: 12 };

const box = (name: string, kind: StateBox['kind'], ...place: [number, number, number, number]) =>
  boxOf(name, kind, place, sizes);
const way = (id: WayId, points: string, ...label: [number, number, Label['anchor']]) => wayOf(id, points, label, sizes);

export const tallChart: Chart = {
  width: 440,
  height: 754,
  start: {
    x: 70,
    y: 30,
    radius: 7,
    ...arrow('70,37 70,100 130,100'),
  },
  states: [
    box('FINAL', 'final', 175, 12, 90, 36),
    box('OBSERVATION', 'door', 130, 84, 180, 48),
    box('THOUGHT', 'outer', 40, 186, 360, 200),
    box('ACTION', 'outer', 40, 430, 360, 246),
    box('ERROR', 'error', 190, 706, 130, 36),
    box('THOUGHT.reasoning', 'inner', 160, 222, 120, 34),
    box('THOUGHT.calling', 'inner', 54, 330, 92, 34),
    box('THOUGHT.answering', 'inner', 294, 330, 92, 34),
    box('ACTION.gating', 'inner', 54, 470, 92, 34),
    box('ACTION.checkingAnswer', 'inner', 242, 470, 144, 34),
    box('ACTION.running', 'inner', 54, 590, 92, 34),
    box('ACTION.awaitingApproval', 'inner', 234, 590, 152, 34),
  ],
  ways: [
    way('think', '200,132 200,222', 194, 172, 'end'),
    way('answered', '220,84 220,48', 228, 70, 'start'),
    way('stopped', '130,120 12,120 12,732 190,732', 20, 150, 'start'),
    way('call', '180,256 180,290 100,290 100,330', 172, 283, 'end'),
    way('answer', '260,256 260,290 340,290 340,330', 268, 283, 'start'),
    way('answerInstead', '146,347 294,347', 220, 340, 'middle'),
    way('tryAgain', '400,239 280,239', 340, 232, 'middle'),
    way('judgeReply', '240,186 240,132', 248, 162, 'start'),
    way('failReply', '40,340 26,340 26,718 190,718', 33, 711, 'start'),
    way('gate', '134,364 134,470', 141, 412, 'start'),
    way('check', '370,364 370,470', 363, 412, 'end'),
    way('run', '80,504 80,590', 87, 552, 'start'),
    way('ask', '146,487 200,487 200,545 314,545 314,590', 207, 538, 'start'),
    way('runNext', '70,624 70,646 120,646 120,624', 60, 664, 'start'),
    way('askNext', '146,600 234,600', 190, 581, 'middle'),
    way('approve', '234,614 146,614', 190, 640, 'middle'),
    way('observe', '400,560 428,560 428,108 310,108', 369, 101, 'middle'),
    way('abort', '255,676 255,706', 262, 695, 'start'),
  ],
};
