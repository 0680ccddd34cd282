/** The bar at the top: how the page is connected, its theme, its language, help. */
import type { Theme } from '../state/preferences.ts';
import { useInspected, useInspector } from '../state/use-inspector.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Icon, type IconName } from './common/icon.tsx';

const nextTheme: { readonly [theme in Theme]: Theme } = { system: 'light', light: 'dark', dark: 'system' };
const themeIcons: { readonly [theme in Theme]: IconName } = { system: 'system', light: 'sun', dark: 'moon' };

export function TopBar() {
  const texts = useTexts();
  const inspector = useInspector();
  const theme = useInspected((state) => state.theme);
  const language = useInspected((state) => state.language);
  const connection = useInspected((state) => state.connection);
  const themeName = `${texts.theme}: ${texts.themes[theme]}`;
  return (
    <header class="top-bar">
      <h1>
        <LoopMark />
        {texts.title}
      </h1>
      <span class={`connection is-${connection}`} role="status" data-connection={connection}>
        <span class="dot" aria-hidden="true" />
        {texts.connections[connection]}
      </span>
      <button
        type="button"
        class="small-button"
        data-press="language"
        lang={language === 'en' ? 'zh-CN' : 'en'}
        onClick={() => inspector.setLanguage(language === 'en' ? 'zh' : 'en')}
      >
        {texts.otherLanguage}
      </button>
      <button
        type="button"
        class="icon-button"
        data-press="theme"
        data-theme={theme}
        aria-label={themeName}
        title={themeName}
        onClick={() => inspector.setTheme(nextTheme[theme])}
      >
        <Icon name={themeIcons[theme]} />
      </button>
      <button
        type="button"
        class="icon-button"
        data-press="help"
        aria-label={texts.help}
        title={`${texts.help} (?)`}
        onClick={() => inspector.openHelp(true)}
      >
        <Icon name="help" />
      </button>
    </header>
  );
}

function LoopMark() {
  return (
    <svg class="loop-mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path class="of-thought" d="M10 3a7 7 0 0 1 6.06 3.5" />
      <path class="of-action" d="M16.9 9.2A7 7 0 0 1 11.8 16.800" />
      <path class="of-observation" d="M8.900 16.900A7 7 0 0 1 4 6.500" />
      <circle cx="10" cy="10" r="1.8" />
    </svg>
  );
}
