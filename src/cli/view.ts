/** Where a run is shown, and where a person is asked. */
import type { CommandIo } from './command-io.ts';
import type { AgentFlags } from './flags.ts';
import { plainScreen, type Screen, terminalScreen } from './screen.ts';
import { type Style, styleFor, wantsColour } from './style.ts';

export interface View {
  readonly screen: Screen;
  readonly isTerminal: boolean;
  readonly style: Style;
  /** Whether the status is redrawn, so that steps need no line of their own. */
  readonly redraws: boolean;
}

/** With --json stdout is for the document: a person at a terminal sees the run on stderr, anybody else nothing. */
export function openView({ json }: Pick<AgentFlags, 'json'>, { stdout, stderr }: CommandIo): View {
  const stream = json ? stderr : stdout;
  const isTerminal = stream.isTTY === true;
  const style = styleFor(wantsColour({ isTerminal, variables: process.env }));
  const redraws = isTerminal && process.env.TERM !== 'dumb';
  if (json && !isTerminal) return { screen: plainScreen({ write: () => {} }), isTerminal, style, redraws };
  return { screen: redraws ? terminalScreen(stream, style) : plainScreen(stream), isTerminal, style, redraws };
}

/** Where a person sees a question, and can answer it; null where nobody does: what asks then suspends the run. */
export function screenToAskOn({ stdin, stderr }: CommandIo, { isTerminal, screen }: View): Screen | null {
  if (stdin.isTTY !== true || stdin.readableEnded) return null;
  if (isTerminal) return screen;
  return stderr.isTTY === true ? plainScreen(stderr) : null;
}
