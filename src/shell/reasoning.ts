/** What a model thought beside its step: for the trace, and never for the next prompt. Pure. */
import { setThinkingAside } from '../protocol/thinking.ts';

interface Thought {
  readonly thought: string | null;
}

/** `text`: the reply as it came. `apart`: what the provider kept apart from it. */
export function withReasoning<const Event extends Thought>(
  event: Event,
  { text, apart }: { readonly text: string; readonly apart: string },
): Event & { readonly reasoning?: string } {
  const { thinking } = setThinkingAside(text);
  const reasoning = [apart.trim(), thinking ?? ''].filter((part) => part !== '').join('\n');
  return reasoning === '' || reasoning === event.thought ? event : { ...event, reasoning };
}
