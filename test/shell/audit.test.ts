/** The record of every decision: who, what, why, when and about which input, from the events of a run. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentOptions } from '../../src/agent-options.ts';
import type { JsonValue } from '../../src/core/json.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { ToolMarks, ToolRecord } from '../../src/core/tool.ts';
import type { TraceEvent } from '../../src/core/trace.ts';
import type { ScriptEntry } from '../../src/models/scripted.ts';
import type { AuditRecord } from '../../src/observe/audit-record.ts';
import { auditOf, createAudit } from '../../src/observe.ts';
import type { Run } from '../../src/run.ts';
import { tool } from '../../src/tool.ts';
import { act, answer, hangs, returns, setup } from './setup.ts';

/** Such as `1.1 save refused by callLimit: save was not run`. */
const told = ({ callId, step, tool: name, decision, gate, by, why, late }: AuditRecord): string =>
  [
    ...[callId ?? step, name, decision].filter((part) => part !== null),
    ...(gate === null || decision === 'asked' ? [] : [`by ${gate}`]),
    ...(by === null ? [] : [`by ${by}`]),
    ...(late ? ['late'] : []),
  ].join(' ') + (why === '' ? '' : `: ${why}`);

const ofCalls = (records: readonly AuditRecord[]) =>
  records.filter(({ callId }) => callId !== null).map((record) => told(record).slice(0, 90));

const strict = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false } as const;
const tools: ToolRecord = {
  look: returns('seen', { readOnly: true }),
  sum: returns(3, { idempotent: true }),
  plain: returns('done'),
  save: returns('saved', { sideEffect: true }),
  once: returns('once', { maxCallsPerRun: 1 }),
  seldom: returns('seldom', { rateLimit: { calls: 1, perMs: 9_000_000 } }),
  wary: tool({ inputSchema: z.object({ n: z.number() }), needsApproval: ({ n }) => n === 1, execute: () => 'done' }),
  waived: returns('done', { sideEffect: true, needsApproval: false }),
  typed: returns('typed', { inputSchema: strict }),
  puzzled: returns('done', {
    needsApproval: () => {
      throw new Error('no idea');
    },
  }),
};

interface Played {
  readonly calls: readonly (readonly [tool: string, input?: JsonValue])[];
  readonly agent?: Partial<AgentOptions>;
  readonly decide?: (run: Run) => void;
  readonly tools?: ToolRecord;
}

async function played({ calls, agent = {}, decide = () => {}, tools: own = tools }: Played) {
  const replies: ScriptEntry[] = [...calls.map(([name, input]) => act(name, input ?? {})), answer('done')];
  const { clock, events, start } = setup({ replies, tools: own, agent });
  const run = start();
  await clock.calm();
  decide(run);
  await clock.until(run.outcome);
  return { records: auditOf(events), events, clock };
}

