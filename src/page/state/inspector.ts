/** The state of the whole page: the runs there are, which are shown, and how. */
import type { RunSummary } from '../../observe/inspect/wire.ts';
import { keepLanguage, keepTheme, keptLanguage, keptTheme, type LanguageName, type Theme } from './preferences.ts';
import { createSession, type Session } from './session.ts';
import type { Connection, Objection, Source } from './source.ts';
import { createStore, type Store } from './store.ts';

export interface InspectorState {
  readonly runs: ReadonlyMap<string, RunSummary>;
  readonly connection: Connection;
  readonly shown: Session | null;
  readonly beside: Session | null;
  readonly theme: Theme;
  readonly language: LanguageName;
  readonly isHelpOpen: boolean;
  readonly refused: Refused | null;
  /** A run was chosen from the list: its heading takes the focus once it is there. */
  readonly wantsFocus: boolean;
}

/** What was said against a decision about a run, where what was decided about is gone from the page. */
export interface Refused {
  readonly key: string;
  readonly objection: Objection;
}

export interface Inspector {
  readonly store: Store<InspectorState>;
  readonly source: Source;
  /** Null shows none. */
  show(key: string | null): void;
  /** Shows it, and the focus goes to its heading. */
  choose(key: string): void;
  focused(): void;
  /** Side by side with the one that is shown. Null ends it. */
  compare(key: string | null): void;
  setTheme(theme: Theme): void;
  setLanguage(language: LanguageName): void;
  openHelp(isHelpOpen: boolean): void;
  /** Null when it was seen, or another decision is sent. */
  refuse(refused: Refused | null): void;
}

export function createInspector(source: Source): Inspector {
  const store = createStore<InspectorState>({
    runs: new Map(),
    connection: 'connecting',
    shown: null,
    beside: null,
    theme: keptTheme(),
    language: keptLanguage(),
    isHelpOpen: false,
    refused: null,
    wantsFocus: false,
  });
  const wanted = addressed();

  const open = (key: string | null) => {
    const run = key === null ? undefined : store.get().runs.get(key);
    return run === undefined ? null : createSession(source, run.key, run.isLive);
  };
  const show = (key: string | null) => {
    const { shown, beside } = store.get();
    if (shown?.key === key) return;
    shown?.close();
    if (beside !== null && (beside.key === key || key === null)) {
      beside.close();
      store.set({ beside: null });
    }
    store.set({ shown: open(key) });
    address(store.get());
  };
  const compare = (key: string | null) => {
    const { beside, shown } = store.get();
    beside?.close();
    store.set({ beside: key === shown?.key ? null : open(key) });
    address(store.get());
  };

  source.watchRuns({
    runs(changed, areAll) {
      const runs = new Map(areAll ? [] : store.get().runs);
      for (const summary of changed) runs.set(summary.key, summary);
      store.set({ runs });
      goOn(store.get());
      if (store.get().shown === null) show(firstToShow(runs, wanted.run));
      if (store.get().beside === null && wanted.beside !== null && runs.has(wanted.beside)) {
        compare(wanted.beside);
        wanted.beside = null;
      }
    },
    gone(keys) {
      const runs = new Map(store.get().runs);
      for (const key of keys) runs.delete(key);
      store.set({ runs });
    },
    connection: (connection) => store.set({ connection }),
  });

  return { store, source, show, compare, ...choices(store, show) };
}

type Choices = Pick<Inspector, 'setTheme' | 'setLanguage' | 'openHelp' | 'refuse' | 'choose' | 'focused'>;

function choices(store: Store<InspectorState>, show: Inspector['show']): Choices {
  return {
    choose(key) {
      show(key);
      store.set({ wantsFocus: store.get().beside === null });
    },
    setTheme(theme) {
      keepTheme(theme);
      store.set({ theme });
    },
    setLanguage(language) {
      keepLanguage(language);
      store.set({ language });
    },
    openHelp: (isHelpOpen) => store.set({ isHelpOpen }),
    refuse: (refused) => store.set({ refused }),
    focused: () => store.set({ wantsFocus: false }),
  };
}

/** Runs that were over, and are live again. */
function goOn({ runs, shown, beside }: InspectorState): void {
  for (const session of [shown, beside])
    if (session?.store.get().isOver === true && runs.get(session.key)?.isLive === true) session.goOn();
}

/** Live ones first, then the latest. */
export function inOrder(runs: Iterable<RunSummary>): RunSummary[] {
  const began = ({ startedWallMs, lastWallMs }: RunSummary) => startedWallMs ?? lastWallMs;
  return [...runs].sort(
    (a, b) => Number(b.isLive) - Number(a.isLive) || began(b) - began(a) || (a.key < b.key ? -1 : 1),
  );
}

function firstToShow(runs: ReadonlyMap<string, RunSummary>, wanted: string | null): string | null {
  if (wanted !== null && runs.has(wanted)) return wanted;
  return inOrder(runs.values())[0]?.key ?? null;
}

/** What is shown stands behind the `#` of the address, so that it is shown again when the page is loaded again. */
function addressed(): { run: string | null; beside: string | null } {
  const words = new URLSearchParams(location.hash.slice(1));
  return { run: words.get('run'), beside: words.get('beside') };
}

function address({ shown, beside }: InspectorState): void {
  const words = new URLSearchParams();
  if (shown !== null) words.set('run', shown.key);
  if (beside !== null) words.set('beside', beside.key);
  const { pathname, search } = location;
  history.replaceState(null, '', `${pathname}${search}#${words}`);
}
