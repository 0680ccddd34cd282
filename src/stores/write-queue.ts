/** Writes that go one after the other, in groups. The first error stays: what was to be written behind it is not, so that there are no gaps. */

export interface Writing<Work> {
  /** Asked before each write. What is added meanwhile still goes with it. */
  check(): Promise<void>;
  /** How many of those that wait go with the next write; at least one. */
  together(waiting: readonly Work[]): number;
  write(group: readonly Work[]): Promise<void>;
  /** For what is added when the queue is closed. */
  closed(): Error;
}

export interface WriteQueue<Work> {
  /** `work` is asked before it returns; where it throws, nothing more can be added. Resolves when it was written. */
  add(work: () => Work): Promise<void>;
  /** Resolves when all is written, or has failed. Never rejects. */
  close(): Promise<void>;
}

interface Waiting<Work> {
  readonly work: Work;
  done(): void;
  failed(error: unknown): void;
}

export function writeQueue<Work>({ check, together, write, closed }: Writing<Work>): WriteQueue<Work> {
  const waiting: Waiting<Work>[] = [];
  /** Why nothing more can be added. */
  let refusal: { readonly error: unknown } | null = null;
  let writing: Promise<void> | null = null;

  const writeGroup = async () => {
    let group: readonly Waiting<Work>[] = [];
    try {
      await check();
      group = waiting.splice(0, together(waiting.map(({ work }) => work)));
      await write(group.map(({ work }) => work));
      for (const { done } of group) done();
    } catch (error) {
      refusal = { error };
      for (const { failed } of [...group, ...waiting.splice(0)]) failed(error);
    }
  };

  const writeAll = async () => {
    while (waiting.length > 0) await writeGroup();
    writing = null;
  };

  return {
    add: (work) =>
      new Promise<void>((done, failed) => {
        if (refusal !== null) throw refusal.error;
        try {
          waiting.push({ work: work(), done, failed });
        } catch (error) {
          refusal = { error };
          throw error;
        }
        writing ??= writeAll();
      }),
    async close() {
      refusal ??= { error: closed() };
      await writing;
    },
  };
}
