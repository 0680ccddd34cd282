/**
 * The dialect `labelled`: Thought / Action / Action Input / Observation / Final Answer, read in English or Chinese labels
 * (ReAct, arXiv 2210.03629, in the form that LangChain and its successors gave it). Pure.
 */
import type { Texts } from '../core/language.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { ShippedDialect } from './dialect.ts';
import { labelledForm } from './labelled-form.ts';
import { createLabelledScanner } from './labelled-scanner.ts';
import { writeObservations } from './observation.ts';
import { teach } from './prompt.ts';

const shape: Texts = {
  en: [
    'Write every reply in this form:',
    '',
    'Thought: what you know, and what to do next',
    'Action: the name of one tool, exactly as listed',
    'Action Input: its input, as one JSON object',
    '',
    'Stop right after the Action Input. The result is then sent to you as "Observation: …"; never write an Observation yourself. One action a reply.',
    '',
    'When you know the answer, write instead:',
    '',
    'Thought: why the task is done',
    'Final Answer: the answer, complete, for the person who asked',
  ].join('\n'),
  zh: chineseTexts?.labelled,
};

export const labelled: ShippedDialect = Object.freeze<ShippedDialect>({
  name: 'labelled',
  form: labelledForm,
  serverStops: Object.freeze(['\nObservation:', '\n观察:', '\n观察：']),
  instructions: (options) => teach({ form: labelledForm, shape }, options),
  // What is spread stands last in literals that are made for each reply: keys behind it cost a microsecond each.
  scanner: (options) => createLabelledScanner({ form: labelledForm, shown: options.tools, ruled: false, ...options }),
  writeObservation: writeObservations,
});
