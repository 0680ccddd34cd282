/** What servers and programs said, as it may stand in a message: one short line without secrets. Pure. */
import { createRedactor } from '../../core/redact.ts';

const longest = 300;

/** In UTF-16 code units; what is behind is not looked at. */
const longestRead = 65_536;

/** `secrets`: hidden beside all that looks like a credential. */
export function createQuote(secrets: readonly string[]): (said: string) => string {
  const redactor = createRedactor(secrets);
  return (said) => {
    // Secrets go first: a cut one would no longer be found.
    const shown = redactor.text(said.slice(0, longestRead));
    const plain = unescaped(shown);
    const hidden = redactor.text(plain);
    return excerptOf(hidden === plain ? shown : hidden);
  };
}

/** At most 300 characters, and no half character at the end. */
function excerptOf(text: string): string {
  const line = text.slice(0, 2_000).replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length <= longest ? line : `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Without the escapes of JSON, HTML and URLs, whichever of them are there: a secret may stand in any mixture of them. */
function unescaped(text: string): string {
  return text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(["\\/])/g, '$1')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, ten?: string, six?: string, name = '') => {
      const code = ten === undefined ? Number.parseInt(six ?? '', 16) : Number(ten);
      return Number.isNaN(code) ? (entities.get(name) ?? whole) : code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/(?:%[\da-f]{2}){1,2000}/gi, decoded);
}

/** As it stands where it is no text. */
function decoded(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
}
