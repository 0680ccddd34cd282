/** The forms in which a tool can put out a secret text. Pure. */

/** Of a secret of several lines, each line of this length is one too. */
const shortestLine = 8;

/** Itself, as JSON and a URL write it, as base64 at each of three places, and the same of each of its longer lines. */
export function formsOf(secret: string): readonly string[] {
  const whole = secret.trim();
  const lines = whole.split('\n').map((line) => line.trim());
  const long = lines.filter((line) => line.length >= shortestLine && !line.startsWith('-----'));
  return [...new Set([whole, ...long].flatMap(encoded))].filter(({ length }) => length > 3);
}

function encoded(text: string): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const inUrl = encodeURIComponent(new TextDecoder().decode(bytes));
  const inJson = JSON.stringify(text).slice(1, -1);
  const ascii = inJson.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [
    text,
    inJson,
    ascii,
    inJson.replaceAll('/', '\\/'),
    JSON.stringify(inJson).slice(1, -1),
    inUrl,
    inUrl.replace(/%../g, (byte) => byte.toLowerCase()),
    inUrl.replaceAll('%20', '+'),
    ...[0, 1, 2].flatMap((before) => inBase64(binary, before)),
  ];
}

/** `before`: bytes that stand before it in its group of three. The letters that it alone decides. */
function inBase64(binary: string, before: number): readonly string[] {
  const letters = btoa(' '.repeat(before) + binary).slice(
    Math.ceil((before * 8) / 6),
    Math.floor(((before + binary.length) * 8) / 6),
  );
  return [letters, letters.replaceAll('+', '-').replaceAll('/', '_')];
}