describe('why a call ran, was asked about or refused', () => {
  it.each<[Played['calls'], Policy | null, readonly string[]]>([
    [[['look']], null, ['1.1 look run: readOnly tool']],
    [[['sum']], null, ['1.1 sum run: idempotent tool']],
    [[['plain']], null, ['1.1 plain run: tool without a mark']],
    [[['save']], null, ['1.1 save asked: marked sideEffect']],
    [[['wary', { n: 1 }]], null, ['1.1 wary asked: needsApproval said yes']],
    [[['wary', { n: 2 }]], null, ['1.1 wary run: needsApproval said no']],
    [[['waived']], null, ['1.1 waived run: needsApproval said no']],
    [[['save']], 'all', ['1.1 save run: policy all']],
    [[['look']], 'all', ['1.1 look run: policy all']],
    [[['look']], 'readOnly', ['1.1 look run: readOnly tool']],
    [[['save']], 'readOnly', ['1.1 save refused by policy: save was not run: only tools that read']],
    [[['plain']], 'ask', ['1.1 plain asked: policy ask']],
    [[['look']], 'ask', ['1.1 look run: readOnly tool']],
    [[['save']], 'dryRun', ['1.1 save run: policy dryRun: told of, and not done']],
    [[['save']], { allow: ['save'] }, ['1.1 save run: policy allows save']],
    [[['plain']], { allow: ['save'] }, ['1.1 plain asked: policy does not name plain']],
    [[['sav']], null, ['1.1 sav refused by tool: There is no tool called "sav". Did you mean "save"']],
    [[['typed', { n: 'x' }]], null, ['1.1 typed refused by input: The input of typed cannot be used']],
    [[['typed', { n: '5' }]], null, ['1.1 typed run: tool without a mark; input taken as meant: n: "5" → 5']],
    [[['puzzled']], null, ['1.1 puzzled refused by approval: The input of puzzled could not be checked']],
    [
      [['waived'], ['waived']],
      null,
      [
        '1.1 waived run: needsApproval said no',
        '1.1 waived succeeded',
        '2.1 waived refused by duplicate: waived was not run',
      ],
    ],
    [
      [['once'], ['once', { n: 2 }]],
      null,
      ['1.1 once run: tool without a mark', '1.1 once succeeded', '2.1 once refused by callLimit: once was not run'],
    ],
    [
      [['seldom'], ['seldom', { n: 2 }]],
      null,
      ['1.1 seldom run', '1.1 seldom succeeded', '2.1 seldom refused by rateLimit: seldom was not run'],
    ],
  ])('%j under %j', async (calls, policy, expected) => {
    const { records } = await played({ calls, agent: policy === null ? {} : { policy } });
    const seen = ofCalls(records).slice(0, expected.length);
    expect(seen).toEqual(expected.map((text) => expect.stringContaining(text)));
    expect(records[0]).toMatchObject({
      decision: 'started',
      why: expect.stringContaining(
        policy === null ? 'no policy' : `policy ${typeof policy === 'string' ? policy : 'allow save'}`,
      ),
    });
  });
});

describe('which rule it was: a mark, or needsApproval', () => {
  const asksNobody = ['run: tool without a mark', 'run: readOnly tool', 'run: idempotent tool'] as const;
  const [unmarked, readOnly, idempotent] = asksNobody;
  const marks: readonly (readonly [marks: ToolMarks, byMark: string])[] = [
    [{}, unmarked],
    [{ readOnly: true }, readOnly],
    [{ idempotent: true }, idempotent],
    [{ readOnly: true, idempotent: true }, readOnly],
    [{ readOnly: false, sideEffect: false, idempotent: false }, unmarked],
    [{ sideEffect: true }, 'asked: marked sideEffect'],
    [{ sideEffect: true, idempotent: true }, 'asked: marked sideEffect'],
  ];
  const approvals: readonly (readonly [
    needsApproval: Parameters<typeof tool>[0]['needsApproval'],
    said: string | null,
  ])[] = [
    [undefined, null],
    [true, 'asked: needsApproval said yes'],
    [false, 'run: needsApproval said no'],
    [() => true, 'asked: needsApproval said yes'],
    [async () => false, 'run: needsApproval said no'],
  ];
  const rows = marks.flatMap(([marked, byMark]) =>
    approvals.map(([needsApproval, said]) => ({ marked, needsApproval, expected: said ?? byMark })),
  );
  it.each(rows)('$marked, needsApproval $needsApproval: $expected', async ({ marked, needsApproval, expected }) => {
    const made = returns('done', { ...marked, ...(needsApproval === undefined ? {} : { needsApproval }) });
    const { records } = await played({ calls: [['made']], tools: { made } });
    expect(ofCalls(records)[0]).toBe(`1.1 made ${expected}`);
  });
});

