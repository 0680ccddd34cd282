/** Names of tools as every provider accepts them: letters, digits, `_` and `-`, at most 64. Pure. */

export interface WireNames {
  /** Fit for the wire, and different for different tools; also for a name that no tool has. */
  toWire(tool: string): string;
  /** The tool of a name on the wire; a name that stands for none is given back as it is. */
  fromWire(name: string): string;
}

const longestName = 64;

/** Names that fit are kept; of the others, those whose fitting form is taken get a number. */
export function wireNames(tools: readonly string[]): WireNames {
  const wire = new Map<string, string>();
  const taken = new Map<string, string>();
  const give = (tool: string, name: string) => {
    wire.set(tool, name);
    taken.set(name, tool);
  };
  for (const tool of tools) if (fitting(tool) === tool) give(tool, tool);
  for (const tool of tools) if (!wire.has(tool)) give(tool, firstFree(fitting(tool), taken));
  return {
    toWire: (tool) => wire.get(tool) ?? fitting(tool),
    fromWire: (name) => taken.get(name) ?? name,
  };
}

function fitting(name: string): string {
  const fit = name.slice(0, longestName).replace(/[^A-Za-z0-9_-]/g, '_');
  return /[A-Za-z0-9]/.test(fit) ? fit : 'tool';
}

function firstFree(name: string, taken: ReadonlyMap<string, string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name.slice(0, longestName - 6)}_${number}`;
  return free;
}
