/** `--inspect`: a run on the command line is shown in a page as well, and decided about there. */
import { createInspector } from '../observe/inspect/inspector.ts';
import type { WatchedRun } from '../observe/inspect/watched-run.ts';
import { loginName } from './ask-person.ts';
import type { CommandIo } from './command-io.ts';

export interface Inspecting {
  watch(run: WatchedRun, isDecidable: boolean): void;
  /**
   * Settles when nobody looks any more: at Ctrl-C, or when the last page was closed for a while; at once where no page was opened
   * and nobody is at a terminal to open one.
   */
  stay(): Promise<void>;
  close(): Promise<void>;
}

/** In milliseconds: a page that is loaded anew is closed for a moment. */
const closedMs = 5_000;

/** The address goes to stderr. Throws AgentError where the page is not there. */
export async function openInspecting(io: CommandIo): Promise<Inspecting> {
  const { stderr, interrupts, onOutputClosed } = io;
  let [open, wasOpened] = [0, false];
  let changed = () => {};
  const inspector = await createInspector({
    by: loginName(),
    keepsProcess: true,
    onPages: (now) => {
      open = now;
      wasOpened ||= now > 0;
      changed();
    },
  });
  stderr.write(`Inspector: ${inspector.url}\n`);
  return {
    watch: (run, decidable) => inspector.watch(run, { decidable }),
    stay() {
      if (interrupts.exitCode() !== null || !(wasOpened || stderr.isTTY === true)) return Promise.resolve();
      stderr.write('The inspector stays open: Ctrl-C ends it, and so does closing its page.\n');
      return new Promise((resolve) => {
        let closing: NodeJS.Timeout | undefined;
        changed = () => {
          clearTimeout(closing);
          if (open === 0 && wasOpened) closing = setTimeout(leave, closedMs);
        };
        const leave = () => {
          changed = () => {};
          clearTimeout(closing);
          resolve();
        };
        interrupts.onFirst(leave);
        onOutputClosed(leave);
        changed();
      });
    },
    close: () => inspector.close(),
  };
}
