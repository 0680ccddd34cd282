/** The adapter against servers and networks that do what they should not. */
import { openaiForm } from '../support/openai-bytes.ts';
import { hostileAnswers } from './hostile-answers.ts';
import { hostileBytes } from './hostile-bytes.ts';
import { hostileConnections } from './hostile-connections.ts';
import { hostileEnds } from './hostile-ends.ts';
import { hostileRuns } from './hostile-runs.ts';
import { serve } from './openai-setup.ts';

hostileAnswers('openai', serve);
hostileBytes('openai', serve);
hostileConnections('openai', serve);
hostileRuns('openai', serve, openaiForm);
hostileEnds('openai', serve, openaiForm);
