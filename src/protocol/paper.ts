/**
 * The dialect `paper`: `Thought 1: …`, `Action 1: Search[x]`, `Finish[x]`, the form of ReAct (arXiv 2210.03629) itself and
 * of the environments built on it. `Finish` is always the answer: a tool of that name cannot be called here. Pure.
 */
import type { Texts } from '../core/language.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { ShippedDialect } from './dialect.ts';
import { writeObservations } from './observation.ts';
import { paperForm } from './paper-form.ts';
import { createPaperScanner } from './paper-scanner.ts';
import { teach } from './prompt.ts';

const shape: Texts = {
  en: [
    'Write every reply in this form:',
    '',
    'Thought: what you know, and what to do next',
    'Action: tool[input]',
    '',
    '"tool" is the name of one tool, exactly as listed. The brackets hold its input: one JSON object, or plain text where the tool takes text. Stop right after the closing bracket. The result is then sent to you as "Observation: …"; never write an Observation yourself. One action a reply.',
    '',
    'When you know the answer, write instead:',
    '',
    'Thought: why the task is done',
    'Action: Finish[the answer, complete, for the person who asked]',
  ].join('\n'),
  zh: chineseTexts?.paper,
};

/** Null in bundles for the edge that do not ask for it. */
export const paper: ShippedDialect | null = Object.freeze<ShippedDialect>({
  name: 'paper',
  form: paperForm,
  serverStops: Object.freeze(['\nObservation:', '\n观察:', '\n观察：']),
  instructions: (options) => teach({ form: paperForm, shape }, options),
  scanner: createPaperScanner,
  writeObservation: writeObservations,
});
