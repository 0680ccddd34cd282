/**
 * Tools that do what no loop can prevent: they are there to show that the runner sees it. Only the tests of the runner use
 * them.
 */
import { z } from 'zod';

const hoard: unknown[] = [];

const deeds: ReadonlyMap<string, () => void> = new Map<string, () => void>([
  ['forgets a rejection', () => void Promise.reject(new Error('nobody takes this'))],
  ['ends the process', () => process.exit(3)],
  ['warns', () => process.emitWarning('too many listeners', 'MaxListenersExceededWarning')],
  ['leaves a timer', () => void setTimeout(() => {}, 60_000)],
  ['prints', () => console.log('hush-hush')],
  ['hoards', () => void hoard.push(new Array(50_000).fill(hoard.length))],
  ['pollutes', () => Object.defineProperty(Object.prototype, 'polluted', { value: true, configurable: true })],
]);

export const misdeed = z.string().refine((what) => deeds.has(what), 'is no misdeed that anybody knows');

export function misbehave(what: string): string {
  deeds.get(what)?.();
  return 'nothing happened';
}
