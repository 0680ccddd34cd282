/**
 * What a model has refused, read from the API's words: its messages begin with the path of the member, such as
 * `system.0.cache_control: Extra inputs are not permitted`, or name it in a sentence. Remembered for this model object.
 */

import { firstNameIn, soundsRefused } from '../common/refused-name.ts';
import { errorIn, parseObject } from '../http/server-error.ts';
import type { Lesson, Sent } from './body.ts';

export interface Refusals {
  has(name: string): boolean;
  /** Whether the model thinks, but not with a budget. */
  wantsAdaptive(): boolean;
  /** The most tokens that it may be asked for, as far as it said so. */
  mostTokens(): number;
  learn(status: number, answer: string, sent: Sent): Lesson;
}

export function createRefusals(): Refusals {
  const refused = new Set<string>();
  let wantsAdaptive = false;
  let mostTokens = Number.POSITIVE_INFINITY;

  // What was sent is compared, not what is known by now: of two requests at once both are refused, and both go on.
  function lowers(message: string, { maxTokens }: Sent): boolean {
    const limit = limitIn(message);
    const isNews = mostTokens === Number.POSITIVE_INFINITY || maxTokens > mostTokens;
    if (limit === null || limit >= maxTokens || !isNews) return false;
    mostTokens = Math.min(mostTokens, limit);
    return true;
  }

  function leaveOut(name: string, message: string, { thinking }: Sent): void {
    if (name === 'thinking' && thinking === 'enabled' && /adaptive/i.test(message)) wantsAdaptive = true;
    else refused.add(name);
  }

  return {
    has: (name) => refused.has(name),
    wantsAdaptive: () => wantsAdaptive,
    mostTokens: () => mostTokens,
    learn(status, answer, sent) {
      if (status !== 400 && status !== 422) return 'refused';
      const message = messageIn(answer);
      if (lowers(message, sent)) return 'ask_again';
      const name = refusedName(message, sent.names);
      if (name === null) return sent.givesBack && refusesThought(message) ? 'ask_without_thinking' : 'refused';
      leaveOut(name, message, sent);
      return 'ask_again';
    },
  };
}

function messageIn(answer: string): string {
  const document = parseObject(answer);
  return ((document === null ? null : errorIn(document)?.message) ?? answer).slice(0, 2_000);
}

/** `max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for …` */
function limitIn(message: string): number | null {
  const limit = Number(/^`?max_tokens`?: \d{1,12} > (\d{1,12})\b/.exec(message)?.[1] ?? 0);
  return limit > 0 ? limit : null;
}

function refusedName(message: string, names: readonly string[]): string | null {
  const path = pathIn(message);
  if (path === null) return soundsRefused(message) ? firstNameIn(message, names, nameOf) : null;
  // In a message of the conversation only the mark for the cache is an option.
  const optional = path[0] === 'messages' || path[0] === 'tools' ? ['cache_control'] : names;
  return path.find((word) => optional.includes(word) && names.includes(word)) ?? null;
}

/** Null where the message does not begin with one. */
function pathIn(message: string): readonly string[] | null {
  const [path = ''] = message.split(':', 1);
  return path.length < message.length && path.length <= 200 && /^[\w.*-]+$/.test(path) ? path.split('.') : null;
}

/** Sentences call the one member of `output_config` that we send by its own name. */
function nameOf(word: string): string {
  return word === 'effort' ? 'output_config' : word;
}

/** A signature that is not valid, or thinking that the API does not take for what it wrote. */
function refusesThought(message: string): boolean {
  return message.startsWith('messages.') && /signature|thinking/i.test(message);
}
