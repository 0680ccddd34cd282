/** One line on stderr that is written anew while a long command works; nothing where nobody looks at a terminal. */
import type { CommandIo } from './command-io.ts';
import { plainScreen, terminalScreen } from './screen.ts';
import { styleFor, wantsColour } from './style.ts';

export interface StatusLine {
  /** `text` is asked for only when it is shown. */
  show(text: () => string): void;
  close(): void;
}

/** It is written no more often than that. */
const redrawMs = 100;

export function openStatusLine({ stderr }: Pick<CommandIo, 'stderr'>): StatusLine {
  const redraws = stderr.isTTY === true && process.env.TERM !== 'dumb';
  const style = styleFor(wantsColour({ isTerminal: redraws, variables: process.env }));
  const screen = redraws ? terminalScreen(stderr, style) : plainScreen(stderr);
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      if (!redraws || performance.now() - shownAtMs < redrawMs) return;
      shownAtMs = performance.now();
      screen.status(text());
    },
    close: () => screen.status(''),
  };
}
