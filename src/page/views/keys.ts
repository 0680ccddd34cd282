/** The keys of the page. None acts where somebody writes, nor where the focused thing has a use for it. */
import { goToStep } from '../state/go-to-step.ts';
import type { Inspector } from '../state/inspector.ts';
import type { Session } from '../state/session.ts';

export function keyPressed(event: KeyboardEvent, inspector: Inspector): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
  const { shown, isHelpOpen } = inspector.store.get();
  if (isHelpOpen) return;
  const act = pageKey(event.key, inspector) ?? (shown === null || takesIt(event) ? null : runKey(event, shown));
  if (act === null) return;
  event.preventDefault();
  act();
}

function pageKey(key: string, inspector: Inspector): (() => void) | null {
  if (key === '?') return () => inspector.openHelp(true);
  if (key === '/') return () => document.getElementById('filter')?.focus();
  return null;
}

function runKey({ key, shiftKey }: KeyboardEvent, session: Session): (() => void) | null {
  const { player } = session;
  const stride = shiftKey ? 'step' : 'event';
  switch (key) {
    case ' ':
      return player.store.get().isPlaying ? player.pause : player.play;
    case 'ArrowLeft':
      return () => player.go(stride, -1);
    case 'ArrowRight':
      return () => player.go(stride, 1);
    case 'Home':
      return player.first;
    case 'End':
      return player.last;
    case 'j':
      return () => chooseNext(session, 1);
    case 'k':
      return () => chooseNext(session, -1);
    case 'o':
      return () => turn(session);
    default:
      return null;
  }
}

function chooseNext(session: Session, direction: 1 | -1): void {
  const { recording, player, store } = session;
  const last = recording.viewAt(recording.length)?.steps.at(-1)?.number ?? 0;
  const current = recording.viewAt(player.store.get().position)?.steps.at(-1)?.number ?? 0;
  const { step } = store.get();
  const next = step === null ? current : step + direction;
  if (next >= 1 && next <= last) goToStep(session, next);
}

/** Opens the chosen step, or the last; or closes it. */
function turn({ recording, player, store }: Session): void {
  const { step, open } = store.get();
  const wanted = step ?? recording.viewAt(player.store.get().position)?.steps.at(-1)?.number;
  if (wanted === undefined) return;
  const turned = new Set(open.turned);
  if (!turned.delete(wanted)) turned.add(wanted);
  store.set({ step: wanted, open: { ...open, turned } });
}

function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'range';
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** A space presses a button; arrows and ends move a slider. */
function takesIt({ key, target }: KeyboardEvent): boolean {
  if (key === ' ') return target instanceof HTMLButtonElement;
  return target instanceof HTMLInputElement && target.type === 'range' && /^(Arrow|Home$|End$)/.test(key);
}
