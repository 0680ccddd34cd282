/** The contract of stores, for those in memory and in files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore, memoryStore } from '../../src/store.ts';
import { storeContract } from './store-contract.ts';

storeContract('memoryStore', async () => ({ store: memoryStore() }), {
  outliveTheStore: 'it is the memory of one process',
  beRewritten: 'nobody else reaches its lines',
});

storeContract(
  'fileStore',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fuseloop-files-'));
    const path = join(folder, '运行');
    return {
      store: fileStore(path),
      other: () => fileStore(path),
      elsewhere: { kind: 'file', path },
      rewrite: async (runId, change) => {
        const file = join(path, `${runId}.jsonl`);
        const [header = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
        // Holds are lines of the store.
        const texts = change(lines.filter((line) => !line.startsWith('{"type":"hold"')));
        await writeFile(file, `${[header, ...texts].join('\n')}\n`);
      },
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  },
  { listWhatIsDamaged: 'a list reads the first and the last lines alone' },
);
