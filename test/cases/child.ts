/**
 * One case in a process of its own: `child.ts IN OUT`. What the runtime says of it is noted, the facts are written to OUT,
 * and then the process ends by itself, if nothing holds it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCases } from './format.ts';
import { observeHere } from './observe.ts';
import { describe } from './process.ts';

const [inFile = '', outFile = ''] = process.argv.slice(2);
const unhandled: string[] = [];
const warnings: string[] = [];
// An exception that nobody catches ends this process, as it would end any other.
process.on('unhandledRejection', (thrown) => unhandled.push(describe(thrown)));
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const [entry] = readCases(readFileSync(inFile, 'utf8'));
if (entry === undefined || entry.case === null) throw new Error('there is no case to play');
const facts = await observeHere(entry.case);
// A rejection that nobody takes is reported one turn later.
await sleep(20);
// Only what keeps the process alive is listed; files and pipes are the runtime's own.
const held = ['Timeout', 'Immediate', 'TCPSocketWrap', 'TCPServerWrap', 'TLSWrap', 'GetAddrInfoReqWrap'];
const openHandles = process.getActiveResourcesInfo().filter((kind) => held.includes(kind));
writeFileSync(outFile, JSON.stringify({ facts, unhandled, warnings, openHandles }));
// Whatever is open is known by now; it must not hold up the cases that follow.
setTimeout(() => process.exit(0), 1_500).unref();
