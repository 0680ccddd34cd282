/** Hints that quote a reply of which not all was kept. Pure. */

/**
 * Whether two hints differ in nothing but one quotation, and `now` quotes what stands in `text`, the reply that was read today.
 * Thinking that was set aside is in the recorded quotation, and not in the text that was kept.
 */
export function differsInQuotation(recorded: string, now: string, text: string): boolean {
  const place = quotationAt(now, firstDifference(recorded, now));
  if (place === null) return false;
  const end = closing(recorded, place.open);
  if (end === -1 || recorded.slice(end) !== now.slice(place.close)) return false;
  const quoted = said(now.slice(place.open, place.close + 1));
  return quoted !== null && onOneLine(text).includes(quoted.endsWith('…') ? quoted.slice(0, -1) : quoted);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** In double quotes, round this place. */
function quotationAt(text: string, place: number): { readonly open: number; readonly close: number } | null {
  for (let from = 0; ; ) {
    const open = text.indexOf('"', from);
    const close = open === -1 ? -1 : closing(text, open);
    if (close === -1 || open >= place) return null;
    if (place <= close) return { open, close };
    from = close + 1;
  }
}

/** -1 where there is none. */
function closing(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at++;
  }
  return -1;
}

function said(quotation: string): string | null {
  try {
    const value: unknown = JSON.parse(quotation);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** As hints quote. */
function onOneLine(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('\r', ' ');
}