describe('what a person decided', () => {
  const calls: Played['calls'] = [['save', { n: 1 }]];
  it.each<[string, (run: Run) => void, string, string | null]>([
    [
      'approved, by a name',
      (run) => run.approve('1.1', { by: 'ada' }),
      '1.1 save approved by ada',
      '1.1 save succeeded',
    ],
    ['approved, by nobody known', (run) => run.approve('1.1'), '1.1 save approved', '1.1 save succeeded'],
    [
      'edited',
      (run) => run.approve('1.1', { input: { n: 2 }, by: '张伟' }),
      '1.1 save approved by 张伟: with another input',
      '1.1 save succeeded',
    ],
    [
      'denied, with a reason',
      (run) => run.deny('1.1', 'not today', { by: 'ada' }),
      '1.1 save denied by ada: not today',
      null,
    ],
    ['denied, without', (run) => run.deny('1.1'), '1.1 save denied', null],
    ['left alone', () => {}, '1.1 save denied: nobody decided in time', null],
  ])('%s', async (_what, decide, decision, result) => {
    const { records } = await played({ calls, decide });
    const [asked, decided, settled] = ofCalls(records);
    expect(asked).toBe('1.1 save asked: marked sideEffect');
    expect(decided).toBe(decision);
    expect(settled?.split(':')[0] ?? null).toBe(result);
    expect(records.map(told)).toContainEqual(expect.stringMatching(/^1 waiting: until \d{4}-\d\d-\d\dT[\d:.]+Z$/));
  });

  it('an edited input that the gates refuse is refused by them, with its own hash, and by whom it was edited', async () => {
    const { events, records } = await played({
      calls: [
        ['typed', { n: 1 }],
        ['typed', { n: 'x' }],
      ],
      agent: { policy: 'ask' },
      decide: (run) => run.approve('1.1', { input: { n: 'x' }, by: 'ada' }),
    });
    const same = records.find(({ callId }) => callId === '2.1');
    const [asked, refused] = records.filter(({ callId }) => callId === '1.1');
    expect(refused).toMatchObject({ decision: 'refused', gate: 'input', by: 'ada', edited: true });
    expect(refused?.why).toMatch(/^the input as edited; The input of typed cannot be used: /);
    expect(refused?.inputHash).toMatch(/^[0-9a-z]{12,24}$/);
    expect(refused?.inputHash).not.toBe(asked?.inputHash);
    expect(refused?.inputHash).toBe(same?.inputHash);
    // A trace that does not tell the edited input must not pass off another one as it.
    const old = auditOf(
      events.map((event) => {
        if (event.type !== 'approval.denied') return event;
        const { key: _, ...rest } = event;
        return rest;
      }),
    );
    expect(old.find(({ decision }) => decision === 'refused')?.inputHash).toBeNull();
  });

  it('a name is a text, and the call still waits where it is none', async () => {
    const { by }: { by: string } = JSON.parse('{"by":7}');
    const wrong = expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining('1.1') });
    const { records } = await played({
      calls,
      decide: (run) => {
        expect(() => run.approve('1.1', { by })).toThrow(wrong);
        expect(() => run.deny('1.1', '', { by })).toThrow(wrong);
        run.approve('1.1', { by: 'ada' });
      },
    });
    expect(ofCalls(records)[1]).toBe('1.1 save approved by ada');
  });
});

describe('when, and about which input', () => {
  it('every event has the time of the wall, while the running time stands still', async () => {
    const { clock, events, start } = setup({ replies: [act('save'), answer('done')], tools });
    const begun = clock.wallMs();
    const run = start();
    await clock.pass(300_000);
    run.approve('1.1', { by: 'ada' });
    await clock.until(run.outcome);
    const records = auditOf(events);
    expect(events.map(({ wallMs }) => wallMs - begun)).toEqual(
      events.map(({ sequence }) => (sequence <= 5 ? 0 : 300_000)),
    );
    expect(records.find(({ decision }) => decision === 'approved')?.wallMs).toBe(begun + 300_000);
  });

  it('equal inputs have equal hashes, others do not, and an edited one has its own', async () => {
    const { records } = await played({
      calls: [
        ['save', { n: 1, m: 2 }],
        ['look', { m: 2, n: 1 }],
        ['look', { n: 1, m: 2 }],
        ['look', { n: 1 }],
      ],
      decide: (run) => run.approve('1.1', { input: { n: 7 } }),
    });
    const hash = (callId: string, decision: string) =>
      records.find((record) => record.callId === callId && record.decision === decision)?.inputHash;
    expect(hash('1.1', 'asked')).toMatch(/^[0-9a-z]{12,24}$/);
    expect(hash('1.1', 'approved')).not.toBe(hash('1.1', 'asked'));
    expect(hash('1.1', 'succeeded')).toBe(hash('1.1', 'approved'));
    expect(hash('2.1', 'run')).toBe(hash('3.1', 'run'));
    expect(hash('4.1', 'run')).not.toBe(hash('3.1', 'run'));
    expect(hash('2.1', 'run')).not.toBe(hash('1.1', 'asked'));
  });
});

