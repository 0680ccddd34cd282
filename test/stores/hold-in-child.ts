/** Another process that takes hold of a run, adds lines, says so, and then waits to be killed. */
import { fileStore, sqliteStore } from '../../src/store.ts';
import { settled, started } from './lines.ts';

const [kind, path = '', runId = ''] = process.argv.slice(2);
const store = kind === 'sqlite' ? sqliteStore(path) : fileStore(path);
const held = await store.open(runId);
const next = held.lines.length;
await held.append(next === 0 ? [started(runId), settled(1)] : [settled(next)]);
process.stdout.write(`held ${held.epoch}\n`);
process.stdin.resume();
