/** What of the options must never be shown: the values of headers and of a query that the user gave. Pure. */

/** From this length on, in UTF-16 code units, any value is one: its name tells little. */
const longEnough = 8;

const namesOfSecrets = /auth|key|token|secret|cookie|pass|pwd|sig|code|cred|session|jwt/i;

/** What these say is no secret, and belongs into messages. */
const harmless =
  /^(?:api-version|accept(?:-\w{1,20})?|content-type|user-agent|origin|http-referer|referer|x-title|anthropic-(?:version|beta)|openai-beta)$/i;

export function secretsInHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (/cookie/i.test(name)) return [value, ...value.split(';').flatMap(cookieIn)];
    // Behind the word of a scheme, such as `Bearer`.
    return isSecret(name, value) ? [value.trim(), value.trim().split(' ').at(-1) ?? ''] : [];
  });
}

/** Decoded, and as they stand in the URL. */
export function secretsInQuery({ search, searchParams }: URL): readonly string[] {
  const raw = search
    .slice(1)
    .split('&')
    .map((pair) => [pair.split('=', 1).join(), pair.slice(pair.indexOf('=') + 1)] as const);
  return [...searchParams, ...raw].flatMap(([name, value]) => (isSecret(name, value) ? [value.trim()] : []));
}

function isSecret(name: string, value: string): boolean {
  return !harmless.test(name) && (namesOfSecrets.test(name) || value.trim().length >= longEnough);
}

function cookieIn(pair: string): readonly string[] {
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  return value.length >= longEnough ? [value] : [];
}
