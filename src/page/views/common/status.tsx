/** What became of a run or a call, as a word with a colour. The word alone says it. */
import { useTexts, wordIn } from '../../texts/use-texts.ts';
import { callTone, type Tone } from './tones.ts';

interface RunStatusProps {
  readonly phase: string;
  readonly stopReason: string | null;
}

export function runTone({ phase, stopReason }: RunStatusProps): Tone {
  if (phase === 'running') return 'busy';
  if (phase === 'waiting' || phase === 'suspended') return 'wait';
  return stopReason === 'final' ? 'good' : 'bad';
}

/** The word of a run's status as the events have it: `final`, `max_steps`, `running`. */
export const runWord = ({ phase, stopReason }: RunStatusProps): string =>
  phase === 'ended' ? (stopReason ?? phase) : phase;

export function RunStatus({ phase, stopReason }: RunStatusProps) {
  const { words } = useTexts();
  const word = runWord({ phase, stopReason });
  const told = phase === 'ended' ? wordIn(words.stopReasons, word) : wordIn(words.phases, word);
  const text = phase === 'ended' ? wordIn(words.endings, word) : told;
  return <Badge tone={runTone({ phase, stopReason })} text={text} hint={told} word={word} />;
}

export function CallStatus({ status }: { readonly status: string }) {
  const { words } = useTexts();
  return <Badge tone={callTone(status)} text={wordIn(words.callStatuses, status)} word={status} />;
}

interface BadgeProps {
  readonly tone: Tone;
  readonly text: string;
  /** For tests, which do not read the language. */
  readonly word: string;
  readonly hint?: string;
}

export function Badge({ tone, text, word, hint }: BadgeProps) {
  return (
    <span class={`badge tone-${tone}`} data-status={word} title={hint}>
      {text}
    </span>
  );
}
