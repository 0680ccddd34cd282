/** Whatever was thrown, in words. Pure; imports nothing. */

/** The message of whatever was thrown: also of a string, an object, or an object whose `message` throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    if (typeof thrown === 'string') return thrown;
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return 'an error that cannot be shown';
  }
}
