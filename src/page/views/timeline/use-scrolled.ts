import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** How far an element is scrolled and how wide it is, in pixels. The width is 0 until it is known. */
export function useScrolled(element: RefObject<HTMLElement>): { readonly left: number; readonly width: number } {
  const [seen, setSeen] = useState({ left: 0, width: 0 });
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const look = () => setSeen({ left: current.scrollLeft, width: current.clientWidth });
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, [element]);
  return seen;
}
