/** The contract of dispatch, as a table: what a tool does, and what comes of it. Laws hold of each row besides. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mustBeAsInRow, mustKeepContract } from './contract-laws.ts';
import { play, type Row } from './contract-play.ts';
import { answerRows } from './contract-rows-answers.ts';
import { approvalRows } from './contract-rows-approvals.ts';
import { behaviourRows } from './contract-rows-behaviours.ts';
import { decisionRows } from './contract-rows-decisions.ts';
import { gateRows } from './contract-rows-gates.ts';
import { orderRows } from './contract-rows-order.ts';
import { policyRows } from './contract-rows-policies.ts';
import { refusalRows } from './contract-rows-refusals.ts';
import { replyRows } from './contract-rows-replies.ts';
import { silenceRows } from './contract-rows-silence.ts';
import { valueRows } from './contract-rows-values.ts';

const themes: Readonly<Record<string, readonly Row[]>> = {
  'what a tool does': behaviourRows,
  'what a tool gives': valueRows,
  'the gates, in their order': orderRows,
  'what may run': gateRows,
  'who decides': policyRows,
  'a person': approvalRows,
  'how far a decision goes': decisionRows,
  'several calls, and ends in the middle of them': replyRows,
  'the answer of a tool': answerRows,
  'foreign code that gives no answer': silenceRows,
  'the fuse, and names': refusalRows,
};

const unheard: unknown[] = [];
const hear = (reason: unknown) => unheard.push(reason);

beforeAll(() => {
  process.on('unhandledRejection', hear);
});
afterAll(async () => {
  await setImmediate(); // they are told of when the microtasks are done
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

for (const [theme, rows] of Object.entries(themes))
  describe(theme, () => {
    test.each(rows)('$what', async (row) => {
      const played = await play(row);
      mustBeAsInRow(played);
      mustKeepContract(played);
    });
  });