describe('what became of it', () => {
  const throws = tool({
    inputSchema: { type: 'object' },
    retries: 1,
    readOnly: true,
    execute: () => {
      throw new Error('the disk is full');
    },
  });

  it('failures, tries and doubts', async () => {
    const { records } = await played({ calls: [['throws'], ['hangs']], tools: { throws, hangs: hangs() } });
    expect(ofCalls(records)).toEqual([
      '1.1 throws run: readOnly tool',
      expect.stringMatching(/^1\.1 throws retried: try 1: Error: the disk is full; again in \d+ ms$/),
      '1.1 throws failed: Error: the disk is full',
      '2.1 hangs run: tool without a mark',
      expect.stringMatching(/^2\.1 hangs unknown: hangs timed out/),
    ]);
  });

  it('a run that is aborted leaves what was let through unsettled', async () => {
    const { records } = await played({
      calls: [['hangs']],
      tools: { hangs: hangs() },
      decide: (run) => run.abort('lunch'),
    });
    expect(records.slice(-3).map(told)).toEqual([
      'aborted: lunch',
      '1.1 hangs unsettled: no result is known; it may have started',
      'ended: aborted',
    ]);
  });

  it.each<[string, (run: Run) => void, string]>([
    ['asked about', () => {}, '1.1 save unsettled: the trace ends before the run does; nobody had decided'],
    [
      'let through',
      (run) => run.approve('1.1', { by: 'ada' }),
      '1.1 save unsettled: the trace ends before the run does; no result is known; it may have started',
    ],
  ])('a trace that ends first leaves a call unsettled: %s', async (_what, decide, expected) => {
    const { events, records } = await played({ calls: [['save']], decide });
    const torn = events.slice(
      0,
      events.findIndex(({ type }) => type === 'call.settled' || type === 'approval.denied'),
    );
    expect(auditOf(torn).map(told).at(-1)).toBe(expected);
    expect(auditOf(torn).at(-1)).toMatchObject({ step: 1, sequence: torn.length - 1, wallMs: torn.at(-1)?.wallMs });
    expect(records.filter(({ decision }) => decision === 'unsettled')).toEqual([]);
    // Another run begins: what the one before left open is told first, with its name.
    const next = auditOf([
      ...torn,
      ...events.map((event) => ('runId' in event ? { ...event, runId: 'other' } : event)),
    ]);
    const at = next.findIndex(({ decision }) => decision === 'unsettled');
    expect([next[at]?.runId, next[at + 1]?.runId]).toEqual([records[0]?.runId, 'other']);
    expect(next.filter(({ decision }) => decision === 'unsettled')).toHaveLength(1);
  });

  it('a trace is read event by event as it grows, and its end is asked for', async () => {
    const { events, records } = await played({ calls: [['look'], ['save']], decide: (run) => run.deny('2.1') });
    const audit = createAudit();
    expect(audit.end()).toEqual([]);
    expect(events.flatMap((event) => audit.take(event))).toEqual(records);
    expect(audit.end()).toEqual([]);
  });

  it('a decision that comes late is shown as late, and changes nothing', async () => {
    const { events } = await played({ calls: [['save']], decide: (run) => run.deny('1.1') });
    const denied = events.filter(({ type }) => type === 'approval.denied');
    const late = events.flatMap((event) => [
      event,
      ...denied.filter((one) => one === event).map((one) => ({ ...one, ignored: true })),
    ]);
    expect(ofCalls(auditOf(late))).toEqual([
      '1.1 save asked: marked sideEffect',
      '1.1 save denied',
      '1.1 save denied late',
    ]);
  });

  it('answers that are checked', async () => {
    const checkAnswer = (text: string) => text === 'done' || 'Say done.';
    const { events, run } = setup({ replies: [answer('no'), answer('done')], agent: { checkAnswer } });
    await run();
    expect(auditOf(events).map(told).slice(1)).toEqual(['1 rejected: Say done.', '2 accepted', 'ended: final']);
  });
});

