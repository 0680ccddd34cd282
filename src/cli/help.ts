/** What `--help` prints. Made from the table of flags. Pure. */
import { type Flag, flagTable } from './flag-table.ts';
import { wrapped } from './plain-text.ts';

export function helpText(): string {
  return `fuseloop: an agent that thinks, acts and observes in a loop which is bound to end

Usage
  fuseloop run "<task>" [flags]      a task in words
  fuseloop run - [flags]             the task from stdin
  fuseloop run --demo NAME           a demonstration; needs no key and no network
  fuseloop runs --store DIR          the runs that are kept, and what waits; fuseloop runs --help
  fuseloop resume RUN --store DIR    go on with one: decide what waits, raise a limit; fuseloop resume --help
  fuseloop report TRACE…             how runs did: success, tokens, time, tools, faults; fuseloop report --help
  fuseloop audit TRACE               who decided what in a run, when and why; fuseloop audit --help
  fuseloop inspect TRACE…            runs in a page on this machine, also as they go; fuseloop inspect --help
  fuseloop replay TRACE              the same run again, offline, and where it differs; fuseloop replay --help
  fuseloop verify [flags]            every path of the machine, every law; fuseloop verify --help
  fuseloop diagram [--svg]           the picture of the machine, for documents; fuseloop diagram --help
  fuseloop fuzz [flags]              random examples against what must hold; fuseloop fuzz --help

Flags of run
${flagLines(flagTable)}

Model: where it is found without flags
  1. FUSELOOP_MODEL=anthropic:NAME with ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL, or else
     OPENAI_API_KEY, OPENAI_BASE_URL and FUSELOOP_MODEL; set or in a .env file of this folder.
     A key goes to the base URL beside it, or else to its provider, and to no other --base-url
  2. Ollama on OLLAMA_HOST, by default 127.0.0.1:11434
  3. a scripted model, which knows only the demonstrations and arithmetic

Exit codes
  0 answered · 1 ended without an answer · 2 misuse · 3 a call waits for a person, and nobody was there to ask
  130 stopped with Ctrl-C, 143 with SIGTERM

Examples
  fuseloop run --demo incident
  fuseloop run "What is 17 % of 2,340?" --model gpt-4o-mini --trace run.jsonl
  fuseloop run "What is 17 % of 2,340?" --model anthropic:claude-sonnet-4-5 --dialect native
  fuseloop run "Which customers are late?" --tools ./my-tools.js --max-steps 6 --timeout 60
  fuseloop run "Tell every customer who is late." --tools ./my-tools.js --policy allow:send
  fuseloop run --demo rollback --store runs --unattended
  fuseloop run --demo rollback --inspect
  cat task.txt | fuseloop run - --json > outcome.json
`;
}

/** On a narrow terminal lines are broken at spaces; a file or a pipe gets them as they are. */
export function fittedHelp(text: string, { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): string {
  return isTTY === true ? wrapped(text, (columns || 80) - 1) : text;
}

/** The flags of a command, one a line. */
export function flagLines(table: { readonly [name: string]: Flag }): string {
  return Object.entries(table).map(lineOf).join('\n');
}

function lineOf([name, flag]: readonly [string, Flag]): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = flag.value === undefined ? '' : ` ${flag.value}`;
  return `  ${`${short}--${name}${value}`.padEnd(20)} ${flag.tells}`;
}
