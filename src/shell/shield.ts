/**
 * XState calls inspectors in the middle of sending, and what one throws goes to whoever sends: the event is lost, or the actor
 * that was at it stands still for ever, and a run would end with nobody to hear of it. For actors of agents, and for what they
 * tell their parents, it is heard by nobody. Everything else of the system stays as it is.
 */
const shielded = new WeakMap<object, WeakSet<object>>();

export function shieldFromInspectors(system: object, actor: object): void {
  const known = shielded.get(system);
  if (known !== undefined) {
    known.add(actor);
    return;
  }
  // Not of the public types of XState; where a version has none, nothing is shielded.
  const tell: unknown = Reflect.get(system, '_sendInspectionEvent');
  if (typeof tell !== 'function') return;
  const actors = new WeakSet([actor]);
  shielded.set(system, actors);
  Reflect.set(system, '_sendInspectionEvent', (event: { readonly actorRef: object; readonly sourceRef?: object }) => {
    try {
      tell.call(system, event);
    } catch (thrown) {
      const { actorRef, sourceRef } = event;
      if (!actors.has(actorRef) && !(sourceRef !== undefined && actors.has(sourceRef))) throw thrown;
    }
  });
}
