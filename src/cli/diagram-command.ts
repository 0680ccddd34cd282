/** `fuseloop diagram`: draws the machine, or one of the user's. */
import { writeFileSync } from 'node:fs';
import type { AnyStateMachine } from 'xstate';
import { createReactMachine } from '../../machines/react.machine.ts';
import { messageOf } from '../core/message-of.ts';
import { charts } from '../observe/chart/layout.ts';
import { svgOf } from '../observe/chart/svg.ts';
import { movesOfMachine } from '../verify/machine-nodes.ts';
import { mermaidOf } from '../verify/mermaid.ts';
import type { CommandIo } from './command-io.ts';
import { type DiagramFlags, diagramHelpText, readDiagramFlags } from './diagram-flags.ts';
import { fittedHelp } from './help.ts';
import { loadAnyMachine } from './load-machine.ts';
import { misuse } from './misuse.ts';
import { oneLine } from './plain-text.ts';

/** Returns the exit code; throws AgentError for misuse. */
export async function diagramCommand(argv: readonly string[], { stdout }: CommandIo): Promise<number> {
  const flags = readDiagramFlags(argv);
  if (flags === 'help') {
    stdout.write(fittedHelp(diagramHelpText(), stdout));
    return 0;
  }
  const machine: AnyStateMachine =
    flags.machine === undefined ? createReactMachine() : await loadAnyMachine(flags.machine);
  const drawn = flags.form === 'mermaid' ? `${mermaidOf(machine)}\n` : svgOf(chartFor(machine, flags));
  if (flags.out === undefined) stdout.write(drawn);
  else writeTo(flags.out, drawn);
  return 0;
}

/** Throws misuse where the machine has a way that was given no place, or lacks one that was. */
function chartFor(machine: AnyStateMachine, { form, machine: path }: DiagramFlags) {
  const chart = form === 'tall' ? charts.tall : charts.wide;
  const placed = new Set(chart.ways.flatMap(({ moves }) => moves));
  const own = movesOfMachine(machine.root);
  const more = [...own].find((move) => !placed.has(move));
  const lacking = [...placed].find((move) => !own.has(move));
  const hint = 'The SVG is placed by hand for the shipped states. Leave --svg out: Mermaid draws any machine.';
  if (more !== undefined) throw misuse(`--svg has no place for ${oneLine(more)} of --machine ${path}.`, hint);
  if (lacking !== undefined) throw misuse(`--svg shows ${lacking}, which --machine ${path} lacks.`, hint);
  return chart;
}

function writeTo(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (thrown) {
    throw misuse(
      `--out ${path} cannot be written: ${messageOf(thrown)}.`,
      'The folder must exist, and you must be allowed to write there. Correct the path, or leave --out out.',
      thrown,
    );
  }
}