describe('a run that goes on elsewhere', () => {
  it('has its tools, inputs and policy in the new trace too', async () => {
    const { agent, clock, events, run } = setup({ replies: [act('save', { n: 1 }), answer('done')], tools });
    const outcome = await run();
    if (outcome.ok || outcome.snapshot === undefined) throw new Error('it should have been suspended');
    const before = auditOf(events.splice(0));
    expect(before.map(told).at(-1)).toBe('ended: suspended');
    const resumed = agent.resume(outcome.snapshot);
    resumed.approve('1.1', { by: 'ada' });
    await clock.until(resumed.outcome);
    const after = auditOf(events);
    expect(after.map(told)).toEqual([
      'resumed: no policy',
      expect.stringMatching(/^1 waiting: until/),
      '1.1 save approved by ada',
      expect.stringMatching(/^1\.1 save succeeded/),
      'ended: final',
    ]);
    expect(after[2]?.inputHash).toBe(before.find(({ decision }) => decision === 'asked')?.inputHash);
    expect(new Set([...before, ...after].map(({ runId }) => runId))).toEqual(new Set([outcome.runId]));
  });

  it('after a crash: what the snapshot does not have is unsettled, and what it has goes on', async () => {
    const { events } = await played({ calls: [['look'], ['save']] });
    const crashed = events.slice(0, events.findIndex(({ type }) => type === 'approval.asked') + 1);
    const [started] = crashed;
    if (started?.type !== 'run.started') throw new Error('it should have started');
    const { runId, limits, policy, wallMs } = started;
    const resumed: TraceEvent = {
      ...{ type: 'run.resumed', runId, limits, policy, wallMs, calls: [] },
      ...{ sequence: 4, state: 'THINKING' },
    };
    const call = { input: {}, repaired: false, effect: 'sideEffect', endsRun: false, empty: false } as const;
    const asking = { callId: '2.1', tool: 'save', status: 'asking', key: 'k', resultKey: '', ...call } as const;
    expect(
      auditOf([...crashed, resumed])
        .slice(-2)
        .map(told),
    ).toEqual(['2.1 save unsettled: the trace ends before the run does; nobody had decided', 'resumed: no policy']);
    expect(
      auditOf([...crashed, { ...resumed, calls: [asking] }])
        .slice(-2)
        .map(told),
    ).toEqual(['resumed: no policy', '2.1 save unsettled: the trace ends before the run does; nobody had decided']);
  });

  it('start and resume with nobody there suspend the run, and its events can be read', async () => {
    const { clock, agent, start } = setup({ replies: [act('save'), answer('done')], tools });
    const first = start({ attended: false });
    const types: string[] = [];
    const reading = (async () => {
      for await (const { type } of first) types.push(type);
    })();
    const outcome = await clock.until(first.outcome);
    await reading;
    expect(types).toEqual(expect.arrayContaining(['run.started', 'reply.delta', 'calls.checked', 'run.ended']));
    expect(outcome).toMatchObject({ ok: false, stopReason: 'suspended' });
    if (outcome.ok || outcome.snapshot === undefined) throw new Error('it should have been suspended');
    const again = await clock.until(agent.resume(outcome.snapshot, { attended: false }).outcome);
    expect(again).toMatchObject({ ok: false, stopReason: 'suspended' });
  });
});
