// #region read-reply
import { readReply } from 'fuseloop';

const reply = [
  '**Thought:** The tide table should say it.',
  '**Action:** search',
  "**Action Input:** {'query': 'tide table', 'day': 3,}",
  'Observation: High water is at 14:20.',
  'Final Answer: 14:20',
].join('\n');

const reading = readReply(reply, { dialect: 'labelled', tools: ['search'] });
console.log(JSON.stringify(reading, null, 2));

const vague = readReply('I will look at the tide table.', { dialect: 'labelled', tools: ['search'] });
if (vague.kind === 'violation') console.log(`${vague.code}: ${vague.hint}`);
// #endregion
