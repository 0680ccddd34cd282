/**
 * The loop that a competent engineer writes by hand, as the yardstick: the same Model port, the same duties a step, and
 * no machine. It is meant to be read and believed, so it is neither tuned beyond what one would write nor padded.
 *
 * Duties: conversation; budgets of steps, tokens, tool calls, violations and tool errors; deadline and abort signal;
 * reading a labelled reply from a stream; unknown tools and the shape of the input; a time limit on the tool; errors as
 * observations; repeated steps; a record of each step with its times; one outcome object, whatever happens.
 */

/** @typedef {import('../../dist/types/src/index.d.ts').Model} Model */

const defaults = {
  maxSteps: 12,
  maxTokens: 300_000,
  wallClockMs: 180_000,
  maxToolCalls: 100,
  maxViolations: 3,
  maxToolErrors: 3,
  maxReplyTokens: 4_096,
  warnAt: 2,
  endAt: 4,
};

/** @param {{ model: Model, tools: object, task: string, budget?: object, signal?: AbortSignal, temperature?: number }} options */
export async function runPlainLoop(options) {
  const run = createRun(options);
  while (true) {
    const spent = stopBefore(run);
    if (spent !== null) return end(run, spent);

    const stepStartMs = run.nowMs();
    const reply = await ask(run);
    const cut = stopBehind(run, reply);
    if (cut !== null) return end(run, cut, { error: reply.message ?? null });

    const reading = reply.finish === 'length' ? violation('Your reply was cut off.') : parseReply(reply.text);
    const step = recordStep(run, reading, reply, stepStartMs);
    if (reading.answer !== null) return end(run, 'final', { answer: reading.answer });

    const spentBehind = reading.violation === null ? stopCall(run, step) : null;
    if (spentBehind !== null) return end(run, spentBehind);
    const observation = await observe(run, step, reading);

    say(run, 'assistant', reply.text);
    say(run, 'user', `Observation: ${observation}${loopWarning(run, reading, observation)}`);
    step.endedAtMs = run.nowMs();
  }
}

function createRun({ model, tools, task, budget, signal, temperature = 0 }) {
  const limits = { ...defaults, ...budget };
  const startMs = performance.now();
  const abort = new AbortController();
  const onAbort = () => abort.abort(signal.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const deadline = setTimeout(() => abort.abort(new Error('The run took too long.')), limits.wallClockMs);
  const run = {
    model,
    tools,
    limits,
    signal,
    temperature,
    abort,
    runId: crypto.randomUUID(),
    startedAtMs: Date.now(),
    nowMs: () => performance.now() - startMs,
    close() {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', onAbort);
    },
    messages: [],
    steps: [],
    promptTokens: 0,
    inputTokens: 0,
    outputTokens: 0,
    toolCalls: 0,
    violations: 0,
    violationsInRow: 0,
    toolErrorsInRow: 0,
    lastKey: null,
    repeats: 1,
  };
  say(run, 'system', instructionsFor(tools));
  say(run, 'user', task);
  return run;
}

function say(run, role, content) {
  run.messages.push({ role, content });
  run.promptTokens += estimateTokens(content);
}

/** Why the model is not asked again, or null. */
function stopBefore(run) {
  const { limits } = run;
  if (run.signal?.aborted) return 'aborted';
  if (run.nowMs() >= limits.wallClockMs) return 'timeout';
  if (run.violationsInRow >= limits.maxViolations) return 'violations_exhausted';
  if (run.toolErrorsInRow >= limits.maxToolErrors) return 'tool_errors_exhausted';
  if (run.repeats >= limits.endAt) return 'loop_detected';
  if (run.steps.length >= limits.maxSteps) return 'max_steps';
  return tokensLeft(run) < 1 ? 'token_budget' : null;
}

/** Why nothing is made of the reply, or null. */
function stopBehind(run, { finish }) {
  if (finish === 'interrupted') return run.signal?.aborted ? 'aborted' : 'timeout';
  if (finish === 'content_filter') return 'content_filter';
  return finish === 'failed' ? 'model_error' : null;
}

/** Why the call is not run, or null. */
function stopCall({ toolCalls, limits }, step) {
  if (toolCalls >= limits.maxToolCalls) return 'max_tool_calls';
  return step.number >= limits.maxSteps ? 'max_steps' : null;
}

/** What the model is told: what was wrong with the reply, or what became of the call. */
async function observe(run, step, reading) {
  if (reading.violation !== null) {
    run.violations++;
    run.violationsInRow++;
    return `[FormatError] ${reading.violation}`;
  }
  run.toolCalls++;
  step.call = await runTool(run, reading, `${step.number}.1`);
  if (step.call.ok) run.violationsInRow = run.toolErrorsInRow = 0;
  else run.toolErrorsInRow++;
  return step.call.observation;
}

function loopWarning(run, { tool, input }, observation) {
  const key = `${tool} ${JSON.stringify(input)} ${observation}`;
  run.repeats = key === run.lastKey ? run.repeats + 1 : 1;
  run.lastKey = key;
  return run.repeats < run.limits.warnAt ? '' : '\n[LoopGuard] You are repeating the same step. Do something else.';
}

/** What is left for the next reply once the prompt is paid for. */
function tokensLeft(run) {
  return run.limits.maxTokens - run.inputTokens - run.outputTokens - run.promptTokens;
}

/** Asks the model and charges for it. Never throws. */
async function ask(run) {
  const { model, limits, abort } = run;
  const request = {
    messages: run.messages.slice(), // The port says that a request is never changed afterwards.
    stop: ['\nObservation:'],
    maxOutputTokens: Math.min(limits.maxReplyTokens, tokensLeft(run)),
    temperature: run.temperature,
    step: run.steps.length + 1,
    signal: abort.signal,
  };
  run.inputTokens += run.promptTokens;
  let text = '';
  try {
    for await (const event of model.generate(request)) {
      if (abort.signal.aborted || run.nowMs() >= limits.wallClockMs) return { text, finish: 'interrupted' };
      if (event.type === 'text') text += event.text;
      else if (event.type === 'end') return { text, finish: event.finish };
      else if (event.type === 'failed') return { text, finish: 'failed', message: event.message };
    }
    return { text, finish: 'failed', message: 'The reply stopped without an end mark.' };
  } catch (error) {
    return { text, finish: 'failed', message: String(error) };
  } finally {
    run.outputTokens += estimateTokens(text);
  }
}

function recordStep(run, { thought, answer, violation: code }, { text }, startedAtMs) {
  const step = {
    number: run.steps.length + 1,
    thought,
    call: null,
    answer,
    violation: code,
    tokens: { inputTokens: run.promptTokens, outputTokens: estimateTokens(text) },
    startedAtMs,
    endedAtMs: run.nowMs(),
  };
  run.steps.push(step);
  return step;
}

function end(run, stopReason, details) {
  run.close();
  const { runId, steps, inputTokens, outputTokens, toolCalls, violations, startedAtMs } = run;
  return {
    ok: stopReason === 'final',
    stopReason,
    runId,
    steps,
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, steps: steps.length, toolCalls },
    violations,
    partial: steps.at(-1)?.thought ?? null,
    startedAtMs,
    endedAtMs: Date.now(),
    ...details,
  };
}

