/** Ids that stand for tools: `T01` for the first that was registered, and so on. Pure. */

/** The id of each name, in the order of registration. An id is never given to another tool. */
export function idsOf(registered: readonly string[]): ReadonlyMap<string, string> {
  return new Map(registered.map((name, index) => [name, `T${String(index + 1).padStart(2, '0')}`]));
}

/** The name behind what a model wrote: `T03`, `t3`, `[T03]`. What is no id of a registered tool is given back as it is. */
export function nameBehind(written: string, registered: readonly string[]): string {
  const number = /^\[?[Tt]0{0,8}(\d{1,6})\]?$/.exec(written)?.[1];
  return (number === undefined ? undefined : registered[Number(number) - 1]) ?? written;
}
