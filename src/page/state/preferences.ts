/** What a person chose once. Kept where the browser lets us; elsewhere it holds until the page is closed. */
export type Theme = 'light' | 'dark' | 'system';
export type LanguageName = 'en' | 'zh';

const themeKey = 'fuseloop.theme';
const languageKey = 'fuseloop.language';

export function keptTheme(): Theme {
  const kept = read(themeKey);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function keepTheme(theme: Theme): void {
  write(themeKey, theme);
}

/** The one that was chosen, or the browser's. */
export function keptLanguage(): LanguageName {
  const kept = read(languageKey);
  if (kept === 'en' || kept === 'zh') return kept;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export function keepLanguage(language: LanguageName): void {
  write(languageKey, language);
}

/** A page from a file, or with storage switched off, throws here. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds until the page is closed.
  }
}
