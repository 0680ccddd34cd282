/** Which parameter a server refuses, by its words: servers differ in what they accept, and say so only when asked. Pure. */

const complaint =
  /unsupported|not support|deprecated|unknown|unrecogni|unexpected|not permitted|not allowed|not available|unavailable|forbidden|may only be|cannot be|must not be|cannot find|only the default|invalid (?:value|param|arg|field)|must be '?json_schema|extra (?:inputs?|fields)/i;

/** A name alone may be an ordinary word, such as `stop`: the text must sound like a refusal, too. */
export function soundsRefused(text: string): boolean {
  return complaint.test(text);
}

/** The first of the names that stands in the text as a whole word. `nameOf`: what a word stands for. */
export function firstNameIn(
  text: string,
  names: readonly string[],
  nameOf: (word: string) => string | undefined = (word) => word,
): string | null {
  const found = text.split(/\W+/).map(nameOf);
  return found.find((name): name is string => name !== undefined && names.includes(name)) ?? null;
}
