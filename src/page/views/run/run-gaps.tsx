/** What of the run is not there, in words: so that no number below is taken for more than it is. */
import type { RunView } from '../../../observe/run-view.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { memoised } from '../common/memoised.ts';

/** Its first event is one from its middle. */
export const hasNoBeginning = ({ task, resumed, missing }: RunView): boolean =>
  task === null && resumed === 0 && missing > 0;

interface RunGapsProps {
  /** Behind the last event. */
  readonly view: RunView;
  /** Events that the inspector did not keep. */
  readonly lost: number;
}

export const RunGaps = memoised(({ view, lost }: RunGapsProps) => {
  const texts = useTexts();
  const { missing, cut } = view;
  const hasNone = hasNoBeginning(view);
  // What the inspector did not keep is told as that, and not twice.
  const others = Math.max(0, missing - lost);
  const told: readonly (readonly [part: string, text: string])[] = [
    ...(hasNone && others > 0 ? [['beginning', texts.noBeginningNote(others)] as const] : []),
    ...(lost > 0 ? [['lost', `${texts.lost(lost)} ${missing > 0 ? texts.countsLack : ''}`] as const] : []),
    ...(!hasNone && others > 0 ? [['missing', `${texts.missing(others)} ${texts.countsLack}`] as const] : []),
    ...(cut > 0 ? [['cut', texts.cut(cut)] as const] : []),
  ];
  if (told.length === 0) return null;
  return (
    <ul class="run-gaps" role="status">
      {told.map(([part, text]) => (
        <li key={part} data-part={part}>
          {text}
        </li>
      ))}
    </ul>
  );
});
