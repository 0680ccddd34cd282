import { useEffect } from 'preact/hooks';
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
  const texts = textsOf(language);

  useEffect(() => {
    const { documentElement } = document;
    documentElement.lang = texts.locale;
    if (theme === 'system') delete documentElement.dataset.theme;
    else documentElement.dataset.theme = theme;
    document.title = texts.title;
  }, [texts, theme]);
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
          {shown === null && <p class="empty">{texts.chooseRun}</p>}
          {shown !== null && beside === null && <RunPage key={shown.key} session={shown} />}
          {shown !== null && beside !== null && <ComparePage left={shown} right={beside} />}
        </main>
      </div>
      <Help />
    </LanguageContext.Provider>
  );
}
