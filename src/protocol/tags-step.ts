/** The tag of a step in the dialect `tags`: where its inside ends, and what it is read as. Pure. */
import { readInput } from './input-text.ts';
import { isBlank } from './labels.ts';
import { type Body, type BodyState, createBody } from './tags-body.ts';
import { type CallText, readCallText, toolAttribute } from './tags-call.ts';
import type { Tag } from './tags-feed.ts';
import { type Found, report, type Turn, thoughtOf } from './tags-turn.ts';

/** The first step of the reply begins. */
export function openStep(turn: Turn, tag: Tag): void {
  turn.stepAt = tag.at;
  // Once a reply: to go over all text again at each tag would not be linear.
  if (turn.passed.length === 0) turn.thought = thoughtOf(turn);
  openTag(turn, tag);
  report(turn, tag.role === 'answer' ? 'answer' : 'action');
}

function openTag(turn: Turn, tag: Tag): void {
  turn.mode = 'step';
  turn.opened = tag;
  turn.closerInString = null;
  turn.body = createBody(tag.end, holdsJson(tag) ? 'bracket' : 'never');
}

/** In such a tag a JSON string may hold its own closing tag, and a value that closed tells that the call is whole. */
function holdsJson(tag: Tag): boolean {
  return tag.role === 'call' || tag.role === 'input';
}

function bodyState(opened: Tag, body: Body): BodyState {
  return holdsJson(opened) ? body.state() : 'plain';
}

/** Takes a tag inside a step's tag. True where it ended the step without being part of it. */
export function stepTag(turn: Turn, tag: Tag): boolean {
  const { opened, body } = turn;
  if (opened === null || body === null) return false;
  const isOwnCloser = tag.closes && tag.name === opened.name;
  if (isAnew(opened, body, tag)) return restart(turn, opened, tag);
  if (!isOwnCloser && !(holdsJson(opened) && isStop(tag))) {
    body.add(tag.text);
    return false;
  }
  if (isOwnCloser ? bodyState(opened, body) === 'string' : goesOn(turn, body, bodyState(opened, body))) {
    if (isOwnCloser) turn.closerInString ??= tag;
    body.add(tag.text);
    return false;
  }
  finishStep(turn, tag.at, isOwnCloser ? tag.end : tag.at);
  if (!isOwnCloser && isNamed(turn)) finishNamed(turn, tag.at);
  return !isOwnCloser;
}

/** The tag of a call opens once more, and no value had begun in it: it was spoken of, and what begins is the call. */
function isAnew(opened: Tag, body: Body, tag: Tag): boolean {
  if (opened.role !== 'call' || tag.closes || tag.name !== opened.name) return false;
  return body.state() === 'plain' && !body.isBegun();
}

function restart(turn: Turn, spoken: Tag, tag: Tag): false {
  const last = turn.prose.at(-1);
  if (last?.to === spoken.at) turn.prose.pop();
  turn.prose.push({ from: last?.to === spoken.at ? last.from : spoken.at, to: tag.at });
  turn.stepAt = tag.at;
  openTag(turn, tag);
  return false;
}

/**
 * True where a stop does not end the step: it stands in a string, or in text that does not show its own end. A broken
 * value, in which its closing tag seemed to stand in a string, is judged at the end of the reply. Models miscount the last
 * brackets: behind a bracket only more of them can be missing; a value that ends behind a key or a number may be cut.
 */
function goesOn(turn: Turn, body: Body, state: BodyState): boolean {
  if (state !== 'open') return state !== 'closed';
  return turn.closerInString !== null || !body.endsWithBracket();
}

function isNamed(turn: Turn): boolean {
  return turn.mode === 'named';
}

/** A tag with which the reply goes on behind a step. */
function isStop(tag: Tag): boolean {
  return !tag.closes && tag.role !== 'input';
}

/** The inside of the tag ends at `to`; `behind` is where its closing tag ends. */
export function finishStep(turn: Turn, to: number, behind: number): void {
  const { opened, body, options } = turn;
  if (opened === null || body === null) return;
  const inside = turn.reply.text().slice(body.from, to);
  turn.mode = 'rest';
  turn.end = behind;
  turn.keptEnd = behind;
  switch (opened.role) {
    case 'answer':
      turn.found = { kind: 'answer', answer: inside.trim().replaceAll('\r\n', '\n'), thought: null };
      return;
    case 'code':
      turn.found = callFound(toolOfTag(opened.name, options.tools), codeOf(inside), false);
      return;
    case 'input':
      return takeInput(turn, inside, body.from, behind);
    default:
      return takeCall(turn, readCallText(inside, toolAttribute(opened.text), options.tools), { inside, to, behind });
  }
}

function callFound(tool: string, input: Extract<Found, { kind: 'call' }>['input'], repaired: boolean): Found {
  return { kind: 'call', tool, input, repaired, thought: null };
}

/** A tag is written in any case; the tool of its name may not be. */
function toolOfTag(name: string, tools: readonly string[]): string {
  return tools.find((tool) => tool.toLowerCase() === name) ?? name;
}

