/** One request to a model: from the prompt to the end of its reply, or to where it was left. */
import type { ModelName } from '../../core/model.ts';
import type { TraceEvent } from '../../core/trace.ts';
import type { RunView, StepView, TryView } from '../run-view.ts';
import type { Api, OpenSpan } from './api.ts';
import { promptContent, replyContent, words } from './content.ts';
import { chatEndFacts, chatStartFacts, type Facts, hasTokens, modelFacts } from './facts.ts';
import { marks, names, operations } from './names.ts';
import type { RunContext } from './run-context.ts';

export interface ChatSpan {
  readonly span: OpenSpan;
  readonly step: number;
  readonly attempt: number;
  /** Who is asked. */
  model: ModelName | null;
}

type Of<Type extends TraceEvent['type']> = Extract<TraceEvent, { type: Type }>;

export function startChat(run: RunContext, event: Of<'prompt.sent'>, view: RunView): ChatSpan {
  const { model } = run;
  const { api, contentLength } = run.settings;
  const { step, attempt = 1, wallMs } = event;
  const span = api.start({
    name: nameOf(model),
    kind: 'client',
    startMs: wallMs,
    facts: {
      ...chatStartFacts(model, view.runId, step, attempt),
      ...(contentLength === null ? {} : promptContent(view.messages, contentLength)),
    },
    parent: run.span.place,
  });
  return { span, step, attempt, model };
}

function nameOf(model: ModelName | null): string {
  return model === null ? operations.chat : `${operations.chat} ${model.name}`;
}

/** The model passed the request on: the span is of the one that is asked now. */
export function passedOn(chat: ChatSpan, { provider, name, insteadOf, wallMs }: Of<'model.asked'>): void {
  chat.model = { provider, name };
  chat.span.rename(nameOf(chat.model));
  chat.span.set(modelFacts(chat.model));
  if (insteadOf === undefined) return;
  chat.span.mark(marks.modelFallback, { ...modelFacts(insteadOf), [names.errorType]: insteadOf.failure }, wallMs);
}

export function endChat(
  { settings, dialect }: RunContext,
  { span, model }: ChatSpan,
  step: StepView,
  tried: TryView,
  endMs: number,
): void {
  const { api, contentLength } = settings;
  const error = tried.failure?.failure ?? (tried.finish === null ? 'aborted' : undefined);
  span.set({ ...chatEndFacts(step, tried), [names.errorType]: error });
  if (contentLength !== null && tried.finish !== 'failed')
    span.set(replyContent(step, tried, dialect === 'native', contentLength));
  if (error !== undefined)
    span.fail(contentLength === null || tried.failure === null ? null : words(tried.failure.message));
  span.end(endMs);
  const facts = { [names.operation]: operations.chat, ...modelFacts(model) };
  const seconds = Math.max(0, endMs - span.startMs) / 1000;
  api.record('chatDuration', seconds, { ...facts, [names.errorType]: error }, span.place);
  recordTokens(api, span, facts, tried);
}

/** Only what the provider counted: the conventions want no guesses in this histogram. */
function recordTokens(api: Api, span: OpenSpan, facts: Facts, { tokens }: TryView): void {
  if (!hasTokens(tokens) || tokens.estimated) return;
  const counts = { input: tokens.inputTokens, output: tokens.outputTokens };
  for (const [type, count] of Object.entries(counts))
    api.record('tokenUsage', count, { ...facts, [names.tokenType]: type }, span.place);
}
