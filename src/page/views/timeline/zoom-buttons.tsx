import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../common/icon.tsx';
import { mostZoom } from './use-zoom.ts';

interface ZoomButtonsProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
}

export function ZoomButtons({ zoom, onZoom }: ZoomButtonsProps) {
  const texts = useTexts();
  return (
    <span class="zoom">
      <button
        type="button"
        class="icon-button"
        disabled={zoom <= 1}
        title={texts.zoomOut}
        aria-label={texts.zoomOut}
        onClick={() => onZoom(zoom / 2)}
      >
        <Icon name="minus" />
      </button>
      <button
        type="button"
        class="icon-button"
        disabled={zoom >= mostZoom}
        title={texts.zoomIn}
        aria-label={texts.zoomIn}
        onClick={() => onZoom(zoom * 2)}
      >
        <Icon name="plus" />
      </button>
      <button type="button" class="small-button" disabled={zoom === 1} onClick={() => onZoom(1)}>
        {texts.zoomFit}
      </button>
    </span>
  );
}
