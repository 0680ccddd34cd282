/** The adapter against servers and networks that do what they should not. */
import { anthropicForm } from '../support/anthropic-server.ts';
import { serve } from './anthropic-setup.ts';
import { hostileAnswers } from './hostile-answers.ts';
import { hostileBytes } from './hostile-bytes.ts';
import { hostileEnds } from './hostile-ends.ts';

hostileAnswers('anthropic', serve);
hostileBytes('anthropic', serve);
hostileEnds('anthropic', serve, anthropicForm);
