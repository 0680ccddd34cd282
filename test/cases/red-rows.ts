/** For every code of `must not` one way to make it red. */
import { noEnding } from './facts.ts';
import { act, answer, aTool, type RedRow } from './planted.ts';

const twoHttp = {
  replies: undefined,
  http: [
    { status: 200, body: { choices: [{ message: { content: act('t') }, finish_reason: 'stop' }] } },
    { status: 200, body: { choices: [{ message: { content: answer('done') }, finish_reason: 'stop' }] } },
  ],
};
const does = (what: string) => ({ tools: [aTool({ behaviour: 'misbehaves', value: what })] });
const typed = { setup: { kind: 'typecheck', tools: 2, schemaFields: 2 } };
const bundled = { setup: { kind: 'bundle', import: 'engine core only', minify: true } };
const noSetup = {
  compileErrors: [],
  instantiations: 0,
  typecheckMs: 0,
  gzipBytes: 0,
  bundled: { text: '', builtins: [] },
  importErrors: [],
  copies: 1,
  quickstart: { lines: 1, subclass: false },
};
const request = (messages: readonly object[], params: object = {}) => ({ messages, params, atMs: 0 });
const system = { role: 'system', content: 'Tools.' };
const user = { role: 'user', content: 'Do the task.' };
const assistant = { role: 'assistant', content: 'Action: t' };
const callOf = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 't', arguments: '{}' } })),
});
const resultOf = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'v' });
const call = { toolCallId: '1.1', tool: 't', status: 'succeeded', observation: 'v', step: 1 };
const named = (...names: readonly string[]) => ({
  tools: names.map((name) => ({ type: 'function', function: { name } })),
});
const restored = {
  replies: [act('t'), answer('done')],
  tools: [aTool({ behaviour: 'hangs', timeoutMs: 100_000_000 })],
  events: [
    { at: 'tool:t+50ms', do: 'snapshot+crash' },
    { at: 'later', do: 'newProcess+restore' },
  ],
};

const ofTheRun: readonly RedRow[] = [
  { params: { code: 'answer_contains', value: 'on' } },
  { params: { code: 'answer_equals', value: 'done' } },
  { params: { code: 'model_calls_more_than', n: 1 } },
  { params: { code: 'http_requests_more_than', n: 1 }, given: twoHttp },
  { params: { code: 'violations_more_than', n: 0 }, given: { replies: ['What now?', answer('done')] } },
  { params: { code: 'approval_rule_calls_more_than', n: 0 }, given: { tools: [aTool({ approval: 'rule' })] } },
  { params: { code: 'success_status' } },
  { params: { code: 'stop_reason', value: 'max_steps' }, given: { budget: { maxSteps: 1 } } },
  { params: { code: 'throws_to_caller' }, facts: { thrown: 'TypeError: x is not a function' } },
  { params: { code: 'unhandled_rejection' }, given: does('forgets a rejection') },
  { params: { code: 'process_exit' }, given: does('ends the process') },
  { params: { code: 'process_warning', name: 'MaxListenersExceededWarning' }, given: does('warns') },
  {
    params: { code: 'event_after_end' },
    facts: { trace: [{ type: 'call.settled', sequence: 9, run: 1, afterEnd: true }] },
  },
  { params: { code: 'duplicate_event', kind: 'step' } },
  {
    params: { code: 'duplicate_event' },
    facts: { trace: [1, 1].map((sequence) => ({ type: 'run.ended', sequence, run: 1, afterEnd: false })) },
  },
  {
    params: { code: 'side_effect_after_end' },
    given: {
      tools: [aTool({ behaviour: 'commitsLate', value: { ms: 200, value: 'v' }, sideEffect: true, timeoutMs: 5000 })],
      budget: { wallClockMs: 80 },
    },
  },
  { params: { code: 'open_handles_after_end' }, given: does('leaves a timer') },
  { params: { code: 'open_spans_after_end', n: 0 } },
  { params: { code: 'listeners_on_signal_more_than', n: 0 } },
  { params: { code: 'listeners_after_end', n: 0 }, facts: { listenersAfterEnd: 1 } },
  {
    params: { code: 'elapsed_over_ms', n: 50 },
    given: { tools: [aTool({ behaviour: 'delays', value: { ms: 100, value: 'v' } })] },
  },
  {
    params: { code: 'usage_total_is', value: 3 },
    given: { replies: [{ content: answer('done'), usage: { inputTokens: 2, outputTokens: 1 } }] },
  },
  { params: { code: 'usage_tool_calls_not', value: 5 } },
  {
    params: { code: 'tool_error_counted' },
    given: { tools: [aTool({ behaviour: 'throws', value: { message: 'boom' } })] },
  },
  { params: { code: 'stuck_after_restore' }, given: restored },
  {
    params: { code: 'snapshot_lost_at_end' },
    given: { replies: Array.from({ length: 9 }, () => act('t', {})), tools: [aTool()] },
  },
  { params: { code: 'prototype_changed' }, given: does('pollutes') },
];

