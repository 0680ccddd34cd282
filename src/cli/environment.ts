/** The variables that the command line reads, with those of a `.env` file in the present folder. */
import { messageOf } from '../core/message-of.ts';
import { misuse } from './misuse.ts';
import { type Environment, environmentVariables } from './schemas.ts';

/** What is already set wins over the file. Without a file nothing happens; one that cannot be read is misuse. */
export function readEnvironment(): Environment {
  try {
    process.loadEnvFile('.env');
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'))
      throw misuse(
        `The file .env cannot be read: ${messageOf(thrown)}.`,
        'It holds lines such as OPENAI_API_KEY=…, and must be a file that you may read. Correct it, or remove it.',
      );
  }
  return environmentVariables.parse(process.env);
}
