/** The language of the texts that go to the model. */
export type Language = 'en' | 'zh';
