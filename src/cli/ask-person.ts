/** Asks the person at the terminal whether a call may run: yes, no and why, or with another input. */
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { AgentError } from '../core/errors.ts';
import type { ApprovalDenied } from '../core/events.ts';
import type { JsonValue } from '../core/json.ts';
import { messageOf } from '../core/message-of.ts';
import type { LiveEvent } from '../core/trace.ts';
import { told } from '../observe/audit-words.ts';
import type { Run } from '../run.ts';
import { isRefusedEdit } from './live-calls.ts';
import type { Live, ShownCall } from './live-state.ts';
import { shortened, visible } from './plain-text.ts';
import { readDecision } from './read-decision.ts';
import type { Screen } from './screen.ts';

export interface AskPersonOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly screen: Screen;
  /** Whether the run is shown there as well, with what the model is told. */
  readonly showsRun: boolean;
}

export interface AskPerson {
  /**
   * Looks at what waits now: asks for the first, and takes back a question that nobody need answer any more. `event` is what
   * has just happened: where the gates refused the input that was typed, it is told why.
   */
  look(run: Run, live: Live, event: LiveEvent): void;
}

const most = Object.freeze({ lines: 12, characters: 1_200 });

export function createAskPerson({ stdin, screen, showsRun }: AskPersonOptions): AskPerson {
  const by = loginName();
  /** Settled before the next question is put: two readers of stdin would take each other's lines. */
  let asked: Question | null = null;
  /** Events that tell of a decision come later than the decision. */
  const decided = new Set<string>();
  let latest: { readonly run: Run; readonly live: Live } | null = null;

  const ask = async (run: Run, call: ShownCall, untilMs: number) => {
    const { callId } = call;
    const question: Question = { callId, given: new AbortController(), isTakenBack: false, elsewhere: '' };
    asked = question;
    const lines = openLines(stdin, screen, question.given);
    try {
      await decide({ run, call: asItIs(run, call), by, screen, lineFor: lines.lineFor, untilMs });
    } catch (thrown) {
      screen.write(thrown instanceof AgentError ? `${visible(thrown.message)}\n` : `\n${question.elsewhere}`);
      if (!question.isTakenBack && !(thrown instanceof AgentError)) denyUnanswered(run, callId);
    } finally {
      lines.close();
      decided.add(callId);
      asked = null;
    }
    if (latest !== null) askNext(latest.run, latest.live);
  };

  const askNext = (run: Run, live: Live) => {
    latest = { run, live };
    const { asking, isWaiting, untilMs } = live;
    const [first] = asking;
    if (asked !== null && asked.callId !== first?.callId) {
      asked.isTakenBack = true;
      asked.given.abort();
    }
    if (first === undefined || asked !== null || decided.has(first.callId)) return;
    if (isWaiting && untilMs !== null) void ask(run, first, untilMs);
  };
  return {
    look(run, live, event) {
      if (!showsRun && event.type === 'approval.denied' && isRefusedEdit(event)) screen.write(refusal(event, live));
      if (asked !== null && 'callId' in event && event.callId === asked.callId)
        asked.elsewhere = decidedElsewhere(event);
      askNext(run, live);
    },
  };
}

interface Question {
  readonly callId: string;
  readonly given: AbortController;
  isTakenBack: boolean;
  /** Where somebody else has decided meanwhile: a line that says so. */
  elsewhere: string;
}

/** Such as in the inspector. Empty for what is no decision of a person. */
function decidedElsewhere(event: LiveEvent): string {
  const isGranted = event.type === 'approval.granted';
  if (!isGranted && !(event.type === 'approval.denied' && event.cause === 'person')) return '';
  const how = isGranted ? (event.edited ? 'Approved with another input' : 'Approved') : 'Denied';
  return `${how} elsewhere${event.by === null ? '' : `, by ${visible(event.by)}`}.\n`;
}

/** What would run, letter by letter: events show no secrets, and a person cannot decide about what they do not see. */
function asItIs(run: Run, call: ShownCall): ShownCall {
  const waiting = run.snapshot().context.calls.find(({ callId }) => callId === call.callId);
  return waiting === undefined ? call : { ...call, input: waiting.input };
}

