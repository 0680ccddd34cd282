/** One call: its input, who let it run, what came of it. */
import type { ComponentType } from 'preact';
import type { ErrorRecord } from '../../../core/events.ts';
import type { CallView } from '../../../observe/run-view.ts';
import { useFormat, useTexts, wordIn } from '../../texts/use-texts.ts';
import { visible } from '../common/json-text.ts';
import { JsonTree } from '../common/json-tree.tsx';
import { LongText } from '../common/long-text.tsx';
import { Field, Fold } from '../common/section.tsx';
import { Badge, CallStatus } from '../common/status.tsx';
import { CallDecision } from './call-decision.tsx';
import { NestedRun } from './nested-run.tsx';
import { preview } from './preview.ts';
import type { StepBodyProps } from './step-body.tsx';

interface CallCardProps {
  readonly call: CallView;
  /** Of the steps of a run that is nested in it. */
  readonly Body: ComponentType<StepBodyProps>;
}

export function CallCard({ call, Body }: CallCardProps) {
  const texts = useTexts();
  const { tool, status, nested, retries } = call;
  return (
    <article
      class="call"
      aria-label={`${texts.call} ${call.callId}: ${tool}`}
      data-call={call.callId}
      data-status={status}
    >
      <CallHead call={call} />
      <div class="call-columns">
        <CallInput call={call} />
        <CallResult call={call} />
      </div>
      <CallDecision call={call} />
      {retries.length > 0 && <Retries call={call} />}
      {call.error !== null && <CallError error={call.error} />}
      {nested !== null && (
        <Fold title={texts.nestedRun} note={texts.stepsCount(nested.steps.length)} part="nested">
          {() => <NestedRun view={nested} Body={Body} />}
        </Fold>
      )}
    </article>
  );
}

function CallHead({ call }: { readonly call: CallView }) {
  const texts = useTexts();
  const format = useFormat();
  const { startedAtMs, endedAtMs, effect, spent } = call;
  const took = startedAtMs === null || endedAtMs === null ? null : format.time(endedAtMs - startedAtMs);
  return (
    <div class="call-head">
      <h5>
        <bdi>{visible(call.tool)}</bdi>
      </h5>
      <CallStatus status={call.status} />
      {call.repaired && <Badge tone="wait" text={texts.repaired} hint={texts.repairedHint} word="repaired" />}
      {call.empty && <span class="note">{texts.emptyResult}</span>}
      <span class="call-facts">
        {effect !== null && <span>{wordIn(texts.words.effects, effect)}</span>}
        {spent !== null && <span>{texts.tokensCount(spent.tokens.inputTokens + spent.tokens.outputTokens)}</span>}
        {took !== null && <span>{took}</span>}
        <code>{call.callId}</code>
      </span>
    </div>
  );
}

function CallInput({ call }: { readonly call: CallView }) {
  const texts = useTexts();
  const { input, written, coerced } = call;
  const isChanged = written !== input && JSON.stringify(written) !== JSON.stringify(input);
  return (
    <Field label={texts.input} part="input">
      <JsonTree value={input} />
      {coerced.length > 0 && (
        <div class="coerced" data-part="coerced">
          <span class="note">{texts.coerced}</span>
          <ul class="plain">
            {coerced.map((change) => (
              <li key={change}>
                <code>{visible(change)}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {isChanged && (
        <Fold title={texts.writtenInput} part="written">
          {() => <JsonTree value={written} />}
        </Fold>
      )}
    </Field>
  );
}

function CallResult({ call }: { readonly call: CallView }) {
  const texts = useTexts();
  const format = useFormat();
  const { observation, output, cutFrom } = call;
  if (observation === null && output === null) return null;
  return (
    <Field label={texts.observation} part="observation" {...(call.status === 'succeeded' ? {} : { tone: 'bad' })}>
      {observation !== null && <LongText text={observation} isCode />}
      {cutFrom !== null && (
        <p class="cut" data-part="cut">
          {texts.cutFrom(format.count(observation?.length ?? 0), format.count(cutFrom))}
        </p>
      )}
      {output !== null && (
        <Fold title={texts.output} note={texts.outputNote} part="output">
          {() => <JsonTree value={output} />}
        </Fold>
      )}
    </Field>
  );
}

function Retries({ call }: { readonly call: CallView }) {
  const texts = useTexts();
  const format = useFormat();
  return (
    <Field label={texts.retriesCount(call.retries.length)} part="retries">
      <ul class="plain">
        {call.retries.map(({ attempt, waitMs, observation }) => (
          <li key={attempt}>
            <p class="note">{texts.retryLine(attempt, format.time(waitMs))}</p>
            <LongText text={observation} isCode />
          </li>
        ))}
      </ul>
    </Field>
  );
}

/** Causes that are shown: a chain may be made on purpose. */
const mostCauses = 8;

function CallError({ error }: { readonly error: ErrorRecord }) {
  const texts = useTexts();
  const chain: ErrorRecord[] = [];
  for (let one: ErrorRecord | null = error; one !== null && chain.length < mostCauses; one = one.cause) chain.push(one);
  return (
    <Fold title={texts.error} note={preview(`${error.name}: ${error.message}`)} part="error">
      {() => (
        <ul class="plain">
          {chain.map(({ name, message, stack }, index) => (
            <li key={index}>
              <strong>{visible(name)}</strong> <LongText text={message} />
              {stack !== null && <LongText text={stack} isCode class="stack" />}
            </li>
          ))}
        </ul>
      )}
    </Fold>
  );
}