/** Code is never read as JSON; a fence round all of it is not part of it. */
function codeOf(inside: string): string | null {
  const code = inside.trim().replaceAll('\r\n', '\n');
  if (code === '') return null;
  const read = code.startsWith('```') ? readInput(code) : null;
  return typeof read?.input === 'string' && read.end === code.length ? read.input : code;
}

interface Place {
  readonly inside: string;
  readonly to: number;
  readonly behind: number;
}

function takeCall(turn: Turn, read: CallText, { inside, to, behind }: Place): void {
  if (read.kind === 'no_tool' && read.saysNone && behind > to) return passOver(turn, behind);
  if (read.kind === 'unreadable' || read.kind === 'no_tool') {
    turn.found = read.kind === 'unreadable' ? read : { kind: 'no_tool' };
    return;
  }
  if (read.kind === 'name') return takeName(turn, read.tool, behind);
  // What was not used, such as a second call in the same tag, is dropped text; it is kept, since the tag closes behind it.
  turn.end = isBlank(inside.slice(read.end)) ? behind : to - inside.length + read.end;
  const thought = read.thought ?? null;
  if (read.kind === 'answer') turn.found = { kind: 'answer', answer: read.answer, thought };
  else turn.found = { kind: 'call', tool: read.tool, input: read.input, repaired: read.repaired, thought };
}

/** The tag says that nothing is called: the answer, or a call, may follow. */
function passOver(turn: Turn, behind: number): void {
  turn.passed.push({ from: turn.stepAt, to: behind });
  turn.mode = 'lead';
  turn.opened = null;
  turn.proseFrom = behind;
  turn.tagsEnd = behind;
}

function takeName(turn: Turn, tool: string, behind: number): void {
  turn.mode = 'named';
  turn.tool = tool;
  turn.body = createBody(behind, turn.opened?.role === 'command' ? 'brace' : 'never');
}

/** A label such as `Observation:` begins a line in a step's tag, or behind a tool's name. True where it ended the call. */
export function stepLabel(turn: Turn, at: number, text: string): boolean {
  const { mode, opened, body } = turn;
  if (opened === null || body === null) return false;
  const state = mode === 'named' || holdsJson(opened) ? body.state() : 'string';
  if (mode === 'named' ? state === 'string' : goesOn(turn, body, state)) {
    body.add(text);
    return false;
  }
  if (mode === 'step') finishStep(turn, at, at);
  if (isNamed(turn)) finishNamed(turn, at);
  return true;
}

/** A tag behind the one that named the tool. True where the call ended before it. */
export function namedTag(turn: Turn, tag: Tag): boolean {
  const { opened, body } = turn;
  if (opened === null || body === null) return false;
  if (tag.role === 'input' && !tag.closes && body.isBlank()) {
    openTag(turn, tag);
    return false;
  }
  // In the text behind a command a tag counts only where it begins a line: the text may be code about tags.
  const counts = opened.role !== 'command' || tag.startsLine || body.isBlank();
  if (!isStop(tag) || !counts || body.state() === 'string') {
    body.add(tag.text);
    return false;
  }
  finishNamed(turn, tag.at);
  return true;
}

/** The call of a tool that a tag named ends at `to`. Only behind a command the text is its input. */
export function finishNamed(turn: Turn, to: number): void {
  const { opened, body } = turn;
  turn.mode = 'rest';
  const from = body?.from ?? to;
  if (opened?.role === 'command') takeInput(turn, turn.reply.text().slice(from, to), from, turn.end);
  else turn.found = callFound(turn.tool, null, false);
}

/** `behind`: where the step ends if the input is used up. */
function takeInput(turn: Turn, text: string, from: number, behind: number): void {
  const { input, repaired, end } = readInput(text);
  if (input !== undefined) turn.found = callFound(turn.tool, input, repaired);
  else turn.found = { kind: 'unreadable', tool: turn.tool };
  turn.end = isBlank(text.slice(end)) ? Math.max(behind, from + end) : from + end;
  turn.keptEnd = Math.max(behind, turn.end);
}

/** At the end of the reply, in a step's tag. Returns where reading must go on, or -1. */
export function endStep(turn: Turn): number {
  const { opened, body, closerInString: closer } = turn;
  const length = turn.reply.text().length;
  const state = opened !== null && body !== null && holdsJson(opened) ? body.state() : 'plain';
  if (state !== 'closed' && closer !== null) {
    finishStep(turn, closer.at, closer.end);
    // Where the string ends is a guess, and so would be the input.
    if (turn.found?.kind === 'call' && turn.found.repaired) turn.found = { kind: 'unreadable', tool: turn.found.tool };
    return closer.end;
  }
  if (state === 'closed' || (state === 'open' && body?.endsWithBracket() === true)) {
    finishStep(turn, length, length);
    if (isNamed(turn)) finishNamed(turn, length);
    return -1;
  }
  turn.mode = 'rest';
  turn.found = { kind: 'unclosed' };
  turn.keptEnd = length;
  return -1;
}
