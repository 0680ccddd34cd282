/** What the spans below a run's own need of it. Types only. */
import type { ModelName } from '../../core/model.ts';
import type { Api, OpenSpan } from './api.ts';

export interface SpanSettings {
  readonly api: Api;
  readonly agentName: string | null;
  /** The most that one attribute of content holds; null where there is none. */
  readonly contentLength: number | null;
}

export interface RunContext {
  readonly settings: SpanSettings;
  /** Its own. */
  readonly span: OpenSpan;
  readonly model: ModelName | null;
  readonly dialect: string | null;
}
