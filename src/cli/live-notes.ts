/** What the loop itself has to say while a run is watched: observations, warnings, what became of a reply. Pure. */
import type { ReadCall } from '../core/reading.ts';
import { shortened, visible } from './plain-text.ts';
import type { Style } from './style.ts';

interface NoteOptions {
  readonly style: Style;
}

/** The most of an observation that is shown. */
const most = Object.freeze({ lines: 12, characters: 1_200 });

/** A line of our own, marked as such. */
export function note(text: string, { style }: NoteOptions): string {
  return `${style('warning', `! ${text}`)}\n`;
}

/** What the model is told of a call or of a fault. */
export function observation(
  { text, tool }: { readonly text: string; readonly tool: string | null },
  { style }: NoteOptions,
): string {
  const label = tool === null ? 'Observation:' : `Observation (${visible(tool)}):`;
  const shown = shortened(visible(text).trimEnd(), most);
  const look = /^\[(?:FormatError|ToolError|LoopGuard)\]/.test(text) ? 'warning' : null;
  const lines = look === null ? shown : shown.replace(/[^\n]+/g, (line) => style(look, line));
  return `${style('observation', label)} ${lines}\n`;
}

/** Calls that the text of the reply does not show: each on a line. */
export function callLines(calls: readonly ReadCall[], { style }: NoteOptions): string {
  return calls
    .map(({ tool, input }) => `${visible(tool)} ${shortened(visible(JSON.stringify(input)), most)}`)
    .map((call) => `${style('call', 'Action:')} ${call}\n`)
    .join('');
}

export function repairNote(calls: readonly ReadCall[], options: NoteOptions): string {
  const repaired = calls.filter((call) => call.repaired === true);
  return repaired
    .map(({ input }) =>
      note(`The input was no valid JSON and was repaired: ${visible(JSON.stringify(input))}`, options),
    )
    .join('');
}
