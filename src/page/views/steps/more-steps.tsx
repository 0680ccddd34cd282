import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MoreStepsProps {
  readonly text: string;
  readonly onMore: () => void;
}

/** A button that presses itself when it comes into sight. */
export function MoreSteps({ text, onMore }: MoreStepsProps) {
  const button = useRef<HTMLButtonElement>(null);
  useInSight(button, (isInSight) => isInSight && onMore());
  return (
    <button ref={button} type="button" class="link more-steps" onClick={onMore}>
      {text}
    </button>
  );
}

/** Tells each time an element comes into sight or leaves it. */
export function useInSight(element: RefObject<Element>, tell: (isInSight: boolean) => void): void {
  const told = useRef(tell);
  told.current = tell;
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => told.current(entry?.isIntersecting === true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
}
