/** A machine from a module of the user: its default export, one called `machine`, or its only one; or a function that makes it. */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { messageOf } from '../core/message-of.ts';
import { type Exported, importModule } from './load-tools.ts';
import { misuse } from './misuse.ts';
import { machineShape } from './schemas.ts';

const form =
  "Such as: import { createReactMachine } from 'fuseloop/machine'; export const machine = createReactMachine().provide({ … });";

/** Throws misuse where the module holds no machine. */
export async function loadMachine(path: string): Promise<ReactMachine> {
  const exported = await importModule('--machine', path);
  const machine = made(path, candidateIn(exported));
  if (isMachine(machine)) return machine;
  throw misuse(`--machine ${path}: no machine is exported.`, form);
}

function candidateIn(exported: Exported): unknown {
  const names = Object.keys(exported);
  return exported.default ?? exported.machine ?? (names.length === 1 ? exported[names[0] ?? ''] : undefined);
}

function made(path: string, candidate: unknown): unknown {
  if (typeof candidate !== 'function') return candidate;
  try {
    return Reflect.apply(candidate, undefined, []);
  } catch (thrown) {
    throw misuse(`--machine ${path}: the function that makes the machine threw: ${messageOf(thrown)}`, form, thrown);
  }
}

/** That it is one of XState; what it does is what the proof finds out. */
function isMachine(value: unknown): value is ReactMachine {
  return machineShape.safeParse(value).success;
}
