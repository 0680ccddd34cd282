import { describe, expect, it } from 'vitest';
import { show } from '../../src/cli/live.ts';
import { notLive } from '../../src/cli/live-state.ts';
import { shortened, visible } from '../../src/cli/plain-text.ts';
import { styleFor } from '../../src/cli/style.ts';
import { createAgent, type LiveEvent, type Model } from '../../src/index.ts';
import { type ScriptEntry, scriptedModel } from '../../src/testing.ts';

const tools = {
  echo: {
    description: 'Gives its text back.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    readOnly: true,
    execute: ({ text }: { text: string }) => text,
  },
};

const call = (text: string) => `Thought: I ask.\nAction: echo\nAction Input: ${JSON.stringify({ text })}`;

interface ShownRun {
  readonly chunkSize?: number;
  readonly coloured?: boolean;
  readonly stepLines?: boolean;
  readonly model?: Model;
  readonly dialect?: string;
}

async function shown(replies: readonly ScriptEntry[], given: ShownRun = {}): Promise<string> {
  const { chunkSize = 3, coloured = false, stepLines = false, dialect = 'labelled' } = given;
  const agent = createAgent({ model: scriptedModel(replies, { chunkSize }), tools, dialect });
  let [live, all] = [notLive, ''];
  for await (const event of agent.start('Do it.') as AsyncIterable<LiveEvent>) {
    const [next, text] = show(live, event, { style: styleFor(coloured), stepLines });
    live = next;
    all += text;
  }
  return all;
}

const final = 'Thought: Done.\nFinal Answer: all good';
const rule = '─'.repeat(60);

describe('a run', () => {
  it('is shown as thought, action, observation, answer', async () => {
    expect(await shown([call('hello'), final])).toBe(`
Thought: I ask.
Action: echo
Action Input: {"text":"hello"}
Observation: hello

Thought: Done.
${rule}
Final Answer: all good
${rule}
`);
  });

  it('shows why a reply failed, what does not count, and when it is asked again', async () => {
    const busy = { failure: 'rate_limited', message: 'Too many \u001brequests', retry: { afterMs: 0 } } as const;
    const broken = { failure: 'broke_off', message: 'The connection was reset.', retry: { afterMs: 150 } } as const;
    const replies = [{ failure: busy }, { text: 'Thought: It is', failure: broken }, final];
    expect(await shown(replies, { stepLines: true })).toMatch(
      new RegExp(
        `^\n.*The reply failed: Too many \\S*requests\\. Asking again\\.\nThought: It is\n.*The reply failed: The connection was reset\\. ` +
          `What it wrote so far does not count\\. Asking again in 0\\.[12] s\\.\nThought: Done\\.\n${rule}\nFinal Answer: all good\n${rule}\n.*1/12`,
      ),
    );
  });

  it("shows the provider's own calls, which its text does not", async () => {
    const replies = [
      { text: 'I ask.', calls: ['a', 'b\u001b'].map((text) => ({ tool: 'echo', input: { text } })) },
      { calls: [{ tool: 'echo', inputText: '{"text": "c",}' }] },
      call('d'),
      'all good',
    ];
    expect(await shown(replies, { dialect: 'native' })).toBe(`
I ask.
Action: echo {"text":"a"}
Action: echo {"text":"b\\u001b"}
Observation (echo): a
Observation (echo): b␛

Action: echo {"text":"c"}
! The input was no valid JSON and was repaired: {"text":"c"}
Observation: c

Thought: I ask.
Action: echo
Action Input: {"text":"d"}
Observation: d

all good
`);
  });

  it.each([1, 2, 5, 8, 1_000])('is shown in the same way in pieces of %i', async (chunkSize) => {
    const replies = [
      '思考：先问一下。\n行动：echo\n行动输入：{"text":"🎯 好"}',
      'Often I think\n aloud.\r\nThought: no\n**Action:** echo\nAction Input: {"text":"a"}',
      '**Final Answer:** 完成 🎯\nTwo lines.',
    ];
    const whole = await shown(replies, { chunkSize: 10_000 });
    expect(await shown(replies, { chunkSize })).toBe(whole);
    expect(whole).toContain('行动输入：{"text":"🎯 好"}\nObservation: 🎯 好\n');
    expect(whole).toContain(`${rule}\n**Final Answer:** 完成 🎯\nTwo lines.\n${rule}\n`);
  });

  it('in colour holds the same text', async () => {
    const coloured = await shown([call('hello'), final], { coloured: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours.
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(await shown([call('hello'), final]));
    expect(coloured).toContain('\u001b[');
  });

  it('ends each step with its progress where there is no terminal', async () => {
    const lines = (await shown([call('hello'), final], { stepLines: true })).match(/^step .*$/gm);
    expect(lines).toEqual([
      expect.stringMatching(/^step 1\/12 · \d+\.\d s\/180 s · [\d,]+\/300,000 tokens$/),
      expect.stringMatching(/^step 2\/12 · /),
    ]);
  });
});

describe('what the loop has to say', () => {
  it.each<[string, readonly ScriptEntry[], RegExp]>([
    [
      'a reply without form',
      ['Hm.', final],
      /^Hm\.\n! Violation \(no_step\): .*\nObservation: \[FormatError\] Your reply/m,
    ],
    ['an empty reply', ['', final], /^! Violation \(empty\)/m],
    [
      'a reply that was cut',
      [{ text: 'Thought: lo', finish: 'length' }, final],
      /^Thought: lo\n! Violation \(truncated\)/m,
    ],
    [
      'an invented observation',
      [`${call('a')}\nObservation: b\nThought: b`, final],
      /^! Behind its call .* invent an observation.*\nObservation: a$/m,
    ],
    [
      'a repaired input',
      ["Thought: I.\nAction: echo\nAction Input: {'text': 'a'}", final],
      /^! .*repaired: \{"text":"a"\}\nObservation: a$/m,
    ],
    [
      'an unknown tool',
      ['Thought: I.\nAction: eco\nAction Input: {}', final],
      /^Observation: \[ToolError\] There is no tool called "eco"/m,
    ],
    ['control sequences', [call('a\u001b[2Jb\u0007'), final], /^Observation: a␛\[2Jb␇$/m],
    [
      'a long observation',
      [call('x'.repeat(3_000)), final],
      /^Observation: x{1200}\n… [\d,]+ more characters, not shown here/m,
    ],
    ['many lines', [call('a\n'.repeat(40)), final], /^Observation: (?:a\n){12}… \d+ more characters/m],
  ])('%s', async (_, replies, text) => expect(await shown(replies)).toMatch(text));
});

it.each([
  ['a\tb\nc', 'a\tb\nc'],
  ['a\r\nb\rc', 'a\nb␍c'],
  ['\u0000\u007f\u009b', '␀␡\ufffd'],
  ['中文 🎯', '中文 🎯'],
])('%j is made visible', (text, seen) => expect(visible(text)).toBe(seen));

it('a text is not cut inside a character', () => {
  expect(shortened('🎯🎯🎯', { lines: 1, characters: 3 })).toBe(
    '🎯\n… 4 more characters, not shown here (the model sees them)',
  );
});
