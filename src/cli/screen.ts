/**
 * A stream that text is written to as it comes. In a terminal a status stands below the text: it and a line that is not
 * complete are erased and written anew each time, so that they never mix. A line that does not surely fit into the
 * terminal is left to it, and the status stays away until that line ends: nothing here has to know where text wraps.
 */
import { stripVTControlCharacters } from 'node:util';
import { columnsAtMost, cut } from './plain-text.ts';
import type { Style } from './style.ts';

/** A part of a writable stream. */
export interface Sink {
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface Screen {
  write(text: string): void;
  /**
   * Without a terminal nothing happens. Empty: there is none. Its parts are separated by ` · `: where it does not fit, those
   * before the last go, from the back, and then the last is cut.
   */
  status(line: string): void;
  /** The person at the terminal ended the line. */
  lineEnded(): void;
}

const between = ' · ';
/** In columns: a last part is cut to so many before another one goes. */
const shortestPart = 16;

function fittingStatus(line: string, columns: number): string {
  const parts = line.split(between);
  const last = parts.pop() ?? '';
  const least = Math.min(columnsAtMost(last), shortestPart);
  const shown = (before: readonly string[], end: string) => [...before, end].join(between);
  while (parts.length > 1 && columnsAtMost(shown(parts, '')) + least > columns) parts.pop();
  const fits = columnsAtMost(shown(parts, '')) + least <= columns;
  return cut(fits ? shown(parts, last) : (parts[0] ?? last), columns);
}

export function plainScreen(sink: Sink): Screen {
  return {
    write: (text) => {
      if (text !== '') sink.write(text);
    },
    status: () => {},
    lineEnded: () => {},
  };
}

const eraseLine = '\r\u001b[2K';
const lineUp = '\u001b[1A';

export function terminalScreen(sink: Sink, style: Style): Screen {
  /** The line that is not complete, where it can be written anew. */
  let open = '';
  /** A line that was left to the terminal. */
  let wide = false;
  let status = '';
  /** What is on the screen now and must be erased before anything else is written. */
  let drawn = '';

  const fits = (line: string, columns: number) => columnsAtMost(stripVTControlCharacters(line)) < columns;

  const erased = () => {
    const lines = drawn === '' ? 0 : drawn.split('\n').length;
    drawn = '';
    return lines === 0 ? '' : eraseLine + `${lineUp}${eraseLine}`.repeat(lines - 1);
  };

  const draw = (before: string) => {
    const columns = sink.columns || 80;
    if (!wide && !fits(open, columns)) {
      sink.write(before + open);
      [open, wide] = ['', true];
      return;
    }
    const below = status === '' ? '' : style('dim', fittingStatus(status, columns - 1));
    if (!wide) drawn = open + (open === '' || below === '' ? '' : '\n') + below;
    if (before + drawn !== '') sink.write(before + drawn);
  };

  return {
    write(text) {
      if (text === '') return;
      const erase = erased();
      const lineStart = text.lastIndexOf('\n') + 1;
      if (lineStart > 0) {
        const complete = open + text.slice(0, lineStart);
        [open, wide] = [text.slice(lineStart), false];
        return draw(erase + complete);
      }
      if (wide) return draw(erase + text);
      open += text;
      draw(erase);
    },
    status(line) {
      if (line === status) return;
      status = line;
      draw(erased());
    },
    lineEnded() {
      [open, wide, drawn] = ['', false, ''];
    },
  };
}
