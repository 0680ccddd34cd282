/** What the failures of this adapter say beside what all adapters over HTTP say. Pure. */
import type { FailureWords } from '../http/failures.ts';

export const openaiWords: FailureWords = Object.freeze({
  baseURLHint: 'Check that the base URL is that of an OpenAI-compatible server and ends before /chat/completions.',
  hintFor: (status: number, message: string) => (refusesTools(status, message) ? toolsHint : null),
});

/** Such as `gemma does not support tools` of Ollama, and vLLM and llama.cpp without the flag for them. */
function refusesTools(status: number, message: string): boolean {
  if (![400, 404, 422, 500, 501].includes(status) || !/\btools?\b/i.test(message)) return false;
  // A fault of the server may speak of anything, such as whom to ask for support.
  const says = status < 500 ? /\b(?:un)?support|\brequires --/i : /\bnot support|\bunsupported\b|\brequires --/i;
  return says.test(message);
}

const toolsHint =
  "The server or the model takes no tools as it is set up: use a text dialect, such as dialect: 'labelled', or another model.";
