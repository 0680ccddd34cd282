/** A command that is over has no trace and no stored run open, also where it was refused in the middle. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tellsOpenFiles } from '../support/open-files.ts';
import { fixture, folder, fuseloop } from './command.ts';
import { asks, keep } from './stored-runs.ts';

const env = { NODE_OPTIONS: `--import=${pathToFileURL(fixture('open-at-exit.mjs'))}` };
const nothingOpen = expect.stringContaining('open at exit: []\n');

describe.skipIf(!tellsOpenFiles)('a command that is over has nothing open', () => {
  it('a run that reached its limit, and one that is refused when its trace was opened already', async () => {
    const kept = await keep([asks('note', 'a')], ['--max-steps', '1', '--trace', 'limited.jsonl']);
    expect(await kept.run(['--run-id', 'limited'], { env })).toMatchObject({ code: 1, stderr: nothingOpen });
    const refused = await kept.resume('limited', [], { env });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--max-steps is 1') });
    expect(refused.stderr).toEqual(nothingOpen);
  });

  it.each(['audit', 'replay', 'report'])('%s of a file that is no trace in its middle', async (command) => {
    writeFileSync(join(folder, 'broken.jsonl'), 'my notes\n'.repeat(100_000));
    const { code, stderr } = await fuseloop([command, 'broken.jsonl'], { env });
    expect(stderr).toEqual(nothingOpen);
    expect(code).not.toBe(0);
  });
});
