/** A machine from a module of the user. */
import type { ReactMachine } from '../../machines/react.machine.ts';
import { defaults } from '../core/limits.ts';
import { messageOf } from '../core/message-of.ts';
import { createPort } from '../step.ts';
import { loadOne } from './load-one.ts';
import { misuse } from './misuse.ts';
import { contextShape, machineShape } from './schemas.ts';

const form =
  "Such as: import { createReactMachine } from 'fuseloop/machine'; export const machine = createReactMachine().provide({ … });";

/** Throws misuse where the module holds no machine, or one of another kind. */
export async function loadMachine(path: string): Promise<ReactMachine> {
  const machine = await loadAnyMachine(path);
  const begun = beginning(machine);
  if (begun.kind === 'ours') return machine;
  throw misuse(`--machine ${path}: the machine is not made from the parts of fuseloop/machine: ${begun.why}.`, form);
}

/** One of XState 5, whatever its states are: to be looked at alone. Throws misuse where the module holds none. */
export function loadAnyMachine(path: string): Promise<ReactMachine> {
  return loadOne(path, { name: 'machine', form, is: isMachine });
}

/** That it is one of XState; what it does is what the proof finds out. */
function isMachine(value: unknown): value is ReactMachine {
  return machineShape.safeParse(value).success;
}

type Begun = { readonly kind: 'ours' } | { readonly kind: 'other'; readonly why: string };

/** Whether it begins with a context of ours. */
function beginning(machine: ReactMachine): Begun {
  try {
    const none = { loopGuard: null, maxEmptyResults: null, modelRetries: 0, checksAnswer: false };
    const limits = { ...defaults.budget, ...none, maxParallel: 1 };
    const { snapshot } = createPort(machine).start(limits);
    const { success } = contextShape.safeParse(snapshot.context);
    return success ? { kind: 'ours' } : { kind: 'other', why: 'its context has no limits, calls and counters' };
  } catch (thrown) {
    return { kind: 'other', why: messageOf(thrown) };
  }
}
