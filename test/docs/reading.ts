/** The tables of docs/reading.md, made from the dialects themselves. */
import { tokensOfUnits, tokenUnits } from '../../src/context/tokens.ts';
import { violationCodes } from '../../src/core/stop-reasons.ts';
import type { ToolDescription } from '../../src/protocol/dialect.ts';
import { dialectNamed, dialectNames, violationHint } from '../../src/protocol/read.ts';
import { wrongLabels } from '../corpus-labels.ts';

/** Ten tools of the same size, as a service might have. */
const tools: readonly ToolDescription[] = Array.from({ length: 10 }, (_, index) => ({
  name: `find_order_${index + 1}`,
  description: 'Finds the orders of a customer. Gives at most fifty, newest first.',
  inputSchema: {
    type: 'object',
    properties: { customer: { type: 'string' }, limit: { type: 'integer' } },
    required: ['customer'],
    additionalProperties: false,
  },
}));

/** How a call is written in each dialect, and what its system message costs. */
export function dialectTable(): string {
  const rows = dialectNames.map((name) => {
    const { form } = dialectNamed(name);
    const call =
      name === 'native' ? 'the provider’s own tool calls' : code(form?.call('…', calledAs(name), { q: 'tide' }));
    return `| \`${name}\` | ${call} | ${tokens(name, 0)} | ${perTool(name)} |`;
  });
  return [
    '| dialect | a call | tokens of the instructions | tokens a tool |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function calledAs(dialect: string): string {
  return dialect === 'id' ? 'T01' : 'search';
}

function code(text: string | undefined): string {
  return (text ?? '')
    .split('\n')
    .map((line) => `\`${line}\``)
    .join('<br>');
}

/** By our own count, without examples. What goes beside the messages counts as well. */
function tokens(name: string, count: number): number {
  const dialect = dialectNamed(name);
  const some = tools.slice(0, count);
  const prompt = dialect.instructions({ tools: some, language: 'en', examples: false });
  const beside = count === 0 || dialect.wire === undefined ? '' : JSON.stringify(dialect.wire.tools(some));
  return tokensOfUnits(tokenUnits(prompt) + tokenUnits(beside));
}

function perTool(name: string): number {
  return Math.round((tokens(name, 10) - tokens(name, 1)) / 9);
}

/** What the model is told of each violation, in one dialect. */
export function hintTable(): string {
  const rows = violationCodes.map((violation) => {
    const hint = violationHint(violation, { dialect: 'labelled', tools: ['search'], seen: 'Well', tool: 'search' });
    const [told = ''] = hint.split('\n');
    return `| \`${violation}\` | ${firstSentence(told)} |`;
  });
  return ['| code | what the model is told first |', '| --- | --- |', ...rows].join('\n');
}

/** Up to where the rule of the form begins, which is the same for all. */
function firstSentence(hint: string): string {
  return hint.slice(0, hint.indexOf(' Write "Thought:"'));
}

/** A whole hint, as it stands in the next prompt. */
export function oneHint(): string {
  return `[FormatError] ${violationHint('no_step', { dialect: 'labelled', tools: ['search'], seen: 'The tide table says' })}`;
}

/** The labels of recorded replies that we hold wrong, by their reason. */
export function labelTable(): string {
  const byReason = new Map<string, string[]>();
  for (const [id, reason] of Object.entries(wrongLabels)) byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  const rows = [...byReason].map(([reason, ids]) => `| ${ids.map((id) => `\`${id}\``).join(' ')} | ${reason} |`);
  return ['| replies | why the label is held wrong |', '| --- | --- |', ...rows].join('\n');
}
