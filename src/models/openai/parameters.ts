/**
 * The body of a request, without the parameters that this server has refused before. Servers and models differ in what
 * they accept, and say so only when they are asked.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { ModelRequest } from '../../core/model.ts';
import { firstNameIn, soundsRefused } from '../common/refused-name.ts';
import { wireText } from '../http/body.ts';
import { parseObject } from '../http/server-error.ts';
import { messageOnWire, toolOnWire } from './messages.ts';
import type { OpenaiSettings } from './options.ts';
import { markOf, membersFrom } from './reasoning.ts';

export interface Parameters {
  /** What to send, and the names in it that could be left out or renamed. */
  bodyFor(request: ModelRequest): { readonly body: string; readonly adjustable: readonly string[] };
  /**
   * True where the server refused one of `adjustable` by name: it is left out (`max_tokens` becomes
   * `max_completion_tokens`) from now on, so that asking again is worthwhile, at most once for each name.
   */
  learn(status: number, answer: string, adjustable: readonly string[]): boolean;
}

export function createParameters(settings: OpenaiSettings): Parameters {
  const { model, stream } = settings;
  const refused = new Set<string>();
  const mark = markOf(settings);

  /** What goes back of what the model's reply brought for this adapter. */
  function giveBack(data: JsonValue | undefined): JsonObject {
    if (!settings.returnReasoning) return {};
    return Object.fromEntries(Object.entries(membersFrom(data, mark)).filter(([name]) => !refused.has(name)));
  }

  return {
    bodyFor(request) {
      const sent = optional(request, settings).filter(([name]) => !refused.has(name));
      const renamed = refused.has('max_tokens') ? [['max_completion_tokens', request.maxOutputTokens]] : [];
      const messages = request.messages.map((message) => messageOnWire(message, giveBack));
      const isStrict = settings.strictTools && !refused.has('strict');
      const tools = (request.tools ?? []).map((tool) => toolOnWire(tool, isStrict));
      const members = [
        ['model', model],
        ['messages', messages],
        ...(tools.length === 0 ? [] : [['tools', tools]]),
        ['stream', stream],
        ...sent,
        ...renamed,
      ];
      const inMessages = reasoningNames.filter((name) => messages.some((message) => name in message));
      const inTools = tools.some((tool) => tool.function.strict) ? ['strict'] : [];
      const adjustable = [...sent.map(([name]) => name), ...inMessages, ...inTools];
      return { body: wireText(Object.fromEntries(members)), adjustable };
    },
    learn(status, answer, adjustable) {
      if (status !== 400 && status !== 422) return false;
      const name = refusedName(answer, adjustable);
      if (name !== null) refused.add(name);
      return name !== null;
    },
  };
}

const reasoningNames = ['reasoning_content', 'reasoning_details'];

function optional(request: ModelRequest, settings: OpenaiSettings): readonly (readonly [string, unknown])[] {
  const { stop, temperature, maxOutputTokens } = request;
  const { stopParameter, stream } = settings;
  return [
    ...(stopParameter !== false && stop.length > 0 ? [[stopParameter, stop] as const] : []),
    ['temperature', temperature],
    ['max_tokens', maxOutputTokens],
    ...(stream ? [['stream_options', { include_usage: true }] as const] : []),
    ...(settings.jsonMode && wantsJson(request) ? [['response_format', { type: 'json_object' }] as const] : []),
  ];
}

/** Servers refuse their JSON mode where no message speaks of JSON: the model would write white space for ever. */
function wantsJson({ json, messages }: ModelRequest): boolean {
  return json === true && messages.some(({ content }) => /json/i.test(content));
}

/** A limit on the value, such as the context length: sending the same number under another name would not help. */
const tooLarge = /too large|too long|at most|maximum|exceed/i;

/**
 * OpenAI names the parameter in `error.param`; others only somewhere in the text. Proxies write anything into `param`: where it is
 * none of ours, a name in quotes counts all the same.
 */
function refusedName(answer: string, adjustable: readonly string[]): string | null {
  // The schema of a tool that is refused is fit for others, who are not asked to hold the model to it.
  if (adjustable.includes('strict') && /\bschema\b/i.test(answer)) return 'strict';
  const { param, message } = errorOf(answer);
  const text = param === null ? message : quotedIn(message);
  const name = firstNameIn(param ?? '', adjustable) ?? (soundsRefused(message) ? firstNameIn(text, adjustable) : null);
  return name === 'max_tokens' && tooLarge.test(answer) ? null : name;
}

/** `param` is null where it says nothing; `message` is all of an answer that is no error in a known form. */
function errorOf(answer: string): { readonly param: string | null; readonly message: string } {
  const document = parseObject(answer);
  const error = document?.error ?? document;
  if (!isJsonObject(error)) return { param: null, message: answer };
  const { param, message } = error;
  const isNamed = typeof param === 'string' && !/^(?:none|null)?$/i.test(param);
  return { param: isNamed ? param : null, message: typeof message === 'string' ? message : answer };
}

function quotedIn(message: string): string {
  return [...message.matchAll(/['"`](\w{1,40})['"`]/g)].map(([, name]) => name).join(' ');
}
