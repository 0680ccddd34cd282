/**
 * Whole recorded runs through the whole library, over real HTTP: the server answers with the recorded replies in turn,
 * the tools return the recorded observations, and outcome, tools and inputs must be the recorded ones. The recordings are
 * not part of the project; where they are absent, this is skipped.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createAgent } from '../src/agent.ts';
import { openai } from '../src/models/openai.ts';
import { tool } from '../src/tool.ts';
import { startOpenaiServer } from './support/openai-server.ts';

interface RecordedRun {
  readonly id: string;
  readonly dialect: string;
  readonly task: string | null;
  readonly tools: readonly string[];
  readonly turns: readonly { readonly reply: string; readonly observation: string | null }[];
  readonly outcome: string;
}

interface LabelledReply {
  readonly dialect: string;
  readonly raw: string;
  readonly expect: {
    readonly kind: string;
    readonly tool?: string;
    readonly input?: unknown;
    readonly answer?: string;
  };
}

const folder = new URL('../../shared/corpus/', import.meta.url);
const present = existsSync(folder);
if (!present) console.log('Skipped: recorded runs. The recordings are not here.');

const rows = <Row>(name: string): readonly Row[] =>
  present
    ? readFileSync(new URL(name, folder), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
const dialects = ['labelled', 'json'];
const runs = rows<RecordedRun>('trajectories.jsonl').filter(({ dialect }) => dialects.includes(dialect));
const labels = new Map(
  rows<LabelledReply>('outputs.jsonl').map((row) => [`${row.dialect} ${row.raw.trim()}`, row.expect]),
);

/** Runs that do not reach their recorded outcome yet, and why. The list can only shrink. */
const differing: Readonly<Record<string, string>> = {
  't-0b0187bc42': 'the answer stands behind "AI:", a label of a conversational prompt that is not read yet',
  't-37c9e31eb3': 'the same',
  't-906ecee6c1': 'the same',
  't-cfc8c93a65': 'the calls are written as Search[x], the form of the dialect `paper`',
};

describe.skipIf(!present)('recorded runs', () => {
  let compared = 0;

  it('are at least fifty', () => {
    expect(runs.length).toBeGreaterThanOrEqual(50);
  });

  it.each(runs.map((run) => [run.id, run] as const))(
    '%s',
    async (id, { dialect, task, tools, turns, outcome: recorded }) => {
      const server = await startOpenaiServer(turns.map(({ reply }) => ({ text: reply })));
      const model = openai({ model: 'recorded', baseURL: server.baseURL, apiKey: 'none' });
      let called = 0;
      const replay = tool({ inputSchema: {}, readOnly: true, execute: () => turns[called++]?.observation ?? '' });
      // The programs that made the recordings had no guard against loops, and one of them went round four times.
      const agent = createAgent({
        model,
        dialect,
        loopGuard: 'off',
        tools: Object.fromEntries(tools.map((name) => [name, replay])),
      });

      const outcome = await agent.run(task ?? 'the task');
      await model.close();
      await server.close();

      if (differing[id] !== undefined) return expect(outcome.ok).not.toBe(recorded === 'final');
      expect(outcome.ok).toBe(recorded === 'final');
      const expected = turns.map(({ reply }) => labels.get(`${dialect} ${reply.trim()}`));
      for (const [index, label] of expected.entries()) {
        if (label === undefined) continue;
        compared++;
        const step = outcome.steps[index];
        expect(step?.violation).toBeNull();
        if (label.kind === 'final') expect(trimmed(step?.answer)).toBe(trimmed(label.answer));
        else expect(step?.calls.map(({ tool: name }) => name)).toEqual([label.tool]);
        if (label.kind === 'action')
          expect(
            sameInput(label.input, step?.calls[0]?.input),
            `${JSON.stringify(label.input)} ≠ ${JSON.stringify(step?.calls[0]?.input)}`,
          ).toBe(true);
      }
    },
  );

  afterAll(() => console.log(`Recorded runs: ${runs.length}, turns compared with their labels: ${compared}.`));
});

function trimmed(text: string | null | undefined): string | undefined {
  return text?.trim().replaceAll('\r\n', '\n');
}

/** Texts modulo their ends and one pair of quotes, or as the JSON value that they spell. */
function sameInput(expected: unknown, got: unknown): boolean {
  if (isEmpty(expected)) return isEmpty(got);
  if (typeof expected === 'string' && typeof got === 'string') return unquoted(expected) === unquoted(got);
  return isDeepStrictEqual(spelled(expected), spelled(got));
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

function unquoted(text: string): string {
  const inner = text.trim().replaceAll('\r\n', '\n');
  const quote = inner[0] ?? '';
  return inner.length > 1 && '"\'`'.includes(quote) && inner.endsWith(quote) ? inner.slice(1, -1).trim() : inner;
}

function spelled(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(unquoted(value));
  } catch {
    return value;
  }
}
