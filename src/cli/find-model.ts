/** Which model a run uses: that of the flags and the environment, else that of Ollama, else the scripted one. */
import type { Model } from '../core/model.ts';
import { anthropic } from '../models/anthropic.ts';
import { openai } from '../models/openai.ts';
import { flagTable } from './flag-table.ts';
import { misuse } from './misuse.ts';
import type { Ollama } from './ollama.ts';
import type { Environment } from './schemas.ts';

export interface FoundModel {
  /** Null: none is configured, and the scripted one of the task takes its place. */
  readonly model: Model | null;
  /** One line for the reader: which model it is, and where from. */
  readonly notice: string;
  /** Must not be seen: on the screen, in a trace, in the document. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

export interface WantedModel {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
}

const defaultModel = 'gpt-4o-mini';
const defaultUrl = 'https://api.openai.com/v1';
const anthropicUrl = 'https://api.anthropic.com';
const anthropicPrefix = 'anthropic:';

/** `probe` is asked only where nothing is configured. Throws misuse, and AgentError for what the adapters refuse. */
export async function findModel(
  wanted: WantedModel,
  environment: Environment,
  probe: () => Promise<Ollama | null>,
): Promise<FoundModel> {
  const name = wanted.model ?? environment.FUSELOOP_MODEL;
  if (name?.startsWith(anthropicPrefix)) return ofAnthropic(name.slice(anthropicPrefix.length), wanted, environment);
  const configured = ofOpenai(name, wanted, environment);
  if (configured !== null) return configured;
  const ollama = await probe();
  const first = name ?? ollama?.models[0];
  if (ollama !== null && first !== undefined) {
    const why = name === undefined ? ', the first of Ollama (FUSELOOP_MODEL or --model names another)' : ', by Ollama';
    const baseURL = `${ollama.origin}/v1`;
    return served(openai({ model: first, baseURL, apiKey: '' }), { baseURL, apiKey: '' }, why);
  }
  if (wanted.model !== undefined)
    throw misuse(
      `--model is ${JSON.stringify(wanted.model)}, and there is no server to ask for it.`,
      'Set OPENAI_API_KEY, or give --base-url, or start Ollama; anthropic:NAME is a model of Anthropic. Without --model a scripted model is used.',
    );
  return scripted(ollama);
}

/** Null where nothing tells of a server. */
function ofOpenai(name: string | undefined, wanted: WantedModel, environment: Environment): FoundModel | null {
  const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL } = environment;
  const baseURL = wanted.baseUrl ?? OPENAI_BASE_URL ?? (apiKey === '' ? undefined : defaultUrl);
  if (baseURL === undefined) return null;
  checkUrl(wanted.baseUrl === undefined ? 'OPENAI_BASE_URL' : '--base-url', baseURL);
  const why = name === undefined ? ' (the default; FUSELOOP_MODEL or --model names another)' : '';
  return served(openai({ model: name ?? defaultModel, baseURL, apiKey }), { baseURL, apiKey }, why);
}

function ofAnthropic(model: string, wanted: WantedModel, environment: Environment): FoundModel {
  const { ANTHROPIC_API_KEY: apiKey = '', ANTHROPIC_BASE_URL } = environment;
  if (model.trim() === '')
    throw misuse(
      `The model ${JSON.stringify(`${anthropicPrefix}${model}`)} has no name.`,
      `Behind ${anthropicPrefix} stands the name of a model, such as ${anthropicPrefix}claude-sonnet-4-5.`,
    );
  const baseURL = wanted.baseUrl ?? ANTHROPIC_BASE_URL ?? anthropicUrl;
  checkUrl(wanted.baseUrl === undefined ? 'ANTHROPIC_BASE_URL' : '--base-url', baseURL);
  return served(anthropic({ model, baseURL, apiKey }), { baseURL, apiKey }, '');
}

function served(
  model: Model & { close(): Promise<void> },
  { baseURL, apiKey }: { readonly baseURL: string; readonly apiKey: string },
  why: string,
): FoundModel {
  return {
    model,
    notice: `Model: ${model.name} at ${placeOf(baseURL)}${why}`,
    secrets: apiKey.length < shortestSecret ? [] : [apiKey],
    close: () => model.close(),
  };
}

/** A shorter key, such as `none` for a server that wants none, is no secret, and stands in ordinary words. */
const shortestSecret = 8;

/** The text is not shown: it may hold a key. */
function checkUrl(from: string, text: string): void {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return;
  throw misuse(`${from} is no http or https URL.`, flagTable['base-url'].allowed);
}

/** Without a query, which may hold a key. */
function placeOf(baseURL: string): string {
  const { origin, pathname } = new URL(baseURL);
  return `${origin}${pathname}`;
}

function scripted(ollama: Ollama | null): FoundModel {
  const real =
    ollama === null
      ? 'set OPENAI_API_KEY (for other servers OPENAI_BASE_URL and FUSELOOP_MODEL too), or start Ollama'
      : `pull one into Ollama, which runs at ${ollama.origin} and has none, or set OPENAI_API_KEY`;
  return {
    model: null,
    notice: `Model: scripted. Its replies were written beforehand; the loop and the tool calls are real. For a real model ${real}.`,
    secrets: [],
    close: async () => {},
  };
}
