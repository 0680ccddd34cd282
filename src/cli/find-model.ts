/** Which model a run uses: that of the flags and the environment, else that of Ollama, else the scripted one. */
import type { Model } from '../core/model.ts';
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

/** `probe` is asked only where nothing is configured. Throws misuse, and AgentError for what `openai` refuses. */
export async function findModel(
  wanted: WantedModel,
  environment: Environment,
  probe: () => Promise<Ollama | null>,
): Promise<FoundModel> {
  const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL, FUSELOOP_MODEL } = environment;
  const name = wanted.model ?? FUSELOOP_MODEL;
  const baseURL = wanted.baseUrl ?? OPENAI_BASE_URL ?? (apiKey === '' ? undefined : defaultUrl);
  if (baseURL !== undefined) {
    checkUrl(wanted.baseUrl === undefined ? 'OPENAI_BASE_URL' : '--base-url', baseURL);
    const why = name === undefined ? ' (the default; FUSELOOP_MODEL or --model names another)' : '';
    return served({ name: name ?? defaultModel, baseURL, apiKey }, why);
  }
  const ollama = await probe();
  const first = name ?? ollama?.models[0];
  if (ollama !== null && first !== undefined) {
    const why = name === undefined ? ', the first of Ollama (FUSELOOP_MODEL or --model names another)' : ', by Ollama';
    return served({ name: first, baseURL: `${ollama.origin}/v1`, apiKey: '' }, why);
  }
  if (wanted.model !== undefined)
    throw misuse(
      `--model is ${JSON.stringify(wanted.model)}, and there is no server to ask for it.`,
      'Set OPENAI_API_KEY, or give --base-url, or start Ollama. Without --model a scripted model is used.',
    );
  return scripted(ollama);
}

function served(server: { name: string; baseURL: string; apiKey: string }, why: string): FoundModel {
  const { name, baseURL, apiKey } = server;
  const model = openai({ model: name, baseURL, apiKey });
  return {
    model,
    notice: `Model: ${name} at ${placeOf(baseURL)}${why}`,
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
