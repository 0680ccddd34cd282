/**
 * The inspector: a page on this machine that shows runs as they go and afterwards, and lets a person decide about their calls
 * where that was asked for. It never slows, changes or breaks a run.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { AgentError } from '../../core/errors.ts';
import { checkKnown } from '../../core/known-options.ts';
import { messageOf } from '../../core/message-of.ts';
import type { Observer, TraceEvent } from '../../core/trace.ts';
import type { Prices } from '../report/metrics.ts';
import { createToken } from './guard.ts';
import { createHolds, type Holds } from './holds.ts';
import { createIntake } from './intake.ts';
import { readPage } from './page-file.ts';
import { createReaders } from './readers.ts';
import { createInspectorServer } from './server.ts';
import { createSources } from './sources.ts';
import type { WatchedRun } from './watched-run.ts';

export interface InspectorOptions {
  /** 0, the default: any that is free. */
  readonly port?: number;
  /** The name of who decides in the page, for the trace. Default `inspector`. */
  readonly by?: string;
  /** Whether the process stays while the inspector is open. Default false: the process ends as it would without. */
  readonly keepsProcess?: boolean;
  /**
   * Bytes of memory for all runs; default 256,000,000. Those that ended longest ago go first. Where all are live, each keeps its
   * beginning and its last steps, and the page says how many events between are missing.
   */
  readonly mostBytes?: number;
  /**
   * Bytes of memory for one run; default 64,000,000, and never more than half of all. Of what follows, long texts are cut; of what is
   * half as much again, nothing is kept, and the page says how many events are missing. Calls that wait for a person are kept whole,
   * up to twice as much; beyond, they cannot be approved from the page.
   */
  readonly mostBytesPerRun?: number;
  /** Milliseconds after which a page that takes nothing is cut off; it comes back by itself. Default 30,000. */
  readonly stallMs?: number;
  /** What models cost, by name or `provider/name`. Without, the page tells of no money. */
  readonly prices?: Prices;
  /** The file of the page, `inspector.html`, for a program that is bundled without the package. */
  readonly page?: string;
  /** Told how many pages are open, whenever that changes. */
  readonly onPages?: (open: number) => void;
}

export interface Inspector {
  /** The address of the page, with its token. Who has it sees all runs, and decides where that was asked for. */
  readonly url: string;
  /**
   * For `createAgent({ onEvent })`: shows every run of the agent. Who wraps it passes on both arguments: without the second, runs
   * that go at once cannot be told apart. Then the process is warned, once (`FUSELOOP_INSPECTOR`). It never throws.
   */
  readonly onEvent: Observer;
  /**
   * Shows a run as it goes, with its replies as they arrive. `decidable`, default false: calls that wait are approved and denied from
   * the page, too, and the run is aborted; whoever decides first has decided.
   */
  watch(run: WatchedRun, options?: { readonly decidable?: boolean }): void;
  /**
   * Shows runs from a trace, one or several; `file` is its name for the page. Settles when all is shown: of events that still come
   * (an async iterable) when they end. Rejects with what reading them throws; what was read before that is shown.
   */
  show(events: Iterable<TraceEvent> | AsyncIterable<TraceEvent>, options?: { readonly file?: string }): Promise<void>;
  /** Closes the page's connections and forgets all runs. The runs themselves go on. */
  close(): Promise<void>;
}

/** Of `mostBytes`, for what runs have told and nobody has taken in. */
const queuedShare = 1 / 8;

const known = ['port', 'by', 'keepsProcess', 'mostBytes', 'mostBytesPerRun', 'stallMs', 'page', 'prices', 'onPages'];

/** Rejects with AgentError (`invalid_option`): an option that cannot be used, a port that is taken, a page that is not there. */
export async function createInspector(options: InspectorOptions = {}): Promise<Inspector> {
  checkKnown('createInspector', options, known);
  const { port = 0, by = 'inspector', keepsProcess = false, stallMs = 30_000, onPages = () => {} } = options;
  const mostBytes = readCount('mostBytes', options.mostBytes ?? 256_000_000, Number.MAX_SAFE_INTEGER);
  const perRun = readCount('mostBytesPerRun', options.mostBytesPerRun ?? 64_000_000, Number.MAX_SAFE_INTEGER);
  readCount('stallMs', stallMs, 2 ** 31 - 1);
  readCount('port', port, 65_535);
  const page = await readPage(options);

  const readers = createReaders({ holds: () => holds, stallMs, onPages: (open) => unheeded(() => onPages(open)) });
  const mostBytesPerRun = Math.min(perRun, mostBytes / 2);
  const holds: Holds = createHolds({ mostBytes, mostBytesPerRun, onChange: readers.changed });
  const intake = createIntake({ keepsProcess, mostBytes: mostBytes * queuedShare });
  const sources = createSources(holds, intake);
  const guarded = { token: createToken(), port };
  const server = createInspectorServer({ page, holds, readers, by, guarded: () => guarded });
  if (!keepsProcess) {
    server.unref();
    server.on('connection', (socket) => socket.unref());
  }
  guarded.port = await listen(server, port);
  let isOpen = true;
  return {
    url: `http://127.0.0.1:${guarded.port}/?token=${guarded.token}`,
    onEvent: sources.onEvent,
    watch(run, { decidable = false } = {}) {
      if (isOpen) sources.watch(run, decidable);
    },
    show: (events, { file } = {}) => sources.show(events, file ?? null),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      sources.close();
      intake.close();
      readers.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** On this machine alone; from another one through a tunnel, such as of ssh. */
async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (thrown) {
    throw new AgentError('invalid_option', `The inspector cannot use port ${port}: ${messageOf(thrown)}.`, {
      hint: 'Give another one, or leave it out: then any that is free is taken.',
      cause: thrown,
    });
  }
  server.on('error', () => {});
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function readCount(name: string, given: number, most: number): number {
  if (Number.isSafeInteger(given) && given >= 0 && given <= most) return given;
  throw new AgentError('invalid_option', `${name} is ${String(given)}.`, {
    hint: `It is a whole number from 0 to ${most}.`,
  });
}

/** What somebody else's function throws changes nothing here. */
function unheeded(work: () => void): void {
  try {
    work();
  } catch {}
}
