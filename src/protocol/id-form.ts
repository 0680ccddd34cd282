/** How the dialect `id` writes a step: an id in place of the tool's name, and its input on the same line. Pure. */
import type { JsonValue } from '../core/json.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { Form } from './form.ts';
import { isRule } from './labels.ts';

const rule = 'Write "Thought:" first, then either "Action:" with the id of a tool and one JSON object, or "Answer:".';

export const idForm: Form & { observation(text: string): string } = Object.freeze({
  rule: Object.freeze({ en: rule, zh: chineseTexts?.rules.id ?? rule }),
  call: (thought: string, tool: string, input: JsonValue) =>
    `Thought: ${thought}\nAction: ${tool} ${JSON.stringify(input)}`,
  answer: (thought: string, answer: string) => `Thought: ${thought}\nAnswer: ${answer}`,
  observation: (text: string) => `---\n${text.split('\n').map(withError).join('\n')}\n---`,
});

const markers = ['[FormatError] ', '[ToolError] ', '[LoopGuard] '];

function withError(line: string): string {
  const marker = markers.find((candidate) => line.startsWith(candidate));
  return marker === undefined ? line : `ERROR: ${line.slice(marker.length)}`;
}

/** A line of dashes would end the block, and `ERROR:` is for faults alone: both get a backslash. */
export function asData(text: string): string {
  return text
    .split('\n')
    .map((line) => (isRule(line) || line.startsWith('ERROR:') ? `\\${line}` : line))
    .join('\n');
}
