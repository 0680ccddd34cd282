/**
 * The spans of one run: its own, one for each request to the model, one for each call of a tool, and below a call those of the agent
 * that ran as the tool. When a span begins and ends is told by the events; what stands in it, by the picture of the run.
 */
import type { ModelName } from '../../core/model.ts';
import type { TraceEvent } from '../../core/trace.ts';
import type { CallView, RunView } from '../run-view.ts';
import type { OpenSpan, Place, SpanContext } from './api.ts';
import { type ChatSpan, endChat, passedOn, startChat } from './chat-span.ts';
import { answerContent, taskContent, words } from './content.ts';
import { type Facts, runEndFacts, runError, runStartFacts } from './facts.ts';
import { marksOf } from './marks.ts';
import { names, operations, own } from './names.ts';
import type { RunContext, SpanSettings } from './run-context.ts';
import { endTool, startTool } from './tool-span.ts';

/** What a later life of a run, in this process, wants to know of this one. */
export interface Left {
  readonly context: SpanContext | null;
  readonly model: ModelName | null;
  readonly dialect: string | null;
}

export interface RunStart extends SpanSettings {
  readonly parent: Place;
  /** Where the run goes on and its former life was seen. */
  readonly left: Left | null;
}

export interface RunSpans {
  /** `before` and `after`: the run around the event. */
  see(event: TraceEvent, before: RunView, after: RunView): void;
  /** Nothing more is heard of it: all that is open ends. */
  abandon(view: RunView): void;
  readonly left: Left;
}

/** `view`: behind the first event of the run, or the one with which it goes on. */
export function startRun({ parent, left, ...settings }: RunStart, view: RunView): RunSpans {
  const { api, agentName, contentLength } = settings;
  const model = view.model ?? left?.model ?? null;
  const dialect = view.dialect ?? left?.dialect ?? null;
  const span = api.start({
    name: agentName === null ? operations.agent : `${operations.agent} ${agentName}`,
    kind: 'internal',
    startMs: view.lastWallMs,
    facts: {
      ...runStartFacts(view, { agentName, model, dialect, isResumed: view.resumed > 0 }),
      ...(contentLength === null ? {} : taskContent(view, contentLength)),
    },
    parent,
    link: left?.context ?? null,
  });
  const run: RunContext = { settings, span, model, dialect };
  const open: OpenRun = { ...run, chat: null, tools: new Map(), nested: new Map(), held: new Set() };
  return {
    left: { context: span.context, model, dialect },
    see(event, before, after) {
      if (event.ignored === true) return;
      for (const { name, facts } of marksOf(event, before, after, contentLength !== null))
        span.mark(name, facts, event.wallMs);
      see(open, event, before, after);
    },
    abandon(view) {
      endOpen(open, view, view.lastWallMs);
      span.set({ ...runEndFacts(view), [own.abandoned]: true });
      span.end(view.lastWallMs);
    },
  };
}

interface OpenRun extends RunContext {
  chat: ChatSpan | null;
  /** By call id; those that are open. */
  readonly tools: Map<string, OpenSpan>;
  readonly nested: Map<string, RunSpans>;
  /** Calls that were let run and never began: they waited for their place. */
  readonly held: Set<string>;
}

function see(open: OpenRun, event: TraceEvent, before: RunView, after: RunView): void {
  switch (event.type) {
    case 'prompt.sent':
      open.chat = startChat(open, event, after);
      return;
    case 'model.asked':
      if (open.chat !== null) passedOn(open.chat, event);
      return;
    case 'call.nested':
      return seeNested(open, event, before, after);
    case 'call.settled': {
      const call = callIn(after, event.step, event.callId);
      if (call !== null) settle(open, call, event.step, after, event.wallMs);
      return;
    }
    case 'run.ended':
      return end(open, after, event.wallMs);
    default:
      if ('waiting' in event) for (const callId of event.waiting ?? []) open.held.add(callId);
      endChatIfOver(open, after);
  }
}

