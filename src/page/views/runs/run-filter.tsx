import { useTexts, wordIn } from '../../texts/use-texts.ts';
import { Icon } from '../common/icon.tsx';

interface RunFilterProps {
  readonly text: string;
  readonly status: string;
  /** Those that there are. */
  readonly statuses: readonly string[];
  readonly onText: (text: string) => void;
  readonly onStatus: (status: string) => void;
}

export function RunFilter({ text, status, statuses, onText, onStatus }: RunFilterProps) {
  const texts = useTexts();
  const { phases, stopReasons } = texts.words;
  return (
    <search class="runs-filter">
      <label class="filter-text">
        <span class="hidden">{texts.filter}</span>
        <Icon name="search" />
        <input
          id="filter"
          type="search"
          value={text}
          placeholder={texts.filterHint}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </label>
      <label>
        <span class="hidden">{texts.filterStatus}</span>
        <select id="filter-status" value={status} onChange={(event) => onStatus(event.currentTarget.value)}>
          <option value="">{texts.anyStatus}</option>
          {statuses.map((word) => (
            <option key={word} value={word}>
              {`${word} — ${wordIn(Object.hasOwn(phases, word) ? phases : stopReasons, word)}`}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}
