/** Makes a text one that every provider takes and every reader sees. Pure. */

/**
 * Half a surrogate pair cannot be sent as UTF-8: U+FFFD stands for it. A control character is shown by its picture (␀, ␛).
 * As many code units as before.
 */
export function legible(text: string): string {
  let from = 0;
  let shown = '';
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (isPair(unit, text.charCodeAt(index + 1))) {
      index++;
      continue;
    }
    const picture = pictureOf(unit);
    if (picture === null) continue;
    shown += text.slice(from, index) + picture;
    from = index + 1;
  }
  return from === 0 ? text : shown + text.slice(from);
}

function isPair(unit: number, next: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
}

function pictureOf(unit: number): string | null {
  if (unit >= 0xd800 && unit <= 0xdfff) return '\ufffd';
  if (unit === 0x09 || unit === 0x0a || unit === 0x0d) return null;
  if (unit < 0x20) return String.fromCharCode(0x2400 + unit);
  if (unit === 0x7f) return '\u2421';
  return unit >= 0x80 && unit < 0xa0 ? '\ufffd' : null;
}