/** The call is not asked about again: the model is told the same, and may ask anew. */
function refusal({ callId, observation }: ApprovalDenied, { calls }: Live): string {
  const tool = calls.find((call) => call.callId === callId)?.tool ?? callId;
  return `${visible(tool)} does not run: ${shortened(visible(told(observation)), most)}\n`;
}

/** The run may have ended meanwhile. */
function denyUnanswered(run: Run, callId: string): void {
  try {
    run.deny(callId, 'the person at the terminal gave no answer');
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown;
  }
}

/** Lines that are typed. No terminal handling by readline: Ctrl-C stays a signal. */
function openLines(stdin: NodeJS.ReadStream, screen: Screen, given: AbortController) {
  const lines = createInterface({ input: stdin, terminal: false });
  lines.once('close', () => given.abort());
  if (stdin.readableEnded) given.abort();
  return {
    close: () => lines.close(),
    /** Rejects where the question is taken back, or stdin was closed. */
    async lineFor(prompt: string): Promise<string> {
      screen.write(prompt);
      const line = await lines.question('', { signal: given.signal });
      screen.lineEnded();
      return line;
    },
  };
}

interface Asking {
  readonly run: Run;
  readonly call: ShownCall;
  readonly by: string;
  readonly screen: Screen;
  /** Milliseconds since 1970. */
  readonly untilMs: number;
  readonly lineFor: (prompt: string) => Promise<string>;
}

/** Asks until there is a decision. Throws where the question is taken back, and AgentError where the call waits no more. */
async function decide(asking: Asking): Promise<void> {
  const { run, call, by, screen, untilMs, lineFor } = asking;
  const { callId } = call;
  screen.write(`\nRun ${visible(call.tool)} with ${inputText(call)}?\n${whyAsked(call, untilMs)}`);
  for (;;) {
    const typed = readDecision(await lineFor('[y]es, [N]o (or: n because …), [e]dit: '));
    if (typed.kind === 'yes') return run.approve(callId, { by });
    if (typed.kind === 'no') return run.deny(callId, typed.why, { by });
    if (typed.kind === 'unclear') screen.write('Nothing runs yet. Type y, n or e and the Enter key.\n');
    if (typed.kind !== 'edit') continue;
    if (await approveEdited(asking, typed.input)) return;
  }
}

/** False where the person went back. The gates judge the new input as they did the first. */
async function approveEdited({ run, call, by, screen, lineFor }: Asking, typed: string): Promise<boolean> {
  if (typed === '') screen.write(`The input is ${inputText(call)}\n`);
  let text = typed;
  for (;;) {
    if (text === '') text = (await lineFor('The new input, as JSON on one line (nothing: go back): ')).trim();
    if (text === '') return false;
    const read = readJson(text);
    if ('problem' in read) screen.write(`That is no JSON: ${visible(read.problem)}\n`);
    else if (approves(() => run.approve(call.callId, { input: read.value, by }), screen)) return true;
    text = '';
  }
}

/** What is no input for any tool is asked for again. What the gates refuse is not: the call is refused, and `look` says why. */
function approves(approve: () => void, screen: Screen): boolean {
  try {
    approve();
    return true;
  } catch (thrown) {
    if (!(thrown instanceof AgentError) || thrown.code !== 'invalid_option') throw thrown;
    screen.write(`${visible(thrown.message)}\n`);
    return false;
  }
}

function readJson(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (thrown) {
    return { problem: messageOf(thrown) };
  }
}

function inputText({ input }: ShownCall): string {
  return shortened(visible(JSON.stringify(input)), most);
}

/** Such as `Asked because: marked sideEffect. No answer within 10 min is a no.` */
function whyAsked({ why = '' }: ShownCall, untilMs: number): string {
  const because = why === '' ? '' : `Asked because: ${visible(why).replace(/[.。]$/, '')}. `;
  return `${because}No answer within ${spanText(untilMs - Date.now())} is a no.\n`;
}

function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  return seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${seconds} s`;
}

/** The system may not know who it is, such as in a container. */
export function loginName(): string {
  try {
    return userInfo().username || 'terminal';
  } catch {
    return 'terminal';
  }
}
