/**
 * The picture of the machine as data: hand-placed boxes and curves, drawn by the page and by `fuseloop diagram --svg`. Pure.
 * Lengths are units of the picture; y grows downwards.
 */

export interface Chart {
  readonly width: number;
  readonly height: number;
  /** Outer states before the inner ones that stand in them. */
  readonly states: readonly StateBox[];
  readonly ways: readonly Way[];
  /** Where a run begins: a dot, and the arrow from it to OBSERVATION. */
  readonly start: Dot & Pick<Way, 'line' | 'head'>;
}

export interface StateBox {
  /** As `pathOf` names it: `THOUGHT`, `THOUGHT.reasoning`. */
  readonly name: string;
  /** `outer`: it has inner states. `inner`: it is one. `door`: OBSERVATION. The ends: `final` and `error`. */
  readonly kind: 'outer' | 'inner' | 'door' | 'final' | 'error';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: Label;
}

export interface Way {
  /** Unlike that of any other way of the chart, and the same in every chart. */
  readonly id: WayId;
  /** The moves that are drawn as this one way: `ACTION.running > OBSERVATION`. Each move is of one way. */
  readonly moves: readonly string[];
  /** A path of SVG. */
  readonly line: string;
  /** The tip of the arrow: a closed path of SVG. */
  readonly head: string;
  readonly label: Label;
}

/** One line of text. `y` is its baseline. */
export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  /** Of the letters. */
  readonly size: number;
}

export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export type WayId = keyof typeof movesOfWays;

const reading = ['THOUGHT.reasoning', 'THOUGHT.calling', 'THOUGHT.answering'];
const acting = ['ACTION.gating', 'ACTION.running', 'ACTION.awaitingApproval', 'ACTION.checkingAnswer'];
const from = (states: readonly string[], to: string) => states.map((state) => `${state} > ${to}`);

/** Which moves go which way. What leaves every inner state of one state alike is one way. */
export const movesOfWays = {
  think: ['OBSERVATION > THOUGHT.reasoning'],
  answered: ['OBSERVATION > FINAL'],
  stopped: ['OBSERVATION > ERROR'],
  call: ['THOUGHT.reasoning > THOUGHT.calling'],
  answer: ['THOUGHT.reasoning > THOUGHT.answering'],
  answerInstead: ['THOUGHT.calling > THOUGHT.answering'],
  tryAgain: from(reading, 'THOUGHT.reasoning'),
  judgeReply: from(reading, 'OBSERVATION'),
  failReply: from(reading, 'ERROR'),
  gate: ['THOUGHT.calling > ACTION.gating'],
  check: ['THOUGHT.answering > ACTION.checkingAnswer'],
  run: ['ACTION.gating > ACTION.running'],
  ask: ['ACTION.gating > ACTION.awaitingApproval'],
  runNext: ['ACTION.running > ACTION.running'],
  askNext: ['ACTION.running > ACTION.awaitingApproval'],
  approve: ['ACTION.awaitingApproval > ACTION.running'],
  observe: from(acting, 'OBSERVATION'),
  abort: from(acting, 'ERROR'),
} as const satisfies { readonly [id: string]: readonly string[] };

/** What stands beside each way: why it is gone, in few words. Its guard is in docs/spec.md. Room is left for a count: ` 1,000×`. */
export const wordsOfWays: { readonly [Id in WayId]: string } = {
  think: 'next thought',
  answered: 'answered',
  stopped: 'fuse · loop · budget',
  call: 'action',
  answer: 'answer',
  answerInstead: 'answer',
  tryAgain: 'try again',
  judgeReply: 'answer · violation',
  failReply: 'failure · abort',
  gate: 'calls read',
  check: 'to check',
  run: 'may run',
  ask: 'must ask',
  runNext: 'next call',
  askNext: 'ask next',
  approve: 'approved',
  observe: 'step done',
  abort: 'abort · deadline',
};
