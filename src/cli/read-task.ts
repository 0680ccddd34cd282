/** A task that comes from stdin. */
import { misuse } from './misuse.ts';

const mostCharacters = 1_000_000;

/** All of stdin as text. Throws misuse where it is empty or longer than a million characters. */
export async function readTask(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of stdin) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > mostCharacters)
      throw misuse('The task on stdin is longer than a million characters.', 'Give less, or let a tool read it.');
  }
  text += decoder.decode();
  if (text.trim() !== '') return text.trim();
  throw misuse('The task on stdin is empty.', 'Pipe it in: echo "<task>" | fuseloop run -');
}