const ofTools: readonly RedRow[] = [
  { params: { code: 'observation_contains', value: 'v' } },
  { params: { code: 'observation_equals', value: 'v' } },
  { params: { code: 'observation_longer_than', n: 0 } },
  { params: { code: 'tool_called', tool: 't' } },
  { params: { code: 'tool_called_with', tool: 't', match: {} } },
  {
    params: { code: 'tool_called_with', tool: 't', match: { a: { b: 1 } } },
    given: { replies: [act('t', { a: { b: 1, c: 2 }, d: 3 }), answer('done')] },
  },
  { params: { code: 'tool_calls_more_than', tool: 't', n: 0 } },
  { params: { code: 'wrong_tool_called' }, facts: { calls: [{ tool: 'another', input: {} }] } },
  { params: { code: 'unknown_tool_reported', value: 'nope' }, given: { replies: [act('nope'), answer('done')] } },
  {
    params: { code: 'call_without_result' },
    facts: { ending: { ...noEnding, stepCalls: [{ ...call, observation: null }] }, modelCalls: 2 },
  },
  {
    params: { code: 'call_without_result' },
    facts: { requests: [request([user, callOf('a', 'b'), resultOf('a'), user])] },
  },
  { params: { code: 'call_without_result' }, facts: { requests: [request([user, callOf('a'), user, resultOf('a')])] } },
  { params: { code: 'result_without_call' }, facts: { requests: [request([system, user, user])] } },
  { params: { code: 'result_without_call' }, facts: { requests: [request([user, callOf('a'), resultOf('b')])] } },
  { params: { code: 'result_without_call' }, facts: { requests: [request([user, assistant, resultOf('a')])] } },
  {
    params: { code: 'result_without_call' },
    facts: { requests: [request([user, callOf('a'), resultOf('a'), user])] },
  },
  {
    params: { code: 'result_sent_twice' },
    facts: { requests: [request([user, callOf('a'), resultOf('a'), resultOf('a')])] },
  },
  {
    params: { code: 'result_sent_twice' },
    facts: { ending: { ...noEnding, stepCalls: [call] }, results: [[], ['v', 'v']] },
  },
  { params: { code: 'result_status', call: '1.1', value: 'success' } },
  { params: { code: 'silent_overwrite' }, given: { tools: [aTool({ source: 'A' }), aTool({ source: 'A' })] } },
];

const ofRequests: readonly RedRow[] = [
  { params: { code: 'request_contains', request: 2, value: 'Action: t' } },
  { params: { code: 'request_lacks', request: 1, value: 'Action: t\n' } },
  { params: { code: 'request_has_param', request: 1, param: 'stream_options.include_usage' }, given: twoHttp },
  { params: { code: 'request_has_empty_message' }, facts: { requests: [request([{ role: 'user', content: ' ' }])] } },
  { params: { code: 'request_has_null_content' }, facts: { requests: [request([{ role: 'user', content: null }])] } },
  {
    params: { code: 'request_name_invalid', pattern: '^[a-z]+$' },
    facts: { requests: [request([user], named('two words'))] },
  },
  {
    params: { code: 'request_name_invalid', pattern: '^[a-z]{2,}$' },
    facts: { requests: [request([user, callOf('a'), resultOf('a')])] },
  },
  { params: { code: 'wire_names_equal' }, facts: { requests: [request([user], named('a', 'a'))] } },
  { params: { code: 'request_longer_than', n: 20 } },
  { params: { code: 'request_over_tokens', n: 3 } },
  { params: { code: 'gap_before_request_under_ms', request: 2, n: 60_000 }, given: twoHttp },
  { params: { code: 'roles_not_alternating' }, facts: { requests: [request([user, assistant, assistant])] } },
  { params: { code: 'roles_not_alternating' }, facts: { requests: [request([resultOf('a'), assistant])] } },
  {
    params: { code: 'roles_not_alternating' },
    facts: { requests: [request([user, callOf('a'), resultOf('a'), user])] },
  },
  {
    params: { code: 'prefix_changed_between_requests' },
    facts: { requests: [request([system, user]), request([user, assistant])] },
  },
  {
    params: { code: 'tool_definitions_differ_between_requests' },
    facts: { requests: [request([system, user]), request([{ ...system, content: 'Other tools.' }, user])] },
  },
  {
    params: { code: 'tool_definitions_differ_between_requests' },
    facts: { requests: [request([user], named('a')), request([user], named('a', 'b'))] },
  },
  { params: { code: 'first_user_message_lost' }, facts: { requests: [request([system, { ...user, content: 'v' }])] } },
];

