/** The flags of `fuseloop diagram`, and its help. Pure. */
import type { Flag } from './flag-table.ts';
import { flagLines } from './help.ts';
import { misuse } from './misuse.ts';
import { readTable } from './read-flag-table.ts';
import { diagramFlagValues } from './schemas.ts';
import { verifyFlagTable } from './verify-flags.ts';

const none = 'It takes no value.';

const diagramFlagTable = {
  mermaid: { type: 'boolean', tells: 'as a Mermaid state diagram, for Markdown; the default', allowed: none },
  svg: { type: 'boolean', tells: 'as an SVG picture, light and dark as the screen of its reader', allowed: none },
  tall: { type: 'boolean', tells: 'with --svg: placed for a narrow screen, from the top down', allowed: none },
  machine: verifyFlagTable.machine,
  out: {
    type: 'string',
    value: 'FILE',
    tells: 'write it to FILE, and nothing to stdout; a file that is there is replaced',
    allowed: 'It is a file that can be written, in a folder that exists.',
  },
  help: { type: 'boolean', short: 'h', tells: 'this text', allowed: none },
} as const satisfies { readonly [name: string]: Flag };

export interface DiagramFlags {
  readonly form: 'mermaid' | 'wide' | 'tall';
  readonly machine: string | undefined;
  readonly out: string | undefined;
}

/** Throws misuse. */
export function readDiagramFlags(argv: readonly string[]): 'help' | DiagramFlags {
  const read = readTable(argv, diagramFlagTable, { command: 'diagram', schema: diagramFlagValues });
  if (read === 'help' || read === 'version') return 'help';
  const { mermaid, svg, tall, machine, out } = read.values;
  if (mermaid && svg) throw misuse('There are --mermaid and --svg.', 'One picture at a time: leave one of them out.');
  if (tall && !svg) throw misuse('--tall is given without --svg.', 'It says how the SVG is placed: add --svg.');
  return { form: svg ? (tall ? 'tall' : 'wide') : 'mermaid', machine, out };
}

export function diagramHelpText(): string {
  return `fuseloop diagram: the picture of the machine, from the machine itself

Usage
  fuseloop diagram [--mermaid | --svg [--tall]] [flags]

Mermaid is drawn by GitHub, GitLab and many editors where it stands in Markdown as \`\`\`mermaid. The SVG is one file that
asks for nothing else, for a page, a document or a slide; its places were set by hand, so it has the shipped states only.

Flags
${flagLines(diagramFlagTable)}

Exit codes
  0 drawn · 2 misuse, or the file could not be written

Examples
  fuseloop diagram
  fuseloop diagram --svg --out machine.svg
  fuseloop diagram --machine ./my-machine.js --out my-machine.mmd
`;
}
