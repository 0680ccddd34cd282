/** The replies of a case as a script, in the form of its protocol. */
import type { ModelRequest } from '../../src/index.ts';
import type { ScriptEntry, ScriptedReply } from '../../src/testing.ts';
import type { Case, GivenReply, GivenUsage, PlainReply, RequestCheck } from './format.ts';
import { requestProblems } from './requests.ts';
import { requestSeen } from './wire.ts';

export function scriptOf({ given }: Case): readonly ScriptEntry[] {
  const native = given.protocol === 'native';
  return (given.replies ?? []).flatMap((reply) => entriesOf(reply, native));
}

/** The ids by which a case names its calls, as the run numbers them: the step, and the place in its reply. */
export function callIdsOf({ given }: Case): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [step, reply] of (given.replies ?? []).entries()) {
    if (typeof reply === 'string' || !('toolCalls' in reply)) continue;
    for (const [place, { id }] of (reply.toolCalls ?? []).entries()) ids.set(id, `${step + 1}.${place + 1}`);
  }
  return ids;
}

/** The texts of all replies, to see what they ask for. */
export function wordsOf({ given }: Case): string {
  return JSON.stringify([given.replies ?? [], given.http ?? []]);
}

function entriesOf(reply: GivenReply, native: boolean): readonly ScriptEntry[] {
  if (typeof reply !== 'string' && 'template' in reply) {
    const { template, from, count } = reply;
    return Array.from({ length: count }, (_, index) =>
      entryOf(template.replaceAll('{i}', String(from + index)), native),
    );
  }
  if (typeof reply !== 'string' && 'ifRequest' in reply) {
    const { ifRequest, then, else: otherwise = '', repeat = 1 } = reply;
    const entry: ScriptEntry = (request) => entryOf(holds(request, ifRequest) ? then : otherwise, native);
    return Array.from({ length: repeat }, () => entry);
  }
  return [entryOf(reply, native)];
}

function holds(request: ModelRequest, wanted: string | RequestCheck): boolean {
  const check = typeof wanted === 'string' ? { contains: wanted } : wanted;
  return requestProblems(check, requestSeen(request, 0)).length === 0;
}

function entryOf(reply: PlainReply, native: boolean): string | ScriptedReply {
  if (typeof reply === 'string') return reply;
  const { reasoning, finish, usage } = reply;
  return {
    ...('chunks' in reply ? { chunks: reply.chunks } : wordsAndCalls(reply, native)),
    ...(typeof reasoning === 'string' ? { reasoning } : {}),
    ...endOf(finish),
    usage: usageOf(usage ?? null),
  };
}

/** The arguments are sent as the case writes them: they may be no JSON. */
function wordsAndCalls(
  { content, toolCalls = [] }: Exclude<PlainReply, string | { chunks: unknown }>,
  native: boolean,
): Pick<ScriptedReply, 'text' | 'calls'> {
  if (!native && toolCalls.length > 0) throw new Error('a reply with toolCalls needs protocol: native');
  const calls = toolCalls.map(({ id, name, arguments: inputText }) => ({ id, tool: name, inputText }));
  return { text: content ?? '', ...(calls.length === 0 ? {} : { calls }) };
}

function endOf(finish: string | undefined): Pick<ScriptedReply, 'finish' | 'failure'> {
  switch (finish) {
    case undefined:
    case 'stop':
    case 'tool_calls':
      return {};
    case 'length':
    case 'content_filter':
      return { finish };
    case 'error':
      return { failure: { failure: 'broke_off', message: 'The reply broke off.' } };
    default:
      throw new Error(`the finish ${finish} is unknown`);
  }
}

function usageOf(usage: GivenUsage | null): { readonly inputTokens: number; readonly outputTokens: number } | null {
  if (usage === null) return null;
  const inputTokens = usage.inputTokens ?? usage.input ?? usage.prompt ?? usage.prompt_tokens;
  const outputTokens = usage.outputTokens ?? usage.output ?? usage.completion ?? usage.completion_tokens;
  const total = usage.total ?? usage.total_tokens ?? (inputTokens ?? 0) + (outputTokens ?? 0);
  return {
    inputTokens: inputTokens ?? total - (outputTokens ?? 0),
    outputTokens: outputTokens ?? total - (inputTokens ?? total),
  };
}
