/** The dialects of simulations: those that ship, and one in which a reply has several calls. */
import type { Dialect } from '../protocol/dialect.ts';
import { dialectNamed } from '../protocol/read.ts';
import { replyDialects } from './arbitrary-reply.ts';
import { severalDialect } from './several-dialect.ts';

export const simulatedDialects: readonly string[] = [...replyDialects, severalDialect.name];

export function simulatedDialect(name: string): Dialect {
  return name === severalDialect.name ? severalDialect : dialectNamed(name);
}

/** The most calls that a reply in it may have. */
export function mostCallsIn({ name, wire }: Dialect): number {
  return name === severalDialect.name || wire !== undefined ? 3 : 1;
}
