/** For a screen: THOUGHT on the left and ACTION on the right of the line from OBSERVATION to ERROR. */
import type { Chart, Label, StateBox, WayId } from './chart.ts';
import { arrow, boxOf, type Sizes, wayOf } from './draw.ts';

const sizes: Sizes = { outer: 17, inner: 15, way: 13 };

const box = (name: string, kind: StateBox['kind'], ...place: [number, number, number, number]) =>
  boxOf(name, kind, place, sizes);
const way = (id: WayId, points: string, ...label: [number, number, Label['anchor']]) => wayOf(id, points, label, sizes);

export const wideChart: Chart = {
  width: 1114,
  height: 490,
  start: {
    x: 310,
    y: 40,
    radius: 8,
    ...arrow('318,40 441,40'),
  },
  states: [
    box('OBSERVATION', 'door', 441, 20, 220, 64),
    box('FINAL', 'final', 785, 18, 120, 44),
    box('THOUGHT', 'outer', 16, 158, 400, 234),
    box('ACTION', 'outer', 686, 158, 412, 234),
    box('ERROR', 'error', 471, 428, 160, 46),
    box('THOUGHT.reasoning', 'inner', 78, 272, 108, 38),
    box('THOUGHT.calling', 'inner', 286, 218, 96, 38),
    box('THOUGHT.answering', 'inner', 286, 328, 96, 38),
    box('ACTION.gating', 'inner', 704, 218, 84, 38),
    box('ACTION.checkingAnswer', 'inner', 704, 328, 150, 38),
    box('ACTION.running', 'inner', 912, 218, 168, 38),
    box('ACTION.awaitingApproval', 'inner', 912, 328, 168, 38),
  ],
  ways: [
    way('think', '441,66 136,66 136,272', 280, 84, 'middle'),
    way('answered', '661,40 785,40', 723, 32, 'middle'),
    way('stopped', '551,84 551,428', 551, 190, 'middle'),
    way('call', '186,284 248,284 248,237 286,237', 241, 256, 'end'),
    way('answer', '186,298 248,298 248,347 286,347', 241, 334, 'end'),
    way('answerInstead', '302,256 302,328', 309, 297, 'start'),
    way('tryAgain', '112,392 112,310', 120, 366, 'start'),
    way('judgeReply', '360,158 360,122 480,122 480,84', 352, 142, 'end'),
    way('failReply', '200,392 200,451 471,451', 335, 442, 'middle'),
    way('gate', '382,237 704,237', 483, 229, 'middle'),
    way('check', '382,347 704,347', 483, 339, 'middle'),
    way('run', '788,231 912,231', 848, 223, 'middle'),
    way('ask', '788,245 886,245 886,347 912,347', 878, 297, 'end'),
    way('runNext', '956,218 956,192 1036,192 1036,218', 948, 198, 'end'),
    way('askNext', '928,256 928,328', 935, 286, 'start'),
    way('approve', '1064,328 1064,256', 1057, 314, 'end'),
    way('observe', '742,158 742,122 622,122 622,84', 750, 142, 'start'),
    way('abort', '892,392 892,451 631,451', 760, 442, 'middle'),
  ],
};
