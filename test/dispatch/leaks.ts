/** A run, and all that leaves it: what each channel shows, and which of them shows a secret in any of its forms. */
import { createAgent } from '../../src/agent.ts';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import type { LiveEvent, TraceEvent } from '../../src/core/trace.ts';
import { type ScriptEntry, scriptedModel } from '../../src/models/scripted.ts';
import { virtualClock } from '../../src/verify/virtual-clock.ts';
import { act, answer } from '../shell/setup.ts';

export interface Seen {
  /** By channel: all that it showed, as JSON. */
  readonly channels: ReadonlyMap<string, string>;
  readonly outcome: Outcome;
  readonly events: readonly TraceEvent[];
  /** What the person and the tests can see of the reply, put together. */
  readonly streamed: string;
  /** The last message that the model was sent. */
  readonly sent: string;
}

export interface Play {
  readonly tools: { readonly [name: string]: AnyTool };
  readonly agent?: Partial<AgentOptions>;
  readonly replies?: readonly ScriptEntry[];
  /** What is done with a call that waits for a person. */
  readonly deny?: string;
}

export async function seenOf({ tools, agent: options, replies, deny }: Play): Promise<Seen> {
  const clock = virtualClock();
  const model = scriptedModel(replies ?? [act('look'), answer('ok')], { clock });
  const events: TraceEvent[] = [];
  const live: LiveEvent[] = [];
  const printed = listen();
  try {
    const onEvent = (event: TraceEvent) => {
      events.push(event);
      if (deny !== undefined && event.type === 'approval.asked') clock.setTimer(1, () => run.deny('1.1', deny));
    };
    const agent = createAgent({ model, tools, clock, onEvent, looksLikeError: () => null, ...options });
    const run = agent.start('the task');
    const reading = (async () => {
      for await (const event of run) live.push(event);
    })();
    const outcome = await clock.until(run.outcome);
    await reading;
    // A tool that is late may still give its result.
    const channels = new Map(
      Object.entries({ model: model.requests, trace: events, live, outcome, printed: printed.texts }).map(
        ([name, shown]) => [name, JSON.stringify(shown)],
      ),
    );
    const streamed = live.map((event) => (event.type === 'reply.delta' ? event.text : '')).join('');
    return { channels, outcome, events, streamed, sent: model.requests.at(-1)?.messages.at(-1)?.content ?? '' };
  } finally {
    printed.stop();
  }
}

/** The channels that show the secret: as it is, as JSON or a URL writes it, or in base64 wherever it stands there. */
export function leaks({ channels }: Pick<Seen, 'channels'>, secret: string): readonly string[] {
  const forms = formsOf(secret);
  return [...channels].filter(([, shown]) => forms.some((form) => shown.includes(form))).map(([name]) => name);
}

export function formsOf(secret: string): readonly string[] {
  const json = (text: string) => JSON.stringify(text).slice(1, -1);
  const parts = [secret, ...secret.split('\n').filter((line) => line.length >= 8 && !line.startsWith('-----'))];
  // What a channel shows is JSON: each form is there with one more level of it.
  const plain = parts.flatMap((part) => [part, json(part), encodeURIComponent(part), ...inBase64(part)]);
  return [...new Set(plain.flatMap((form) => [form, json(form), json(json(form))]))];
}

/** The letters that stay the same whatever stands round it. */
function inBase64(text: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const [one, other] = ['\0', '\xff'].map((byte) =>
      Buffer.concat([Buffer.from(byte.repeat(before), 'latin1'), Buffer.from(text), Buffer.from(byte, 'latin1')]),
    );
    const [first, second] = [one?.toString('base64') ?? '', other?.toString('base64') ?? ''];
    const same = [...first].map((letter, at) => (letter === second[at] ? letter : ' ')).join('');
    return same
      .trim()
      .split(' ')
      .reduce((longest, part) => (part.length > longest.length ? part : longest), '');
  });
}

function listen() {
  const texts: string[] = [];
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  for (const stream of streams)
    stream.write = (text: unknown) => {
      texts.push(String(text));
      return true;
    };
  return {
    texts,
    stop: () => {
      for (const [at, stream] of streams.entries()) stream.write = writes[at] ?? stream.write;
    },
  };
}
