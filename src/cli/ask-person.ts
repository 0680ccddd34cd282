/** Asks the person at the terminal whether a call may run. Without a terminal nobody is asked, and the call is refused. */
import { createInterface } from 'node:readline/promises';
import type { Run } from '../run.ts';
import type { Live, ShownCall } from './live-state.ts';
import { shortened, visible } from './plain-text.ts';
import type { Screen } from './screen.ts';

export interface AskPersonOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly screen: Screen;
}

export interface AskPerson {
  /** Looks at what waits now: asks for the first, and takes back a question that nobody need answer any more. */
  look(run: Run, live: Live): void;
}

const most = Object.freeze({ lines: 12, characters: 1_200 });

export function createAskPerson({ stdin, screen }: AskPersonOptions): AskPerson {
  let asked: { readonly callId: string; readonly given: AbortController } | null = null;

  const ask = async (run: Run, { callId, tool, input }: ShownCall) => {
    const given = new AbortController();
    asked = { callId, given };
    screen.write(`\nMay ${visible(tool)} run with ${shortened(visible(JSON.stringify(input)), most)} ? [y/N] `);
    // No terminal handling by readline: Ctrl-C stays a signal.
    const lines = createInterface({ input: stdin, terminal: false });
    lines.once('close', () => given.abort());
    try {
      const answer = await lines.question('', { signal: given.signal });
      screen.lineEnded();
      if (/^\s*y(es)?\s*$/i.test(answer)) run.approve(callId);
      else run.deny(callId, 'the person at the terminal said no');
    } catch {
      // Taken back, because the time is over or the run; or stdin was closed.
      screen.write('\n');
      if (asked?.callId === callId) run.deny(callId, 'the person at the terminal gave no answer');
    } finally {
      lines.close();
    }
  };

  return {
    look(run, { asking }) {
      const [first] = asking;
      if (asked !== null && asked.callId !== first?.callId) {
        const { given } = asked;
        asked = null;
        given.abort();
      }
      if (first === undefined || asked !== null) return;
      if (stdin.isTTY) void ask(run, first);
      else for (const { callId } of asking) run.deny(callId, 'there is no terminal at which a person could be asked');
    },
  };
}
