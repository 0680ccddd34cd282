/** Prints the table of docs/tools.md: one run for each row. */
import { type AgentOptions, type AnyTool, createAgent, ToolError, tool } from 'fuseloop';
import { scriptedModel } from 'fuseloop/testing';
import { looksLikeError } from 'fuseloop/tools';

const inputSchema = { type: 'object', properties: { id: { type: 'integer' } } } as const;
const outputSchema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] } as const;

const gives = (value: unknown, marks: Partial<AnyTool> = {}): AnyTool => ({
  inputSchema,
  execute: () => value,
  ...marks,
});
const throws = (thrown: unknown): AnyTool =>
  tool({
    inputSchema,
    execute: () => {
      throw thrown;
    },
  });
const hangs = (marks: Partial<AnyTool>): AnyTool => gives(new Promise(() => {}), { timeoutMs: 100, ...marks });
const coded = (code: string) => Object.assign(new Error(`${code}: no such file, open 'orders.csv'`), { code });
const busy = Object.assign(new Error('Request failed'), { status: 429 });

interface Row {
  readonly what: string;
  readonly tool: AnyTool;
  readonly input?: string;
  readonly agent?: Partial<AgentOptions>;
}

const rows: readonly Row[] = [
  { what: 'was given a wrong input', tool: gives(1), input: '{"id":"seven"}' },
  { what: 'throws an error', tool: throws(new Error('The disk is full.')) },
  {
    what: 'throws `ToolError` with a hint',
    tool: throws(new ToolError('No order 7.', { hint: 'Search for it first.' })),
  },
  { what: 'throws an error of the system', tool: throws(coded('ENOENT')) },
  { what: 'throws an error of a service', tool: throws(busy) },
  { what: 'reads, and takes too long', tool: hangs({ readOnly: true }) },
  { what: 'may have an effect, and takes too long', tool: hangs({}) },
  { what: 'reads, and does not fit its `outputSchema`', tool: gives({}, { outputSchema, readOnly: true }) },
  { what: 'may have an effect, and does not fit its `outputSchema`', tool: gives({}, { outputSchema }) },
  {
    what: 'reads, and `checkResult` does not accept it',
    tool: gives({ total: -1 }, { readOnly: true }),
    agent: { checkResult: () => 'The total is negative.' },
  },
  { what: 'gives an error page', tool: gives('<html><title>502 Bad Gateway</title></html>') },
  { what: 'gives an error object', tool: gives({ error: 'No such order.' }) },
  { what: 'gives nothing', tool: gives(undefined) },
  { what: 'gives an empty list', tool: gives([]) },
  { what: 'gives bytes', tool: gives(new Uint8Array(512)) },
  { what: 'gives too much', tool: gives('abcdefghij'.repeat(500)), agent: { sizes: { maxObservationChars: 120 } } },
];

async function printed({ what, tool, input = '{}', agent }: Row): Promise<string> {
  const model = scriptedModel([
    `Thought: Go.\nAction: work\nAction Input: ${input}`,
    'Thought: Done.\nFinal Answer: ok',
  ]);
  const { steps } = await createAgent({ model, tools: { work: tool }, looksLikeError, ...agent }).run('Work.');
  const [call] = steps[0]?.calls ?? [];
  return `| ${[what, cell(call?.observation ?? ''), `\`${call?.status}\``].join(' | ')} |`;
}

function cell(text: string): string {
  const safe = text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
  return safe.split('\n').join('<br>');
}

console.log('| the tool … | what the model is told | what the caller sees: `status` |\n| --- | --- | --- |');
for (const row of rows) console.log(await printed(row));
