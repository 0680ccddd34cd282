/** The adapter against servers and networks that do what they should not. */
import { serve } from './anthropic-setup.ts';
import { hostileAnswers } from './hostile-answers.ts';
import { hostileBytes } from './hostile-bytes.ts';

hostileAnswers('anthropic', serve);
hostileBytes('anthropic', serve);
