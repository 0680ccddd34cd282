import { APICallError } from '@ai-sdk/provider';
import { aiSdk } from '../../src/models/ai-sdk.ts';
import {
  call,
  delta,
  fakeModel,
  finishPart,
  type Part,
  pieces,
  reasonOf,
  streamOf,
  usageOf,
  type Version,
  versions,
} from './ai-sdk-setup.ts';
import { type ModelUnderTest, modelContract, type Situation } from './model-contract.ts';

for (const version of versions) {
  modelContract(`ai-sdk ${version}, streaming`, (situation) => underTest(situation, version, true));
  modelContract(`ai-sdk ${version}, in one piece`, (situation) => underTest(situation, version, false), {
    tellTextBeforeTheEnd: 'a reply in one piece is seen whole or not at all',
  });
}

async function underTest(situation: Situation, version: Version, stream: boolean): Promise<ModelUnderTest> {
  const give = (kind: 'stream' | 'generate') => (options: object) => giveFor(situation, { version, kind, options });
  const fake = fakeModel(version, { stream: give('stream'), generate: give('generate') });
  return { model: aiSdk(fake, { stream }), close: async () => {} };
}

interface Asked {
  readonly version: Version;
  readonly kind: 'stream' | 'generate';
  readonly options: object;
}

function giveFor(situation: Situation, { version, kind, options }: Asked): unknown {
  const { ending } = situation;
  if (ending === 'refused') throw refusal;
  const signal =
    'abortSignal' in options && options.abortSignal instanceof AbortSignal ? options.abortSignal : undefined;
  if (kind === 'stream') {
    const parts = partsOf(situation);
    if (ending === 'silence') return { stream: streamOf(parts, { end: 'hang', ...(signal && { signal }) }) };
    return { stream: streamOf(ending === 'broke_off' ? parts : [...parts, finishPart(version, wordOf(ending))]) };
  }
  if (ending === 'silence') return new Promise(() => {});
  return {
    content: contentOf(situation),
    finishReason: reasonOf(version, ending === 'broke_off' ? 'error' : wordOf(ending)),
    usage: usageOf(version, 7, 3),
    warnings: [],
  };
}

/** The text in pieces of two characters, the calls in pieces and, where they are complete, as a whole behind them. */
function partsOf({ text, calls = [], ending }: Situation): readonly Part[] {
  const said = Array.from({ length: Math.ceil(text.length / 2) }, (_, at) => delta(text.slice(at * 2, at * 2 + 2)));
  const made = calls.flatMap(({ tool, input }, index) => {
    const half = Math.ceil(input.length / 2);
    const parts = pieces(`call-${index}`, tool, input.slice(0, half), input.slice(half));
    return ending === 'stop' ? [...parts, call(`call-${index}`, tool, input)] : parts;
  });
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    ...said,
    { type: 'text-end', id: '0' },
    ...made,
  ];
}

function contentOf({ text, calls = [] }: Situation): readonly Part[] {
  const said = text === '' ? [] : [{ type: 'text', text }];
  return [...said, ...calls.map(({ tool, input }, index) => call(`call-${index}`, tool, input))];
}

function wordOf(ending: Situation['ending']): string {
  return ending === 'content_filter' ? 'content-filter' : ending;
}

const refusal = new APICallError({
  message: 'The messages are empty.',
  url: 'http://127.0.0.1/v1',
  requestBodyValues: {},
  statusCode: 400,
});
