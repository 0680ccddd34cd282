/**
 * The label `AI:` of conversational prompts, behind which the answer stands (the agents of LangChain that were made for
 * chats). Pure. It is weaker than the labels of a step: a line of a thought may begin so.
 */
import { skipSpaces } from './labels.ts';

/** Where the text behind `AI:`, with which a line begins, stands; -1 where the line does not. */
export function behindSpeaker(line: string): number {
  const found = /^[ \t]{0,3}(\*{0,2})AI(?:\1[:：]|[:：]\1)/.exec(line.slice(0, 16));
  return found === null ? -1 : skipSpaces(line, found[0].length);
}
