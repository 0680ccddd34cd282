/** The language of the texts that go to the model. */
export type Language = 'en' | 'zh';

/** A text in each language; undefined where a bundle does not hold it. */
export interface Texts {
  readonly en: string;
  readonly zh: string | undefined;
}

export function inLanguage({ en, zh }: Texts, language: Language): string {
  return language === 'zh' ? (zh ?? en) : en;
}
