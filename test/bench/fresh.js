/** Each figure comes from a fresh process. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What a fresh process of Node prints, as JSON. */
export async function run(words) {
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout);
}
