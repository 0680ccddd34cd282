/**
 * What comes from outside, checked: flags, environment, a module of tools, the answer of Ollama. The only file here that
 * imports zod. Pure.
 */
import { z } from 'zod';
import { largestLimit } from '../core/limits.ts';
import { runStatuses } from '../core/store.ts';
import { policyNames } from '../dispatch/policy.ts';
import { dialectNames } from '../protocol/read.ts';
import { namesIn, spanMs } from './words.ts';

const name = z.string().trim().min(1);
const count = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
  .refine((value) => value <= largestLimit);
const runId = z.string().min(1);
const flag = z.boolean().default(false);
const seconds = z
  .string()
  .regex(/^(?:\d{1,13}(?:\.\d*)?|\.\d+)$/)
  .transform((text) => Math.round(Number(text) * 1_000))
  .refine((milliseconds) => milliseconds <= largestLimit);

/** `allow:save,send`. Where it names none, the tools are listed once they are known. */
const allowList = z
  .string()
  .regex(/^allow(?::|$)/)
  .transform((text) => ({ allow: namesIn(text.slice('allow:'.length)) }));

export const flagValues = z.object({
  demo: name.optional(),
  tools: name.optional(),
  language: z.enum(['en', 'zh']).optional(),
  model: name.optional(),
  'base-url': name.optional(),
  dialect: z.enum(dialectNames).optional(),
  policy: z.union([z.enum(policyNames), allowList]).optional(),
  'max-steps': count.optional(),
  'max-tokens': count.optional(),
  /** Written in seconds, kept in milliseconds. */
  timeout: seconds.optional(),
  'max-tool-calls': count.optional(),
  'max-violations': count.optional(),
  'max-tool-errors': count.optional(),
  store: name.optional(),
  'run-id': runId.optional(),
  unattended: flag,
  'resume-on-crash': flag,
  json: flag,
  trace: name.optional(),
  inspect: flag,
});

export const inspectFlagValues = z.object({
  port: count.refine((value) => value <= 65_535).optional(),
  open: flag,
  'no-follow': flag,
  html: name.optional(),
  prices: name.optional(),
});

export const runsFlagValues = z.object({
  store: name.optional(),
  status: z.array(z.enum(runStatuses)).optional(),
  limit: count.optional(),
  delete: z.array(runId).optional(),
  /** Written such as `7d`, kept in milliseconds. */
  'delete-ended': z.string().transform(spanMs).refine(Number.isFinite).optional(),
  json: flag,
});

export const resumeFlagValues = flagValues.omit({ 'run-id': true, 'resume-on-crash': true });

const wholeNumber = z
  .string()
  .regex(/^-?\d{1,10}$/)
  .transform(Number);

export const fuzzFlagValues = (targets: readonly string[]) =>
  z.object({
    target: z.enum(targets).default('all'),
    seed: wholeNumber.refine((value) => Math.abs(value) <= 2 ** 31).optional(),
    runs: wholeNumber.refine((value) => value >= 1 && value <= 1_000_000_000).optional(),
    path: z
      .string()
      .regex(/^\d+(?::\d+)*$/)
      .optional(),
    tools: name.optional(),
    /** A name, or what has the look of a path. */
    dialect: z.union([z.enum(dialectNames), name.regex(/[./\\]/)]).optional(),
    machine: name.optional(),
    json: flag,
  });

const bound = count.refine((value) => value <= 1_000).optional();

export const verifyFlagValues = z.object({
  machine: name.optional(),
  'max-steps': bound,
  'max-tool-calls': bound,
  'max-violations': bound,
  'max-tool-errors': bound,
  'calls-per-reply': z.enum(['1', '2', '3']).transform(Number).optional(),
  json: flag,
});

export const diagramFlagValues = z.object({
  mermaid: flag,
  svg: flag,
  tall: flag,
  machine: name.optional(),
  out: name.optional(),
});

export const auditFlagValues = z.object({ json: flag });

export const reportFlagValues = z.object({ json: flag, html: name.optional(), prices: name.optional() });

const amount = z.number().min(0);
const prices = z.record(
  z.string(),
  z.strictObject({ inputPerMillion: amount, outputPerMillion: amount, cachedPerMillion: amount.optional() }),
);

/** By the name of the model. */
export type PriceTable = z.infer<typeof prices>;

/** Prices of models; or what is wrong with them. */
export function readPrices(value: unknown): { readonly prices: PriceTable } | { readonly problem: string } {
  const read = prices.safeParse(value);
  if (read.success) return { prices: read.data };
  const [issue] = read.error.issues;
  return { problem: `${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'is no prices'}` };
}

export const replayFlagValues = z.object({
  tools: name.optional(),
  unfinished: flag,
  json: flag,
});

const method = z.custom((value) => typeof value === 'function');

/** As far as it is looked at before it is run: what makes a machine of XState. */
export const machineShape = z.looseObject({
  config: z.looseObject({}),
  transition: method,
  getInitialSnapshot: method,
  resolveState: method,
});

/** What laws and explorer read of a context. */
export const contextShape = z.looseObject({
  limits: z.looseObject({ maxSteps: z.number() }),
  step: z.number(),
  calls: z.array(z.unknown()),
  effects: z.array(z.unknown()),
  window: z.array(z.unknown()),
});

export const dialectShape = z.looseObject({
  name,
  serverStops: z.array(z.string()),
  instructions: method,
  scanner: method,
  writeObservation: method,
  asData: method.optional(),
  shown: method.optional(),
  form: z.looseObject({ rule: z.object({ en: z.string(), zh: z.string() }), call: method, answer: method }).optional(),
  wire: z.looseObject({ tools: method, step: method }).optional(),
});

/** A variable that is set to nothing counts as not set. */
const variable = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined);

export const environmentVariables = z.object({
  ANTHROPIC_API_KEY: variable,
  ANTHROPIC_BASE_URL: variable,
  OPENAI_API_KEY: variable,
  OPENAI_BASE_URL: variable,
  FUSELOOP_MODEL: variable,
  OLLAMA_HOST: variable,
});

export type Environment = z.infer<typeof environmentVariables>;

/** Only what makes it a tool; the agent checks its schema and its marks. */
export const toolShape = z.looseObject({
  description: z.string().optional(),
  inputSchema: z.custom((value) => (typeof value === 'object' && value !== null) || typeof value === 'function', {
    error: 'is missing or no schema',
  }),
  execute: z.custom<(input: never, options: never) => unknown>((value) => typeof value === 'function', {
    error: 'is missing or no function',
  }),
});

/** `GET /api/tags` of Ollama. Source: https://github.com/ollama/ollama/blob/main/docs/api.md */
export const ollamaTags = z.object({ models: z.array(z.object({ name })) });
