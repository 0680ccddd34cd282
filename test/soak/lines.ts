/** How figures are written. Pure. */

export function line(what: string, said: string | number): string {
  return `  ${what.padEnd(38)}${said}`;
}

export function flatness(flat: boolean | null): string {
  if (flat === null) return 'too short to tell whether it is flat';
  return flat ? 'flat' : 'not flat';
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
