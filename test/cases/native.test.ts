/** Cases whose replies are the provider's own calls: what is sent is well formed in the eyes of every provider. */
import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { observe } from './observe.ts';
import { aTool, type Plant, plant } from './planted.ts';

const asks = aTool({ sideEffect: true, approval: 'required' });
const final = (more: object) => ({ outcome: 'final', stopReason: 'final', ...more });
const stream = (...pieces: readonly object[]) => pieces.map((each) => `data: ${JSON.stringify(each)}\n\n`);
const piece = (called: object) => ({ index: 0, function: called });
/** What providers want of a conversation with calls. */
const wellFormed = [
  'call_without_result',
  'result_without_call',
  'result_sent_twice',
  'roles_not_alternating',
  'request_has_empty_message',
  'request_has_null_content',
  'prefix_changed_between_requests',
  'tool_definitions_differ_between_requests',
  'first_user_message_lost',
].map((code) => ({ code }));

const rows: readonly (readonly [string, Plant])[] = [
  [
    'several calls in one reply, one of which is approved',
    {
      given: {
        protocol: 'native',
        replies: [
          {
            content: null,
            toolCalls: [
              { id: 'a', name: 't', arguments: '{"i":1}' },
              { id: 'b', name: 't', arguments: '{"i":2}' },
            ],
          },
          { content: 'done' },
        ],
        tools: [asks],
        events: [
          { at: 'suspended', do: 'reject', call: 'a', reason: 'no' },
          { at: 'suspended', do: 'approve', call: 'b' },
        ],
      },
      expect: final({
        toolCalls: [{ name: 't', args: { i: 2 }, times: 1 }],
        'must not': [{ code: 'result_status', call: 'a', value: 'success' }, ...wellFormed],
      }),
    },
  ],
  [
    'calls and results of several steps stand in their places on the wire',
    {
      given: {
        protocol: 'native',
        replies: [
          { content: 'Both.', toolCalls: ['a', 'b'].map((id) => ({ id, name: 'my tool', arguments: '{}' })) },
          { content: '', toolCalls: [{ id: 'c', name: 'no such tool', arguments: '{"i": 1}' }] },
          'Thought: none',
        ],
        tools: [aTool({ name: 'my tool', behaviour: 'empty' })],
        budget: { loopGuard: 'off' },
      },
      expect: final({
        answer: 'Thought: none',
        toolCalls: [{ name: 'my tool', times: 2 }],
        requests: {
          3: { roles: ['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'tool'], hasParam: 'tools' },
        },
        'must not': [...wellFormed, { code: 'request_name_invalid', pattern: '^[A-Za-z0-9_-]{1,64}$' }],
      }),
    },
  ],
  [
    'calls of the provider over HTTP',
    {
      given: {
        protocol: 'native',
        replies: undefined,
        http: [
          {
            status: 200,
            chunks: [
              ...stream({ choices: [{ delta: { tool_calls: [piece({ name: 't', arguments: '{"i":' })] } }] }),
              ...stream({
                choices: [{ delta: { tool_calls: [piece({ arguments: '1}' })] }, finish_reason: 'tool_calls' }],
              }),
              'data: [DONE]\n\n',
            ],
          },
          { status: 200, body: { choices: [{ message: { content: 'done' }, finish_reason: 'stop' }] } },
        ],
      },
      expect: final({
        answer: 'done',
        toolCalls: [{ name: 't', args: { i: 1 } }],
        requests: { each: { hasParam: 'tools' }, 2: { roles: ['system', 'user', 'assistant', 'tool'] } },
        'must not': wellFormed,
      }),
    },
  ],
];

test.each(rows)('%s', async (_what, what) => {
  const one = plant(what);
  expect(judge(one, await observe(one))).toEqual([]);
});
