/** The tools of several sources as one record. Where two sources have the same name nothing is chosen: it is refused. */
import { AgentError } from '../src/core/errors.ts';
import type { AnyTool, ToolRecord } from '../src/core/tool.ts';

/** Tools by the name of where they come from: `{ crm: { search }, mail: { send } }`. */
export interface ToolSources {
  readonly [source: string]: ToolRecord;
}

export interface JoinOptions {
  /** Names each tool by its source as well: `crm_search`. Default: false. */
  readonly prefix?: boolean;
}

/**
 * For `createAgent({ tools: joinTools({ crm, mail }) })`. The tools themselves are as they were.
 *
 * Throws AgentError (`invalid_option`), which names the tool and both sources, where two sources have tools whose names are
 * equal, or differ by case and signs alone (`send_mail`, `Send-Mail`): a model would take one for the other.
 */
export function joinTools<const Sources extends ToolSources>(
  sources: Sources,
  options?: JoinOptions & { readonly prefix?: false },
): JoinedTools<Sources>;
export function joinTools<const Sources extends ToolSources>(
  sources: Sources,
  options: JoinOptions & { readonly prefix: true },
): PrefixedTools<Sources>;
export function joinTools(sources: ToolSources, options?: JoinOptions): ToolRecord;
export function joinTools(sources: ToolSources, { prefix = false }: JoinOptions = {}): ToolRecord {
  mustBeRecord('sources', sources);
  if (typeof prefix !== 'boolean')
    throw new AgentError('invalid_option', 'prefix is no boolean.', { hint: 'It is true or false.' });
  const joined: Placed[] = [];
  const taken = new Map<string, Placed>();
  for (const [source, tools] of Object.entries(sources)) {
    mustBeRecord(`sources.${source}`, tools);
    const placed = Object.entries(tools).map(([own, tool]): Placed => {
      return { source, own, name: prefix ? `${source}_${own}` : own, tool };
    });
    for (const one of placed) mustBeFree(one, taken.get(bare(one.name)), prefix);
    // Behind all of one source: what a source has beside each other is its own matter.
    for (const one of placed) taken.set(bare(one.name), one);
    joined.push(...placed);
  }
  // fromEntries defines its members: a tool called `__proto__` is a tool like any other.
  return Object.fromEntries(joined.map(({ name, tool }) => [name, tool]));
}

/** The tools of all sources by their names, with their types. */
export type JoinedTools<Sources extends ToolSources> = Flat<Joined<Sources[keyof Sources]>>;

/** The same, each named by its source as well. */
export type PrefixedTools<Sources extends ToolSources> = Flat<
  Joined<
    {
      [Source in keyof Sources & string]: {
        readonly [Name in keyof Sources[Source] & string as `${Source}_${Name}`]: Sources[Source][Name];
      };
    }[keyof Sources & string]
  >
>;

/** All members of a union of records. */
type Joined<Records> = (Records extends unknown ? (record: Records) => void : never) extends (record: infer All) => void
  ? All
  : never;
type Flat<Record> = { readonly [Name in keyof Record]: Record[Name] };

interface Placed {
  readonly source: string;
  /** In its source. */
  readonly own: string;
  readonly name: string;
  readonly tool: AnyTool;
}

/** What is left of a name without case and signs, in any script. */
function bare(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '_');
}

function mustBeFree(one: Placed, before: Placed | undefined, prefix: boolean): void {
  if (before === undefined) return;
  const [first, second] = [JSON.stringify(before.name), JSON.stringify(one.name)];
  const sources = `${JSON.stringify(before.source)} and ${JSON.stringify(one.source)}`;
  throw new AgentError(
    'invalid_option',
    first === second
      ? `The tool ${first} is in two sources: ${sources}.`
      : `The tools ${first} and ${second} of the sources ${sources} differ by case and signs alone.`,
    {
      hint: prefix
        ? 'Rename one of the tools, or one of the sources.'
        : `Rename one of them, or name all by their source with joinTools(sources, { prefix: true }): ${before.source}_${before.own}, ${one.source}_${one.own}.`,
    },
  );
}

function mustBeRecord(what: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new AgentError('invalid_option', `${what} is no record of tools.`, {
    hint: 'Give the tools of each source by name: joinTools({ crm: { search: tool({ … }) } }).',
  });
}
