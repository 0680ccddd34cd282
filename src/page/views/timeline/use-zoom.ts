import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { useScrolled } from './use-scrolled.ts';

export const mostZoom = 256;

export interface Zoom {
  /** 1 fits. */
  readonly zoom: number;
  readonly zoomTo: (zoom: number) => void;
  /** What is in sight, in pixels. */
  readonly left: number;
  readonly width: number;
}

/** What is in the middle stays there. */
export function useZoom(scroller: RefObject<HTMLElement>): Zoom {
  const [zoom, setZoom] = useState(1);
  const { left, width } = useScrolled(scroller);
  const zoomTo = (wanted: number) => {
    const next = Math.max(1, Math.min(mostZoom, wanted));
    const middle = (left + width / 2) / zoom;
    setZoom(next);
    // Once it is drawn as wide as that.
    requestAnimationFrame(() => scroller.current?.scrollTo({ left: middle * next - width / 2 }));
  };
  return { zoom, zoomTo, left, width };
}

/** Pinching, and the wheel with Ctrl. */
export function zoomWithWheel(event: WheelEvent, { zoom, zoomTo }: Zoom): void {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoomTo(event.deltaY < 0 ? zoom * 1.25 : zoom / 1.25);
}
