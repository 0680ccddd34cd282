/** The dialect `json`: one JSON object a turn, bare or fenced. Pure. */
import type { Texts } from '../core/language.ts';
import { chineseTexts } from './chinese-texts.ts';
import type { ShippedDialect } from './dialect.ts';
import { jsonForm } from './json-form.ts';
import { createJsonScanner } from './json-scanner.ts';
import { writeObservations } from './observation.ts';
import { teach } from './prompt.ts';

const shape: Texts = {
  en: [
    'Write every reply as one JSON object and nothing else:',
    '',
    '{"thought": "what you know, and what to do next", "action": "the name of one tool, exactly as listed", "action_input": {}}',
    '',
    '"action_input" holds the input of the tool. Stop right after the object. The result is then sent to you as "Observation: …"; never write an Observation yourself. One object a reply.',
    '',
    'When you know the answer, write instead:',
    '',
    '{"thought": "why the task is done", "action": "final_answer", "action_input": "the answer, complete, for the person who asked"}',
  ].join('\n'),
  zh: chineseTexts?.json,
};

export const json: ShippedDialect = Object.freeze<ShippedDialect>({
  name: 'json',
  json: true,
  form: jsonForm,
  serverStops: Object.freeze(['\nObservation:', '\n观察:', '\n观察：']),
  instructions: (options) => teach({ form: jsonForm, shape }, options),
  scanner: createJsonScanner,
  writeObservation: writeObservations,
});
