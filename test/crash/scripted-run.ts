/**
 * The run of the matrix: twelve steps over every kind of tool. The model answers by what stands in the conversation, never by
 * how often it was asked, so that it says the same in every process.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { ModelRequest } from '../../src/core/model.ts';
import { type Agent, createAgent, type ToolRecord, tool } from '../../src/index.ts';
import type { Store } from '../../src/store.ts';
import { type ScriptedModel, type ScriptedReply, scriptedModel } from '../../src/testing.ts';
import type { Life } from './kill.ts';

export const runId = 'Rechnung 7 / 思考';
export const task = 'Settle the bill of the seventh.';

/** One line of the file of effects: what a tool did to the world. */
export interface EffectLine {
  readonly key: string;
  readonly tool: string;
  readonly input: unknown;
}

/** By name: how it is marked, and whether it changes the world. */
export const tools = {
  look: { mark: { readOnly: true }, hasEffect: false },
  pay: { mark: { sideEffect: true, needsApproval: false }, hasEffect: true },
  /** A person is asked. */
  send: { mark: { sideEffect: true }, hasEffect: true },
  note: { mark: {}, hasEffect: true },
  /** Knows whether it happened. */
  book: { mark: { sideEffect: true, needsApproval: false }, hasEffect: true, hasProbe: true },
  put: { mark: { idempotent: true }, hasEffect: true },
  /** Fails, and has done nothing. */
  fails: { mark: {}, hasEffect: false },
} as const;
export type ToolName = keyof typeof tools;

const call = (name: ToolName, is: string) => ({ tool: name, input: { is } });
const step = (...calls: NonNullable<ScriptedReply['calls']>): ScriptedReply => ({ text: 'I go on.', calls });

const steps: readonly ScriptedReply[] = [
  step(call('look', 'bill'), call('look', 'customer'), call('look', 'contract')),
  step(call('note', 'begun')),
  step({ tool: 'look', inputText: '{"is": broken' }),
  step(call('pay', 'first')),
  step(call('put', 'address')),
  step(call('look', 'account'), call('fails', 'at once')),
  step(call('book', 'half')),
  step(call('send', 'the bill')),
  step(call('look', 'limit'), call('look', 'rate'), call('pay', 'second')),
  step(call('send', 'an advertisement')),
  step(call('put', 'file'), call('note', 'finished')),
];
export const stepCount = steps.length + 1;

/** Whether the person lets it run. */
export const isAllowed = (input: unknown) => JSON.stringify(input) === '{"is":"the bill"}';

export interface World {
  readonly store: Store;
  /** The file of effects. */
  readonly effects: string;
  readonly life: Pick<Life, 'started' | 'done'>;
  readonly onEvent: (event: { readonly type: string }) => void;
}

export function scriptedRun({ store, effects, life, onEvent }: World): {
  readonly agent: Agent;
  readonly model: ScriptedModel;
} {
  const model = scriptedModel(Array.from({ length: 4 * stepCount }, () => reply));
  const agent = createAgent({
    model,
    tools: toolsOf(effects, life),
    dialect: 'native',
    budget: { maxSteps: stepCount + 1 },
    checkLaws: true,
    store,
    onEvent,
  });
  return { agent, model };
}

/** The step is told by the steps before it, and the answer by all that was read. */
function reply({ messages }: ModelRequest): ScriptedReply {
  const before = messages.filter(({ role }) => role === 'assistant').length;
  return steps[before] ?? { text: `The bill is settled: ${readIn(messages).join(', ')}.` };
}

function readIn(messages: ModelRequest['messages']): readonly string[] {
  const texts = messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  return texts.flatMap((text) => text.match(/value of [a-z]+/g) ?? []);
}

const anyInput = { type: 'object', properties: { is: { type: 'string' } }, required: ['is'] } as const;

function toolsOf(effects: string, life: World['life']): ToolRecord {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { mark, hasEffect, ...more }]) => [
      name,
      tool({
        inputSchema: anyInput,
        ...mark,
        ...('hasProbe' in more ? { probe: probeIn(effects) } : {}),
        async execute(input, { idempotencyKey }) {
          life.started();
          if (hasEffect) append(effects, { key: idempotencyKey, tool: name, input });
          life.done();
          if (name === 'fails') throw new Error('it failed');
          await new Promise<void>((resolve) => setImmediate(resolve));
          return hasEffect ? done : `the value of ${String(input.is)}`;
        },
      }),
    ]),
  );
}

const done = 'It is done.';

/** Looks whether the effect is there. */
function probeIn(effects: string) {
  return (_callId: string, { idempotencyKey }: { readonly idempotencyKey: string }) =>
    effectsIn(effects).some(({ key }) => key === idempotencyKey)
      ? ({ happened: true, output: done } as const)
      : ({ happened: false } as const);
}

/** On the disk before it returns, as a payment would be. */
function append(file: string, line: EffectLine): void {
  const descriptor = openSync(file, 'a');
  writeSync(descriptor, `${JSON.stringify(line)}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

export function effectsIn(file: string): readonly EffectLine[] {
  return readFileSync(file, { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line): EffectLine => JSON.parse(line));
}
