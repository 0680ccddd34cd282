/** The browser of the page's tests: Debian's chromium, driven by playwright-core. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

const places = [
  process.env.FUSELOOP_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executablePath = places.find((place) => place !== undefined && existsSync(place));

/** Says so where there is no browser; where CI is set, that is a failure. */
export const describeInBrowser = executablePath === undefined && process.env.CI === undefined ? skipped : describe;

function skipped(title: string, _tests: () => void): void {
  console.log(
    `${title}: skipped, because there is no Chromium. Install it (Debian: apt-get install chromium), or set FUSELOOP_CHROMIUM to its path.`,
  );
  describe.skip(title, _tests);
}

/** Names of this kind lead to this machine: those of pages that are none of ours. */
export const foreignHost = 'foreign.test';

let shared: Promise<Browser> | null = null;

/** One for all files that share their modules (vitest.config.ts). It ends with the process, whose pipe it reads. */
export async function sharedBrowser(): Promise<Browser> {
  const known = await shared?.catch(() => null);
  if (known?.isConnected() === true) return known;
  shared = launchBrowser();
  return shared;
}

/** Nothing of the browser's own asks the network, and no name leads out of this machine. */
export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error('There is no Chromium. Install it (Debian: apt-get install chromium), or set FUSELOOP_CHROMIUM.');
  return chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      `--host-resolver-rules=MAP ${foreignHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
    ],
  });
}
