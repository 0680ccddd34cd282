/** Texts that wait their turn, oldest first. What is too much is dropped from the front, and counted. */
export interface Queue {
  push(text: string): void;
  /** The oldest, which leaves; undefined where there is none. */
  take(): string | undefined;
  clear(): void;
  readonly length: number;
  readonly dropped: number;
}

/** `mostCharacters` of all together, in code units. */
export function createQueue(mostTexts: number, mostCharacters: number): Queue {
  const texts: string[] = [];
  let characters = 0;
  let dropped = 0;
  const take = () => {
    const text = texts.shift();
    characters -= text?.length ?? 0;
    return text;
  };
  return {
    push(text) {
      texts.push(text);
      characters += text.length;
      for (; texts.length > mostTexts || characters > mostCharacters; dropped++) take();
    },
    take,
    clear() {
      dropped += texts.length;
      characters = 0;
      texts.length = 0;
    },
    get length() {
      return texts.length;
    },
    get dropped() {
      return dropped;
    },
  };
}
