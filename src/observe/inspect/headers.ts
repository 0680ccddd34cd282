/** What each answer tells the browser to keep to. Pure. */

/** Of all answers. */
export const safeHeaders: Readonly<Record<string, string>> = Object.freeze({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

export interface Inline {
  /** Base64 of the SHA-256 of each inline element. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** The page runs its own script and nothing else, and speaks with its own server alone. */
export function pageHeaders({ scripts, styles }: Inline): Readonly<Record<string, string>> {
  const hashes = (given: readonly string[]) => given.map((hash) => `'sha256-${hash}'`).join(' ') || "'none'";
  const policy = [
    "default-src 'none'",
    `script-src ${hashes(scripts)}`,
    `style-src ${hashes(styles)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return { ...safeHeaders, 'content-security-policy': policy.join('; '), 'content-type': 'text/html; charset=utf-8' };
}
