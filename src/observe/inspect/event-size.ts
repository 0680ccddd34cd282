/** How large an event is, before anything is made of it. Pure. */

/** In bytes of memory: what an event costs beside its text. */
export const overhead = 400;

/**
 * About its bytes as JSON, and never more than those: what escapes add is not counted, and what stands in it twice is counted once,
 * so that a circle ends. Counting ends where it is above `most`. Throws what a getter of it throws.
 */
export function sizeOf(event: unknown, most: number): number {
  const seen = new Set<object>();
  const open: object[] = [];
  let bytes = 0;
  const count = (value: unknown) => {
    if (typeof value === 'string') bytes += 2 + Buffer.byteLength(value);
    else bytes += 1;
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    open.push(value);
  };
  const countMembers = (value: object) => {
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined) continue;
      bytes += 3 + Buffer.byteLength(name);
      count(item);
    }
  };
  const countItems = (list: readonly unknown[]) => {
    for (let index = 0; index < list.length && bytes <= most; index++) count(list[index]);
  };
  count(event);
  for (let value = open.pop(); value !== undefined && bytes <= most; value = open.pop())
    if (Array.isArray(value)) countItems(value);
    else countMembers(value);
  return bytes;
}
