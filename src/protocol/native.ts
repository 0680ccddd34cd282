/**
 * The dialect `native`: the provider's own tool calls, several a reply. Text without calls is first looked through for a
 * call of a known tool in the form of another dialect; only then is it the answer. Pure.
 */
import { inLanguage, type Texts } from '../core/language.ts';
import type { Message } from '../core/model.ts';
import type { Mark, ReadCall } from '../core/reading.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { PromptOptions, ReadOptions, Scanner, ShippedDialect, StepWithCalls, Wire } from './dialect.ts';
import { violation } from './hints.ts';
import { type CallPieces, createCallPieces } from './native-calls.ts';
import { nativeForm } from './native-form.ts';
import { faultLines } from './prompt.ts';
import { type Ended, endedWith, plainAnswer, stepElsewhere } from './second-look.ts';
import { foreignForms } from './text-dialects.ts';
import { setThinkingAside } from './thinking.ts';
import { wireNames } from './wire-names.ts';

const shape: Texts = {
  en: [
    'Work in steps. In each reply either call tools with tool calls, or answer.',
    'Say in a sentence or two what you know and what you do next, then call the tool. Calls that do not depend on each other may stand in one reply. The results are then sent to you; never make one up.',
    'When you know the answer, write it as plain text without a tool call: complete, for the person who asked.',
  ].join('\n'),
  zh: chineseTexts?.native,
};

const withoutTools: Texts = {
  en: 'There are no tools. Write the answer as plain text.',
  zh: chineseTexts?.withoutTools,
};

export const native: ShippedDialect = Object.freeze<ShippedDialect>({
  name: 'native',
  form: nativeForm,
  serverStops: Object.freeze([]),
  instructions: ({ tools, language }: PromptOptions) =>
    [tools.length === 0 ? withoutTools : shape, faultLines].map((texts) => inLanguage(texts, language)).join('\n\n'),
  scanner: createNativeScanner,
  shown: shownNames,
  named: (written, { tools }) => wireNames(tools).fromWire(written),
  writeObservation: (results) => results.map(({ text }) => text).join('\n'),
  wire: Object.freeze<Wire>({
    tools: (tools) => {
      const { toWire } = wireNames(tools.map(({ name }) => name));
      return tools.map((tool) => ({ ...tool, name: toWire(tool.name) }));
    },
    step: writeStep,
  }),
});

/** The model knows the tools by the names that they have on the wire. */
function shownNames({ tools }: ReadOptions): readonly string[] {
  return tools.map(wireNames(tools).toWire);
}

const noMarks: readonly Mark[] = Object.freeze([]);

/** Calls wait for the end: nothing says earlier that the last of them is whole. */
function createNativeScanner(options: ReadOptions): Scanner {
  let text = '';
  const pieces = createCallPieces();
  let kept: string | null = null;
  return {
    feed(chunk) {
      text += chunk;
      return noMarks;
    },
    takeCall: pieces.take,
    end() {
      const ended = withCalls(text, pieces, options) ?? withoutCalls(text, options);
      kept = ended.kept;
      return { marks: ended.marks, reading: ended.reading };
    },
    kept: () => kept ?? text,
  };
}

/** Null where the provider gave no calls. Where none of them has a name there is nothing to run. */
function withCalls(text: string, pieces: CallPieces, options: ReadOptions): Ended | null {
  const found = pieces.calls();
  if (found.length === 0) return null;
  const { thinking, rest } = setThinkingAside(text);
  const thought = rest === '' ? thinking : rest;
  const fault = { ...options, tools: shownNames(options), form: nativeForm, thought };
  if (found.every(({ tool }) => tool === '')) return { marks: [], reading: violation('no_tool', fault), kept: text };
  const { fromWire } = wireNames(options.tools);
  const calls: ReadCall[] = [];
  for (const call of found) {
    // Of several calls none runs: which of the others were meant to run without this one, nobody knows.
    if ('unread' in call)
      return {
        marks: [],
        reading: violation('unreadable_input', { ...fault, seen: call.unread, tool: call.tool }),
        kept: text,
      };
    calls.push({ ...call, tool: fromWire(call.tool) });
  }
  return endedWith({ kind: 'calls', thought, calls }, text);
}

/** Names that the model was given count, and those that are written elsewhere. */
function withoutCalls(text: string, options: ReadOptions): Ended {
  const look = { dialect: native, others: foreignForms, options, callsAtEnd: true };
  const written = stepElsewhere(text, look).step ?? plainAnswer(text);
  if (written !== null) return written;
  const { thinking } = setThinkingAside(text);
  const code = thinking === null ? 'empty' : 'thought_only';
  return {
    marks: [],
    reading: violation(code, { ...options, tools: shownNames(options), form: nativeForm, thought: thinking }),
    kept: text,
  };
}

/** A call that was written as text goes back as a call, so that the next one is made rightly. */
function writeStep({ thought, calls, results }: StepWithCalls, tools: readonly string[]): readonly Message[] {
  const { toWire } = wireNames(tools);
  return [
    {
      role: 'assistant',
      content: thought ?? '',
      calls: calls.map(({ callId, tool, input }) => ({ toolCallId: wireId(callId), tool: toWire(tool), input })),
    },
    ...calls.map(({ callId }, index) => ({
      role: 'tool' as const,
      content: results[index]?.text || noResult,
      toolCallId: wireId(callId),
      ...(results[index]?.isError === true ? { isError: true as const } : {}),
    })),
  ];
}

/** Servers refuse a message without text. */
const noResult = '(no result)';

/** `12.3` is `c0000c003`: in base 36, so that it stays at nine characters for more calls than any reply holds. */
function wireId(callId: string): string {
  const [step, number] = callId.split('.').map((part) => Number(part).toString(36));
  return `c${step?.padStart(5, '0')}${number?.padStart(3, '0')}`;
}
