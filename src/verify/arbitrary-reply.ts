/** Well-formed replies with what they mean, one row a dialect. */
import type { Dialect } from '../protocol/dialect.ts';
import type { Form } from '../protocol/form.ts';
import { labelled } from '../protocol/labelled.ts';
import { dialectNamed } from '../protocol/read.ts';
import { jsonInputs, knownTools, prose, toolNames } from './arbitrary-input.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import { answerOf, callOf, type MeantReply, type Named, type ReplyRow } from './meant-reply.ts';
import { idRow } from './replies-id.ts';
import { jsonRow } from './replies-json.ts';
import { labelledRow } from './replies-labelled.ts';
import { nativeRow } from './replies-native.ts';
import { paperRow } from './replies-paper.ts';
import { tagsRow } from './replies-tags.ts';

/** A new dialect is one line here; a test asks for it. */
const rows = {
  labelled: labelledRow,
  json: jsonRow,
  tags: tagsRow,
  paper: paperRow,
  id: idRow,
  native: nativeRow,
} as const satisfies { readonly [dialect: string]: ReplyRow };

/** The dialects whose replies can be drawn: those that ship. */
export type ReplyDialect = keyof typeof rows;

export const replyDialects: readonly ReplyDialect[] = Object.keys(rows).filter(isReplyDialect);

export const replyRows: readonly ReplyRow[] = Object.values(rows);

/** Null for a dialect of somebody's own, which may have the name of one that ships and be written in another form. */
export function rowOf(dialect: string | Dialect): ReplyRow | null {
  const { name, form } = dialectNamed(dialect);
  if (!isReplyDialect(name)) return null;
  return form === undefined || form === dialectNamed(name).form ? rows[name] : null;
}

function isReplyDialect(name: string): name is ReplyDialect {
  return Object.hasOwn(rows, name);
}

/** True where it is known how a model writes in this dialect: it ships, or says so itself. */
export function hasReplies(dialect: string | Dialect): boolean {
  return rowOf(dialect) !== null || textForm(dialect) !== null;
}

/** The form of a dialect's own. Where the provider's calls carry a step, its text is for people alone. */
function textForm(dialect: string | Dialect): Form | null {
  const { form, wire } = dialectNamed(dialect);
  return wire === undefined ? (form ?? null) : null;
}

/** A dialect that does not say how a step is written in it is given those of all that ship. */
export function wellFormed(fc: FastCheck, dialect: string | Dialect): Arbitrary<MeantReply> {
  if (!hasReplies(dialect)) return fc.oneof(...replyDialects.map((name) => wellFormed(fc, name)));
  const row = rowOf(dialect);
  const form = textForm(dialect);
  const named = namesIn(dialectNamed(dialect), knownTools);
  const taught = form === null ? [] : [{ weight: 1, arbitrary: repliesInForm(fc, form, named) }];
  const written = row === null ? [] : [{ weight: 5, arbitrary: row.replies(fc, named) }];
  return fc.oneof(...written, ...taught);
}

/** What the tools are called in the replies of a dialect; one that does not exist, by its name. */
export function namesIn(dialect: Dialect, tools: readonly string[]): Named {
  const shown = dialect.shown?.({ tools, language: 'en' }) ?? tools;
  return (tool) => shown[tools.indexOf(tool)] ?? tool;
}

/** The form that a dialect says it is written in, else that of the shipped one of its name, else `labelled`. */
export function formOf({ name, form }: Dialect): Form {
  return form ?? (isReplyDialect(name) ? dialectNamed(name).form : undefined) ?? labelled.form;
}

/** As a dialect teaches it. */
function repliesInForm(fc: FastCheck, form: Form, named: Named): Arbitrary<MeantReply> {
  const call = fc.record({ thought: prose(fc), tool: toolNames(fc), input: jsonInputs(fc) });
  return fc.oneof(
    call.map(({ thought, tool, input }) => ({
      text: form.call(thought, named(tool), input),
      meaning: callOf(thought, tool, input),
    })),
    fc.record({ thought: prose(fc), answer: prose(fc) }).map(({ thought, answer }) => ({
      text: form.answer(thought, answer),
      meaning: answerOf(thought, answer),
    })),
  );
}
