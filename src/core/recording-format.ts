/** How a recording of what a model said is told from a trace of what runs did. Pure. */
import { isJsonObject } from './json.ts';

export const recordingFormat = 'fuseloop.recording/1';

/** Whether a line of a file is of a recording, of whatever version. */
export function isOfRecording(line: unknown): boolean {
  return isJsonObject(line) && typeof line.format === 'string' && line.format.startsWith('fuseloop.recording/');
}
