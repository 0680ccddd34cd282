/** The contract of a model holds for one that is recorded, and for a recording. */
import type { Model } from '../../src/core/model.ts';
import { record, replay } from '../../src/record.ts';
import { type ScriptedReply, scriptedModel } from '../../src/testing.ts';
import { open, readText, requestOf } from '../models/asking.ts';
import { modelContract, type Situation } from '../models/model-contract.ts';
import { newFile } from './files.ts';

function scripted(situation: Situation): Model {
  const reply = replyFor(situation);
  return scriptedModel([reply, reply, reply, reply]);
}

function replyFor({ text, calls = [], ending }: Situation): ScriptedReply {
  const said = { text, calls: calls.map(({ tool, input }) => ({ tool, inputText: input })) };
  if (ending === 'silence') return { ...said, betweenMs: 2 ** 30 };
  if (ending === 'refused' || ending === 'broke_off')
    return { ...said, failure: { failure: ending, message: 'The script fails here.' } };
  return { ...said, finish: ending };
}

modelContract('record', async (situation) => {
  const model = record(scripted(situation), newFile());
  return { model, close: () => model.close() };
});

for (const pace of ['at once', 'recorded'] as const)
  modelContract(`replay, ${pace}`, async (situation) => {
    const file = newFile();
    const model = record(scripted(situation), file);
    const reply = open(model.generate(requestOf()));
    if (situation.ending === 'silence') await readText(reply, situation.text.length);
    else while ((await reply.next()).done !== true);
    await reply.leave();
    await model.close();
    // Silence is a matter of time: at once, what was left early is over early.
    const time = situation.ending === 'silence' ? 'recorded' : pace;
    return { model: replay(file, { pace: time, whenUsedUp: 'last' }), close: async () => {} };
  });
