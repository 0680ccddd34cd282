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
  /** Events that tell of a decision come later than the decision. */
  const decided = new Set<string>();

  const decide = (run: Run, callId: string, refusal: string | null) => {
    decided.add(callId);
    if (refusal === null) run.approve(callId);
    else run.deny(callId, refusal);
  };

  const ask = async (run: Run, { callId, tool, input }: ShownCall) => {
    const given = new AbortController();
    asked = { callId, given };
    screen.write(`\nRun ${visible(tool)} with ${shortened(visible(JSON.stringify(input)), most)}? [y/N] `);
    // No terminal handling by readline: Ctrl-C stays a signal.
    const lines = createInterface({ input: stdin, terminal: false });
    lines.once('close', () => given.abort());
    try {
      const answer = await lines.question('', { signal: given.signal });
      screen.lineEnded();
      decide(run, callId, /^\s*y(es)?\s*$/i.test(answer) ? null : 'the person at the terminal said no');
    } catch {
      // Taken back, because the time is over or the run; or stdin was closed.
      screen.write('\n');
      if (asked?.callId === callId) decide(run, callId, 'the person at the terminal gave no answer');
    } finally {
      lines.close();
    }
  };

  return {
    look(run, live) {
      const asking = live.asking.filter(({ callId }) => !decided.has(callId));
      const [first] = asking;
      if (asked !== null && asked.callId !== first?.callId) {
        const { given } = asked;
        asked = null;
        given.abort();
      }
      if (first === undefined || asked !== null) return;
      if (stdin.isTTY) void ask(run, first);
      else
        for (const { callId } of asking) decide(run, callId, 'there is no terminal at which a person could be asked');
    },
  };
}
