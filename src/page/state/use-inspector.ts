/** The state of the page, for views. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { RunView } from '../../observe/run-view.ts';
import type { Inspector, InspectorState } from './inspector.ts';
import type { Session } from './session.ts';
import { useStore } from './store.ts';

export const InspectorContext = createContext<Inspector | null>(null);

export function useInspector(): Inspector {
  const inspector = useContext(InspectorContext);
  if (inspector === null) throw new Error('a view stands outside of the page');
  return inspector;
}

export function useInspected<Selected>(select: (state: InspectorState) => Selected): Selected {
  return useStore(useInspector().store, select);
}

/** The run as of where the page stands in it. */
export function useView({ recording, player }: Session): RunView | null {
  return recording.viewAt(useStore(player.store, ({ position }) => position));
}