const ofSurroundings: readonly RedRow[] = [
  { params: { code: 'secret_visible', value: 'v', where: ['trace'] } },
  { params: { code: 'secret_visible', value: 'v', where: ['inspector'] } },
  {
    params: { code: 'secret_visible', where: 'request' },
    given: { secrets: ['hush-hush'] },
    facts: { requests: [request([{ ...user, content: 'It is hush-hush.' }])] },
  },
  { params: { code: 'secret_visible', value: 'hush-hush', where: ['log'] }, given: does('prints') },
  {
    params: { code: 'snapshot_growth_over_bytes', n: 0, afterSteps: 1 },
    given: { replies: [act('t', { i: 1 }), act('t', { i: 2 }), answer('done')] },
  },
  {
    params: { code: 'children_between_steps_over', n: 0 },
    facts: { samples: { listeners: [], timers: [1, 2], snapshots: [] } },
  },
  { params: { code: 'pending_store_writes_over', n: 0 } },
  {
    params: { code: 'heap_growth_over_bytes', n: 1_000_000, afterRuns: 5 },
    given: { ...does('hoards'), soak: { runs: 40, gcBetween: 5 } },
  },
  { params: { code: 'trace_events_kept_over', n: 1 } },
  { params: { code: 'inspector_stopped' }, facts: { inspected: [], inspectorStopped: 'TypeError: a BigInt' } },
  { params: { code: 'inspector_overhead_over_ms', n: -1 }, given: { inspector: { on: true } } },
  { params: { code: 'inspector_event_longer_than', n: 1 }, given: { inspector: { on: true } } },
  { params: { code: 'inspector_queue_over', n: 1 } },
  { params: { code: 'compile_error' }, facts: { setup: { ...noSetup, compileErrors: ['Type string is no number.'] } } },
  { params: { code: 'import_error' }, facts: { setup: { ...noSetup, importErrors: ['cannot be found'] } } },
  { params: { code: 'two_copies_loaded' }, facts: { setup: { ...noSetup, copies: 2 } } },
  { params: { code: 'type_instantiations_over', n: 1 }, given: typed },
  { params: { code: 'typecheck_ms_over', n: 0 }, facts: { setup: { ...noSetup, typecheckMs: 1 } } },
  { params: { code: 'bundle_gzip_over_bytes', n: 100 }, given: bundled },
  { params: { code: 'bundle_contains', value: 'AgentError' }, given: bundled },
  {
    params: { code: 'bundle_contains', value: 'node: built-ins in the core path' },
    given: { setup: { kind: 'bundle', import: 'openai', minify: true } },
  },
  { params: { code: 'quickstart_lines_over', n: 2 }, given: { setup: { kind: 'quickstart' } } },
  {
    params: { code: 'subclass_needed' },
    facts: { setup: { ...noSetup, quickstart: { lines: 1, subclass: true } } },
  },
  {
    params: { code: 'result_differs_over_matrix' },
    facts: {
      matrix: [
        { way: 'one', facts: '["final"]' },
        { way: 'two', facts: '["error"]' },
      ],
    },
  },
];

export const redRows: readonly RedRow[] = [...ofTheRun, ...ofTools, ...ofRequests, ...ofSurroundings];

/** Facts with which every code is green that `redRows` makes red by facts. */
export const goodSetup = noSetup;
