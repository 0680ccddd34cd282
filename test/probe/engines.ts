/** The engines by name. Another one is one file beside `engines/fuseloop.ts`, and one line here. */
import type { Engine } from './engine.ts';
import { fuseloop } from './engines/fuseloop.ts';
import { plantedEngines } from './engines/planted.ts';

const engines: readonly Engine[] = [fuseloop];

export const engineNames = engines.map(({ name }) => name);

export function engineNamed(name: string): Engine {
  const engine = [...engines, ...plantedEngines].find((each) => each.name === name);
  if (engine === undefined) throw new Error(`There is no engine ${name}. Known: ${engineNames.join(', ')}.`);
  return engine;
}
