/** Attributes, made from the picture of a run. Nothing here is what people, models or tools wrote. Pure. */
import type { ModelName } from '../../core/model.ts';
import type { TokenCount } from '../../core/usage.ts';
import type { CallView, RunView, StepView, TryView } from '../run-view.ts';
import { names, operations, otherError, own, providerName, timeoutError } from './names.ts';

/** What is undefined is left out. */
export interface Facts {
  readonly [name: string]: string | number | boolean | readonly string[] | undefined;
}

/** The model as it was known when the run began. */
export function modelFacts(model: ModelName | null): Facts {
  if (model === null) return {};
  return { [names.provider]: providerName(model.provider), [names.requestModel]: model.name };
}

/** `resumed`: the run goes on. */
export function runStartFacts(view: RunView, about: RunFacts): Facts {
  return {
    [names.operation]: operations.agent,
    [names.agent]: about.agentName ?? undefined,
    ...modelFacts(about.model),
    [names.conversation]: view.runId,
    [own.dialect]: about.dialect ?? undefined,
    [own.resumed]: about.isResumed || undefined,
  };
}

export interface RunFacts {
  readonly agentName: string | null;
  readonly model: ModelName | null;
  readonly dialect: string | null;
  readonly isResumed: boolean;
}

export function runEndFacts({ stopReason, usage, violations }: RunView): Facts {
  return {
    [own.stopReason]: stopReason ?? undefined,
    ...tokenFacts(usage),
    [own.steps]: usage.steps,
    [own.toolCalls]: usage.toolCalls,
    [own.violations]: violations,
  };
}

export function chatStartFacts(model: ModelName | null, runId: string, step: number, attempt: number): Facts {
  return {
    [names.operation]: operations.chat,
    ...modelFacts(model),
    [names.conversation]: runId,
    [own.step]: step,
    [own.attempt]: attempt,
  };
}

export function chatEndFacts({ calls, savedTokens, dialect, violation }: StepView, tried: TryView): Facts {
  const isRead = tried.finish !== null && tried.finish !== 'failed';
  return {
    [names.finishReasons]: isRead ? [finishReason(tried)] : undefined,
    ...tokenFacts(tried.tokens),
    [own.savedTokens]: tried.finish === 'cut' ? savedTokens : undefined,
    [own.dialect]: dialect ?? undefined,
    [own.violation]: violation?.code,
    [own.repaired]: calls.some(({ repaired }) => repaired) || undefined,
  };
}

/** One that was left behind a complete step ended at a stop sequence, though it was we who stopped there. */
export function finishReason({ finish }: TryView): string {
  if (finish === 'failed' || finish === null) return 'error';
  return finish === 'cut' ? 'stop' : finish;
}

/** A request that nobody answered has none. */
export function hasTokens(tokens: TokenCount | null): tokens is TokenCount {
  return tokens !== null && tokens.inputTokens + tokens.outputTokens > 0;
}

function tokenFacts(tokens: TokenCount | null): Facts {
  if (!hasTokens(tokens)) return {};
  return {
    [names.inputTokens]: tokens.inputTokens,
    [names.outputTokens]: tokens.outputTokens,
    [names.cachedTokens]: tokens.cachedInputTokens,
    [own.estimated]: tokens.estimated,
  };
}

export function toolStartFacts({ callId, tool, effect, repaired, coerced }: CallView, step: number): Facts {
  return {
    [names.operation]: operations.tool,
    [names.tool]: tool,
    [names.toolType]: 'function',
    [names.callId]: callId,
    [own.step]: step,
    [own.effect]: effect ?? undefined,
    [own.repaired]: repaired || coerced.length > 0 || undefined,
  };
}

/** Of a call; null where nothing went wrong. One that was given up in flight has the reason why the run stopped. */
export function callError({ status, error, timedOut, endedAtMs }: CallView, { stopReason }: RunView): string | null {
  if (status === 'succeeded') return null;
  if (timedOut) return timeoutError;
  return nameOf(error) ?? (endedAtMs === null ? stopReason : null) ?? otherError;
}

/** Of a run; null where nothing went wrong: it has an answer, or waits for a person. */
export function runError({ stopReason }: RunView): string | null {
  return stopReason === 'final' || stopReason === 'suspended' ? null : (stopReason ?? otherError);
}

/** Tools may put anything into the name of an error: what is no name of a class is content, and leaves with no span. */
export function nameOf(error: CallView['error']): string | null {
  if (error === null) return null;
  return /^[A-Za-z_$][\w$.]{0,63}$/.test(error.name) ? error.name : otherError;
}
