/** The public surface of `fuseloop`. Loads xstate and nothing heavier. */
export { type Agent, createAgent } from './agent.ts';
export type { AgentOptions, ResumeOptions, RunOptions, StartOptions } from './agent-options.ts';
export type { AgentTool, AsToolOptions } from './as-tool.ts';
export type { AnswerAbout, AnswerJudged, CheckAnswer } from './core/check-answer.ts';
export type { Clock } from './core/clock.ts';
export type { Doubt, LooksLikeError } from './core/doubt.ts';
export { AgentError, type ErrorCode, errorCodes, ToolError } from './core/errors.ts';
export type { ErrorRecord } from './core/events.ts';
export type { JsonObject, JsonValue } from './core/json.ts';
export type { Language } from './core/language.ts';
export { type Budget, defaults, type LoopGuard, type Sizes, type Timeouts } from './core/limits.ts';
export type {
  CallPiece,
  FinishReason,
  Message,
  MessageCall,
  Model,
  ModelEnd,
  ModelEvent,
  ModelFailed,
  ModelFailure,
  ModelName,
  ModelRequest,
  ToolDescription,
} from './core/model.ts';
export type { Answered, CallRef, Outcome, Step, StepCall, Unanswered } from './core/outcome.ts';
export type { Policy } from './core/policy.ts';
export type { Mark, ReadCall, Reading, Stop } from './core/reading.ts';
export type { Redaction } from './core/redact.ts';
export type { InferAnswer, InferInput, InputSchema, JsonSchema, StandardSchema } from './core/schema.ts';
export type { Snapshot } from './core/snapshot.ts';
export { type StopReason, stopReasons, type ViolationCode, violationCodes } from './core/stop-reasons.ts';
export type {
  AnyTool,
  Gives,
  Tool,
  ToolCallOptions,
  ToolDefinition,
  ToolMarks,
  ToolRecord,
} from './core/tool.ts';
export type { LiveEvent, ReplyDelta, ReplyRestarted, TraceEvent } from './core/trace.ts';
export type { Spent, TokenCount, Usage } from './core/usage.ts';
export type { CheckedCall, CheckResult } from './dispatch/result.ts';
export type { AgentLogic, LogicEvent, LogicInput, LogicSnapshot } from './logic.ts';
export type {
  Dialect,
  Observed,
  PromptOptions,
  ReadOptions,
  Scanner,
  StepWithCalls,
  Wire,
} from './protocol/dialect.ts';
export type { Form } from './protocol/form.ts';
export { type ReadReplyOptions, readReply } from './protocol/read.ts';
export type { PlainText } from './protocol/second-look.ts';
export { tags } from './protocol/tags.ts';
export type { TagNames } from './protocol/tags-names.ts';
export type { Run } from './run.ts';
export { tool } from './tool.ts';
