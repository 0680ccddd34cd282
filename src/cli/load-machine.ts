/** A machine from a module of the user. */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { loadOne } from './load-one.ts';
import { machineShape } from './schemas.ts';

const form =
  "Such as: import { createReactMachine } from 'fuseloop/machine'; export const machine = createReactMachine().provide({ … });";

/** Throws misuse where the module holds no machine. */
export function loadMachine(path: string): Promise<ReactMachine> {
  return loadOne(path, { name: 'machine', form, is: isMachine });
}

/** That it is one of XState; what it does is what the proof finds out. */
function isMachine(value: unknown): value is ReactMachine {
  return machineShape.safeParse(value).success;
}
