import { useTexts } from '../../texts/use-texts.ts';
import { laneHeight } from './lanes.ts';

export function LaneNames({ toolRows }: { readonly toolRows: number }) {
  const texts = useTexts();
  return (
    <div class="lane-names" aria-hidden="true">
      <span class="lane-name of-model">{texts.laneModel}</span>
      <span class="lane-name of-tools" style={{ height: `${laneHeight(toolRows)}px` }}>
        {texts.laneTools}
      </span>
      <span class="lane-name of-person">{texts.lanePerson}</span>
    </div>
  );
}