/** A reply is over where the picture has its end: some stop in their middle and go on. */
function endChatIfOver(open: OpenRun, view: RunView): void {
  const { chat } = open;
  if (chat === null) return;
  const step = view.steps.findLast(({ number }) => number === chat.step);
  const tried = step?.tries.findLast(({ number }) => number === chat.attempt);
  if (step === undefined || tried === undefined || tried.endedWallMs === null) return;
  open.chat = null;
  endChat(open, chat, step, tried, tried.endedWallMs);
}

function seeNested(
  open: OpenRun,
  { step, callId, event, wallMs }: Extract<TraceEvent, { type: 'call.nested' }>,
  before: RunView,
  after: RunView,
): void {
  const call = callIn(after, step, callId);
  if (call === null || call.nested === null) return;
  const tool = open.tools.get(callId) ?? startTool(open, call, step, wallMs);
  open.tools.set(callId, tool);
  if (event.type === 'run.started') {
    // An earlier try of the call, that did not tell its end.
    open.nested.get(callId)?.abandon(callIn(before, step, callId)?.nested ?? call.nested);
    const start = { ...open.settings, agentName: call.tool, parent: tool.place, left: null };
    open.nested.set(callId, startRun(start, call.nested));
    return;
  }
  const inside = open.nested.get(callId);
  inside?.see(event, callIn(before, step, callId)?.nested ?? call.nested, call.nested);
  if (event.type === 'run.ended') open.nested.delete(callId);
}

function callIn({ steps }: RunView, number: number, callId: string): CallView | null {
  const step = steps.findLast((one) => one.number === number);
  return step?.calls.find((call) => call.callId === callId) ?? null;
}

function settle(open: OpenRun, call: CallView, step: number, view: RunView, wallMs: number): void {
  const { callId, nested } = call;
  // Where a call was given up, the agent in it may not have told its end.
  if (nested !== null) open.nested.get(callId)?.abandon(nested);
  open.nested.delete(callId);
  const startedMs = wallMs - Math.max(0, (call.endedAtMs ?? view.atMs) - (call.startedAtMs ?? view.atMs));
  endTool(open, open.tools.get(callId) ?? startTool(open, call, step, startedMs), call, view, wallMs);
  open.tools.delete(callId);
}

function end(open: OpenRun, view: RunView, wallMs: number): void {
  endOpen(open, view, wallMs);
  const { span, settings, model } = open;
  const { api, contentLength, agentName } = settings;
  const error = runError(view);
  span.set({
    ...runEndFacts(view),
    ...(contentLength === null ? {} : answerContent(view, contentLength)),
    [names.errorType]: error ?? undefined,
  });
  if (error !== null) span.fail(contentLength === null || view.failure === null ? null : words(view.failure.message));
  span.end(wallMs);
  const facts: Facts = {
    [names.agent]: agentName ?? undefined,
    [names.requestModel]: model?.name,
    [names.errorType]: error ?? undefined,
  };
  api.record('agentDuration', Math.max(0, wallMs - span.startMs) / 1000, facts, span.place);
}

/** What the end of the run cuts off: a reply that was being read, calls in flight. */
function endOpen(open: OpenRun, view: RunView, wallMs: number): void {
  const { chat } = open;
  const step = view.steps.findLast(({ number }) => number === chat?.step);
  const tried = step?.tries.at(-1);
  open.chat = null;
  if (chat !== null && step !== undefined && tried !== undefined)
    endChat(open, chat, step, tried, tried.endedWallMs ?? wallMs);
  else chat?.span.end(wallMs);
  for (const { number, calls } of view.steps.slice(-1))
    for (const call of calls)
      if (call.startedAtMs !== null && call.endedAtMs === null && !open.held.has(call.callId))
        settle(open, call, number, view, wallMs);
  for (const tool of open.tools.values()) tool.end(wallMs);
  open.tools.clear();
}
