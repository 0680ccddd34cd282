/** Arrows go from row to row, so that a long list is one stop of the tab key away from its end. */
export function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || list === null) return;
  const rows = [...list.querySelectorAll<HTMLElement>('.run-choose')];
  const here = rows.findIndex((row) => row.matches(':focus'));
  if (here === -1) return;
  event.preventDefault();
  event.stopPropagation();
  rows[here + step]?.focus();
}
