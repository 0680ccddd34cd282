import { useEffect } from 'preact/hooks';
import type { RunSummary } from '../../observe/inspect/wire.ts';
import { useInspected, useInspector } from '../state/use-inspector.ts';
import { LanguageContext, textsOf } from '../texts/use-texts.ts';
import { ComparePage } from './compare/compare-page.tsx';
import { Help } from './help.tsx';
import { keyPressed } from './keys.ts';
import { RunPage } from './run/run-page.tsx';
import { RunList } from './runs/run-list.tsx';
import { TopBar } from './top-bar.tsx';

export function App() {
  const inspector = useInspector();
  const language = useInspected((state) => state.language);
  const theme = useInspected((state) => state.theme);
  const shown = useInspected((state) => state.shown);
  const beside = useInspected((state) => state.beside);
  const waiting = useInspected(({ runs }) => waitingRuns(runs.values()));
  const isEmpty = useInspected(({ runs }) => runs.size === 0);
  const texts = textsOf(language);

  useEffect(() => {
    const { documentElement } = document;
    documentElement.lang = texts.locale;
    if (theme === 'system') delete documentElement.dataset.theme;
    else documentElement.dataset.theme = theme;
    document.title = waiting === 0 ? texts.title : `(${waiting}) ${texts.title}`;
  }, [texts, theme, waiting]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => keyPressed(event, inspector);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [inspector]);

  return (
    <LanguageContext.Provider value={language}>
      <button type="button" class="skip" onClick={() => document.getElementById('run-title')?.focus()}>
        {texts.skip}
      </button>
      <TopBar />
      <div class="frame">
        <RunList />
        <main aria-label={texts.run}>
          {shown === null && !isEmpty && <p class="empty">{texts.chooseRun}</p>}
          {shown !== null && beside === null && <RunPage key={shown.key} session={shown} />}
          {shown !== null && beside !== null && <ComparePage left={shown} right={beside} />}
        </main>
      </div>
      <Help />
    </LanguageContext.Provider>
  );
}

/** The title of the page tells of them: it may be one tab of many. */
function waitingRuns(runs: Iterable<RunSummary>): number {
  return [...runs].filter(({ phase, isDecidable }) => isDecidable && phase === 'waiting').length;
}
