/** For a phone: from the top down, what fails in the left margin, and what was observed in the right one. */
import type { Chart, Label, StateBox, WayId } from './chart.ts';
import { arrow, boxOf, type Sizes, wayOf } from './draw.ts';

const sizes: Sizes = { outer: 15, inner: 13, way: 12 };

const box = (name: string, kind: StateBox['kind'], ...place: [number, number, number, number]) =>
  boxOf(name, kind, place, sizes);
const way = (id: WayId, points: string, ...label: [number, number, Label['anchor']]) => wayOf(id, points, label, sizes);

export const tallChart: Chart = {
  width: 360,
  height: 788,
  start: {
    x: 56,
    y: 30,
    radius: 7,
    ...arrow('56,37 56,108 100,108'),
  },
  states: [
    box('FINAL', 'final', 135, 12, 90, 36),
    box('OBSERVATION', 'door', 100, 94, 160, 48),
    box('THOUGHT', 'outer', 36, 204, 288, 216),
    box('ACTION', 'outer', 36, 476, 288, 228),
    box('ERROR', 'error', 115, 740, 130, 36),
    box('THOUGHT.reasoning', 'inner', 130, 246, 100, 34),
    box('THOUGHT.calling', 'inner', 52, 364, 92, 34),
    box('THOUGHT.answering', 'inner', 216, 364, 92, 34),
    box('ACTION.gating', 'inner', 52, 516, 92, 34),
    box('ACTION.checkingAnswer', 'inner', 168, 516, 144, 34),
    box('ACTION.running', 'inner', 52, 626, 80, 34),
    box('ACTION.awaitingApproval', 'inner', 168, 626, 144, 34),
  ],
  ways: [
    way('think', '152,142 152,246', 144, 190, 'end'),
    way('answered', '180,94 180,48', 188, 75, 'start'),
    way('stopped', '100,128 12,128 12,764 115,764', 20, 162, 'start'),
    way('call', '158,280 158,322 98,322 98,364', 150, 315, 'end'),
    way('answer', '202,280 202,322 262,322 262,364', 210, 315, 'start'),
    way('answerInstead', '144,381 216,381', 179, 374, 'middle'),
    way('tryAgain', '324,263 230,263', 278, 256, 'middle'),
    way('judgeReply', '188,204 188,142', 196, 178, 'start'),
    way('failReply', '36,390 24,390 24,750 115,750', 31, 440, 'start'),
    way('gate', '132,398 132,516', 138, 442, 'start'),
    way('check', '262,398 262,516', 256, 462, 'end'),
    way('run', '66,550 66,626', 73, 584, 'start'),
    way('ask', '144,533 158,533 158,590 240,590 240,626', 199, 582, 'middle'),
    way('runNext', '66,660 66,684 116,684 116,660', 124, 692, 'start'),
    way('askNext', '132,636 168,636', 150, 621, 'middle'),
    way('approve', '168,650 132,650', 150, 674, 'middle'),
    way('observe', '324,590 348,590 348,118 260,118', 304, 111, 'middle'),
    way('abort', '180,704 180,740', 188, 726, 'start'),
  ],
};