function instructionsFor(tools) {
  const list = Object.entries(tools).map(([name, { description }]) => `- ${name}: ${description}`);
  return [
    'You can use these tools:',
    ...list,
    '',
    'Write every reply as "Thought: …", "Action: …" with the name of one tool, "Action Input: …" with one JSON object.',
    'When you know the answer, write "Thought: …" and "Final Answer: …" instead.',
  ].join('\n');
}

const thoughtPattern = /^Thought:[ \t]*(.*(?:\n(?!Action:|Final Answer:).*)*)/m;
const answerPattern = /^Final Answer:\s*([\s\S]+)/m;
const actionPattern = /^Action:[ \t]*(.+)$/m;
const inputPattern = /^Action Input:\s*([\s\S]+?)(?:\nObservation:|$(?![\s\S]))/m;

function parseReply(text) {
  const thought = thoughtPattern.exec(text)?.[1].trim() ?? null;
  const action = actionPattern.exec(text);
  if (action === null) {
    const final = answerPattern.exec(text);
    if (final === null) return violation('There is neither an "Action:" nor a "Final Answer:".', thought);
    return { thought, answer: final[1].trim(), tool: null, input: null, violation: null };
  }
  const written = inputPattern.exec(text);
  if (written === null) return violation('There is no "Action Input:" behind the action.', thought);
  try {
    return { thought, answer: null, tool: action[1].trim(), input: JSON.parse(written[1]), violation: null };
  } catch (error) {
    return violation(`The Action Input is not JSON: ${error.message}`, thought);
  }
}

function violation(what, thought = null) {
  return { thought, answer: null, tool: null, input: null, violation: what };
}

/** One call from beginning to end. Never throws. */
async function runTool({ tools, messages, abort, nowMs }, { tool: name, input }, toolCallId) {
  const startedAtMs = nowMs();
  const result = (ok, observation, output = null) => ({
    toolCallId,
    tool: name,
    input,
    ok,
    output,
    observation,
    startedAtMs,
    endedAtMs: nowMs(),
  });
  if (!Object.hasOwn(tools, name))
    return result(false, `[ToolError] There is no tool ${name}. The tools are: ${Object.keys(tools).join(', ')}.`);
  const tool = tools[name];
  const problems = tool.check(input);
  if (problems.length > 0) return result(false, `[ToolError] The input cannot be used: ${problems.join('; ')}.`);
  try {
    const output = await withTimeout(tool.timeoutMs, () =>
      tool.execute(input, { toolCallId, messages, abortSignal: abort.signal }),
    );
    return result(true, typeof output === 'string' ? output : JSON.stringify(output), output);
  } catch (error) {
    return result(false, `[ToolError] ${name} failed: ${error.message}`);
  }
}

function withTimeout(limitMs, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([Promise.resolve().then(work), late]).finally(() => clearTimeout(timer));
}

/** The usual rule of thumb. */
function estimateTokens(text) {
  return Math.ceil(text.length / 4) + 4;
}
