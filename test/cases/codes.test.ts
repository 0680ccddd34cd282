/** A check that cannot fail is a defect: every code of `must not` is seen to turn red, and not to be red always. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Facts, noFacts } from './facts.ts';
import { judge } from './judge.ts';
import { codes } from './must-not.ts';
import { observe } from './observe.ts';
import { plant, type RedRow } from './planted.ts';
import { goodSetup, redRows } from './red-rows.ts';

vi.setConfig({ maxConcurrency: 3 });

/** What the format promises; a code that leaves the tables is missed here. */
const promised = `
answer_contains answer_equals observation_contains observation_equals observation_longer_than tool_called
tool_called_with tool_calls_more_than wrong_tool_called unknown_tool_reported model_calls_more_than
http_requests_more_than violations_more_than approval_rule_calls_more_than success_status stop_reason throws_to_caller
unhandled_rejection process_exit process_warning event_after_end duplicate_event side_effect_after_end
open_handles_after_end open_spans_after_end listeners_on_signal_more_than listeners_after_end elapsed_over_ms
gap_before_request_under_ms call_without_result result_without_call result_sent_twice result_status request_contains
request_lacks request_has_param request_has_empty_message request_has_null_content request_name_invalid
request_longer_than request_over_tokens roles_not_alternating prefix_changed_between_requests
tool_definitions_differ_between_requests first_user_message_lost secret_visible prototype_changed silent_overwrite
wire_names_equal stuck_after_restore snapshot_lost_at_end snapshot_growth_over_bytes children_between_steps_over
pending_store_writes_over heap_growth_over_bytes trace_events_kept_over inspector_stopped inspector_overhead_over_ms
inspector_event_longer_than inspector_queue_over usage_total_is usage_tool_calls_not tool_error_counted compile_error
import_error two_copies_loaded type_instantiations_over typecheck_ms_over bundle_gzip_over_bytes bundle_contains
quickstart_lines_over subclass_needed result_differs_over_matrix
`
  .trim()
  .split(/\s+/);

test('every code of the format is known, and has a row here', () => {
  expect([...codes.keys()].sort()).toEqual(promised.toSorted());
  expect([...new Set(redRows.map(({ params }) => params.code))].sort()).toEqual(promised.toSorted());
});

/** What a good run shows, with all that is measured only where it is asked for. */
let good: Facts = noFacts;
beforeAll(async () => {
  const seen = await observe(plant({ mustNot: [{ code: 'trace_events_kept_over', n: 1_000 }] }));
  const quiet = { unhandled: [], warnings: [], exit: null, openHandles: [] };
  const matrix = ['one', 'two'].map((way) => ({ way, facts: '["final"]' }));
  good = { ...seen, process: quiet, setup: goodSetup, matrix, inspected: seen.traceText, restored: true };
});

const problemsOf = (row: RedRow, facts: Facts) =>
  judge(plant({ given: row.given ?? {}, mustNot: [row.params] }), facts).filter((problem) =>
    problem.startsWith('must not'),
  );
const nameOf = ({ params }: RedRow) => JSON.stringify(params);
const byFacts = redRows.filter(({ facts }) => facts !== undefined);
const byPlaying = redRows.filter(({ facts }) => facts === undefined);

describe('what no run of ours shows', () => {
  test.each(byFacts.map((row) => [nameOf(row), row] as const))('%s is red, and green with good facts', (_name, row) => {
    expect(problemsOf(row, { ...good, ...row.facts })).toEqual([
      expect.stringMatching(new RegExp(`^must not ${row.params.code}: (?!.*not measured)`)),
    ]);
    expect(problemsOf(row, good)).toEqual([]);
  });
});

describe('what a planted case brings about', () => {
  test.concurrent.each(byPlaying.map((row) => [nameOf(row), row] as const))('%s is red', async (_name, row) => {
    const one = plant({ given: row.given ?? {}, mustNot: [row.params] });
    const problems = judge(one, await observe(one));
    // Only the row that left it takes it away: the rows run side by side, and another would hide what this one shows.
    if (row.params.code === 'prototype_changed') Reflect.deleteProperty(Object.prototype, 'polluted');
    expect(problems.filter((problem) => problem.startsWith('must not'))).toEqual([
      expect.stringMatching(new RegExp(`^must not ${row.params.code}: `)),
    ]);
  });
});

test.each([
  ['an unknown code', { code: 'no_such_code' }, 'the code no_such_code is unknown'],
  ['a parameter that is missing', { code: 'model_calls_more_than' }, 'cannot be checked: n: '],
  ['a parameter that nobody knows', { code: 'success_status', loud: 1 }, 'has the unknown parameters loud'],
  ['a request that was never sent', { code: 'request_contains', request: 9, value: 'x' }, 'there is no request 9'],
  ['what was not measured', { code: 'compile_error' }, 'was not measured'],
  ['a place that is unknown', { code: 'secret_visible', value: 'x', where: ['moon'] }, 'the place moon is unknown'],
])('%s fails the case', async (_what, params, words) => {
  const one = plant({ mustNot: [params] });
  expect(judge(one, await observe(one)).join('; ')).toContain(words);
});
