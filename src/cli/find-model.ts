/** Which model a run uses: that of the flags and the environment, else that of Ollama, else the scripted one. */
import type { Model } from '../core/model.ts';
import { anthropicProvider } from '../models/anthropic/options.ts';
import { anthropic } from '../models/anthropic.ts';
import { isKeyFor, type KeyOwner } from '../models/http/key.ts';
import { openaiProvider } from '../models/openai/options.ts';
import { openai } from '../models/openai.ts';
import { firstModel } from './first-model.ts';
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
const prefixes = Object.freeze({ openai: 'openai:', anthropic: 'anthropic:' });

/** What else may have to be asked. */
export interface Servers {
  /** Asked only where nothing is configured. */
  readonly ollama: () => Promise<Ollama | null>;
  /** Asked only where a server is told and no model. */
  readonly first?: (baseURL: string, apiKey: string) => Promise<string>;
}

/** Throws misuse, and AgentError for what the adapters refuse. */
export async function findModel(wanted: WantedModel, environment: Environment, servers: Servers): Promise<FoundModel> {
  const given = wanted.model ?? environment.FUSELOOP_MODEL;
  if (given?.startsWith(prefixes.anthropic)) return ofAnthropic(behind(prefixes.anthropic, given), wanted, environment);
  const isOpenai = given?.startsWith(prefixes.openai) === true;
  const name = isOpenai ? behind(prefixes.openai, given) : given;
  const server = openaiServer(wanted, environment, isOpenai);
  if (server !== null) return ofOpenai(name, server, servers.first ?? firstModel);
  const ollama = await servers.ollama();
  const first = name ?? ollama?.models[0];
  if (ollama !== null && first !== undefined) {
    const why = name === undefined ? `, the first of Ollama (${named})` : ', by Ollama';
    const server = { baseURL: `${ollama.origin}/v1`, apiKey: '', secrets: [], withheld: '' };
    return served(openai({ model: first, baseURL: server.baseURL, apiKey: '' }), server, why);
  }
  if (wanted.model !== undefined)
    throw misuse(
      `--model is ${JSON.stringify(wanted.model)}, and there is no server to ask for it.`,
      'Set OPENAI_API_KEY, or give --base-url, or start Ollama; anthropic:NAME is a model of Anthropic. Without --model a scripted model is used.',
    );
  return scripted(ollama);
}

const named = 'FUSELOOP_MODEL or --model names another';

function behind(prefix: string, given: string): string {
  const name = given.slice(prefix.length);
  if (name.trim() !== '') return name;
  const example = prefix === prefixes.openai ? defaultModel : 'claude-sonnet-4-5';
  throw misuse(
    `The model ${JSON.stringify(given)} has no name.`,
    `Behind ${prefix} stands the name of a model, such as ${prefix}${example}.`,
  );
}

interface Server {
  readonly baseURL: string;
  /** Empty where there is none, or it is not for this server. */
  readonly apiKey: string;
  readonly secrets: readonly string[];
  /** For the reader: that the key is not sent, and why; empty where that is not so. */
  readonly withheld: string;
}

/** Null where nothing tells of a server. `isNamed`: the model is one of OpenAI's form. */
function openaiServer(wanted: WantedModel, environment: Environment, isNamed: boolean): Server | null {
  const { OPENAI_API_KEY, OPENAI_BASE_URL } = environment;
  if ((wanted.baseUrl ?? OPENAI_BASE_URL ?? OPENAI_API_KEY) === undefined && !isNamed) return null;
  return serverOf(openaiProvider, wanted.baseUrl, { key: OPENAI_API_KEY, baseURL: OPENAI_BASE_URL });
}

async function ofOpenai(
  name: string | undefined,
  server: Server,
  first: (baseURL: string, apiKey: string) => Promise<string>,
): Promise<FoundModel> {
  const { baseURL, apiKey } = server;
  // OpenAI itself has a hundred, in no order.
  const isOpenai = new URL(baseURL).hostname === new URL(openaiProvider.baseURL).hostname;
  const model = name ?? (isOpenai ? defaultModel : await first(baseURL, apiKey));
  const why = name !== undefined ? '' : isOpenai ? ` (the default; ${named})` : `, its first (${named})`;
  return served(openai({ model, baseURL, apiKey }), server, why);
}

function ofAnthropic(model: string, wanted: WantedModel, environment: Environment): FoundModel {
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: baseURL } = environment;
  const server = serverOf(anthropicProvider, wanted.baseUrl, { key, baseURL });
  return served(anthropic({ model, baseURL: server.baseURL, apiKey: server.apiKey }), server, '');
}

interface Told {
  readonly key: string | undefined;
  readonly baseURL: string | undefined;
}

/** The key of the environment goes where the environment says, as in the adapters. */
function serverOf(owner: KeyOwner, flag: string | undefined, { key = '', baseURL: told }: Told): Server {
  const baseURL = flag ?? told ?? owner.baseURL;
  checkUrl(flag === undefined ? owner.baseURLName : '--base-url', baseURL);
  const isFor = isKeyFor(new URL(baseURL), told, owner);
  return {
    baseURL,
    apiKey: isFor ? key : '',
    // A shorter key, such as `none` for a server that wants none, is no secret, and stands in ordinary words.
    secrets: key.length < shortestSecret ? [] : [key],
    withheld:
      isFor || key === ''
        ? ''
        : `, without ${owner.apiKeyName}, which is not for this server (set ${owner.baseURLName} in place of --base-url, if it is)`,
  };
}

const shortestSecret = 8;

function served(
  model: Model & { close(): Promise<void> },
  { baseURL, secrets, withheld }: Server,
  why: string,
): FoundModel {
  return {
    model,
    notice: `Model: ${model.name} at ${placeOf(baseURL)}${why}${withheld}`,
    secrets,
    close: () => model.close(),
  };
}

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
