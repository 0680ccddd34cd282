/** For a screen: THOUGHT on the left and ACTION on the right of the line from OBSERVATION to ERROR. */
import type { Chart, Label, StateBox, WayId } from './chart.ts';
import { arrow, boxOf, type Sizes, wayOf } from './draw.ts';

const sizes: Sizes = { outer: 17, inner: 15, way: 13 };

const box = (name: string, kind: StateBox['kind'], ...place: [number, number, number, number]) =>
  boxOf(name, kind, place, sizes);
const way = (id: WayId, points: string, ...label: [number, number, Label['anchor']]) => wayOf(id, points, label, sizes);

export const wideChart: Chart = {
  width: 1000,
  height: 490,
  start: {
    x: 272,
    y: 40,
    radius: 8,
    ...arrow('280,40 390,40'),
  },
  states: [
    box('OBSERVATION', 'door', 390, 20, 220, 64),
    box('FINAL', 'final', 720, 18, 120, 44),
    box('THOUGHT', 'outer', 30, 158, 360, 234),
    box('ACTION', 'outer', 610, 158, 360, 234),
    box('ERROR', 'error', 420, 428, 160, 46),
    box('THOUGHT.reasoning', 'inner', 92, 272, 108, 38),
    box('THOUGHT.calling', 'inner', 276, 218, 96, 38),
    box('THOUGHT.answering', 'inner', 276, 328, 96, 38),
    box('ACTION.gating', 'inner', 628, 218, 84, 38),
    box('ACTION.checkingAnswer', 'inner', 628, 328, 140, 38),
    box('ACTION.running', 'inner', 806, 218, 148, 38),
    box('ACTION.awaitingApproval', 'inner', 806, 328, 148, 38),
  ],
  ways: [
    way('think', '390,66 172,66 172,272', 280, 84, 'middle'),
    way('answered', '610,40 720,40', 665, 32, 'middle'),
    way('stopped', '500,84 500,428', 500, 190, 'middle'),
    way('call', '200,284 236,284 236,237 276,237', 228, 256, 'end'),
    way('answer', '200,298 236,298 236,347 276,347', 228, 334, 'end'),
    way('answerInstead', '324,256 324,328', 332, 297, 'start'),
    way('tryAgain', '126,392 126,310', 118, 366, 'end'),
    way('judgeReply', '334,158 334,122 432,122 432,84', 344, 142, 'start'),
    way('failReply', '210,392 210,451 420,451', 315, 442, 'middle'),
    way('gate', '372,237 628,237', 446, 229, 'middle'),
    way('check', '372,347 628,347', 446, 339, 'middle'),
    way('run', '712,231 806,231', 757, 223, 'middle'),
    way('ask', '712,245 784,245 784,347 806,347', 776, 297, 'end'),
    way('runNext', '842,218 842,192 918,192 918,218', 834, 198, 'end'),
    way('askNext', '842,256 842,328', 842, 297, 'middle'),
    way('approve', '918,328 918,256', 918, 297, 'middle'),
    way('observe', '666,158 666,122 568,122 568,84', 656, 142, 'end'),
    way('abort', '790,392 790,451 580,451', 685, 442, 'middle'),
  ],
};
