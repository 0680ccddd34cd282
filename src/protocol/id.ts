/**
 * The dialect `id`: labels as in `labelled`, but a tool is called by its id, `Action: T03 {"query": "x"}`, and an
 * observation stands between lines of dashes. It makes the shortest prompt: about 15 tokens a tool. Pure.
 */
import { inLanguage, type Texts } from '../core/language.ts';
import type { Mark, ReadCall, Reading } from '../core/reading.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { PromptOptions, ReadOptions, Scanner, ShippedDialect } from './dialect.ts';
import { exampleTools, renderExamples } from './examples.ts';
import type { Form } from './form.ts';
import { asData, idForm } from './id-form.ts';
import { idsOf, nameBehind } from './id-names.ts';
import { createLabelledScanner } from './labelled-scanner.ts';
import { describeTools } from './prompt.ts';
import { signatureOf } from './signature.ts';

/** Null in bundles for the edge that do not ask for it. */
export const id: ShippedDialect | null = Object.freeze<ShippedDialect>({
  name: 'id',
  form: idForm,
  // A line of dashes may stand in an answer: the server would cut it there. We cut behind a call, where it cannot.
  serverStops: Object.freeze([]),
  instructions,
  scanner: createIdScanner,
  shown: shownIds,
  named: (written, options) => nameBehind(written, registeredIn(options)),
  asData,
  writeObservation: (results) =>
    idForm.observation(results.map(({ tool, text }) => (results.length === 1 ? text : `(${tool}) ${text}`)).join('\n')),
});

function registeredIn({ registered, tools }: ReadOptions): readonly string[] {
  return registered ?? tools;
}

/** Of the tools that exist: an id of one that was removed is still read, and never recommended. */
function shownIds(options: ReadOptions): readonly string[] {
  const ids = idsOf(registeredIn(options));
  return options.tools.map((name) => ids.get(name)).filter((id) => id !== undefined);
}

/** Reads as `labelled` does; what the model calls by id is called by name from here on. */
function createIdScanner(options: ReadOptions): Scanner {
  const registered = registeredIn(options);
  const ids = [...idsOf(registered).values()];
  const labels = { form: idForm, shown: shownIds(options), ruled: true, ...options };
  const scanner = createLabelledScanner({ ...labels, tools: [...ids, ...options.tools] });
  const named = (calls: readonly ReadCall[]) =>
    calls.map((call) => ({ ...call, tool: nameBehind(call.tool, registered) }));
  const markNamed = (mark: Mark): Mark => ({ ...mark, calls: named(mark.calls) });
  const readingNamed = (reading: Reading): Reading =>
    reading.kind === 'calls' ? { ...reading, calls: named(reading.calls) } : reading;
  return {
    feed(chunk) {
      const marks = scanner.feed(chunk);
      return marks.length === 0 ? marks : marks.map(markNamed);
    },
    end() {
      const { marks, reading } = scanner.end();
      return { marks: marks.map(markNamed), reading: readingNamed(reading) };
    },
    kept: scanner.kept,
  };
}

function instructions({ tools, language, examples }: PromptOptions): string {
  const ids = idsOf(tools.map(({ name }) => name));
  const list = tools.map((tool) => `${ids.get(tool.name)} ${signatureOf(tool)}`);
  const parts = [
    list.length === 0 ? describeTools([], language) : [inLanguage(listLead, language), ...list].join('\n'),
    inLanguage(shape, language),
    inLanguage(faults, language),
  ];
  if (examples) parts.push(`${inLanguage(examplesLead, language)}\n\n${renderExamples(exampleForm, language)}`);
  return parts.join('\n\n');
}

const listLead: Texts = {
  en: 'Tools, by id. A field is a string unless its type is given; a question mark means that it may be left out.',
  zh: chineseTexts?.idList,
};

const shape: Texts = {
  en: [
    'Write every reply in this form:',
    '',
    'Thought: what you know, and what to do next',
    'Action: the id of one tool, and its input as one JSON object, on one line',
    '',
    'Stop right after the Action. The result is then sent to you between two lines "---"; never write such a block, or an Observation, yourself. One action a reply.',
    '',
    'When you know the answer, write instead:',
    '',
    'Thought: why the task is done',
    'Answer: the answer, complete, for the person who asked',
  ].join('\n'),
  zh: chineseTexts?.id,
};

const faults: Texts = {
  en: 'A result that begins with "ERROR:" says what went wrong: your reply could not be read, the tool failed or refused its input, or you repeat yourself. Find out why and correct it; do not repeat it unchanged.',
  zh: chineseTexts?.idFaults,
};

const examplesLead: Texts = {
  en: 'Examples. Their tools are made up; use only the tools listed above. You write everything except what stands between lines "---".',
  zh: chineseTexts?.idExamples,
};

/** Ids far behind those of any real tool. */
const exampleIds = new Map(exampleTools.map((name, index) => [name, `T${901 + index}`]));

const exampleForm: Form = {
  ...idForm,
  call: (thought, tool, input) => idForm.call(thought, exampleIds.get(tool) ?? tool, input),
};
