/** Casts a net over the sources that it was bundled from, and writes what it caught as JSON: a text, or null. */
export async function cast(net: () => Promise<string | null>): Promise<void> {
  process.stdout.write(JSON.stringify(await caughtBy(net)));
}

/** A net that falls over has caught something too. */
async function caughtBy(net: () => Promise<string | null>): Promise<string | null> {
  try {
    return await net();
  } catch (thrown) {
    return String(thrown);
  }
}
