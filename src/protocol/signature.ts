/** A tool in one short line, for prompts that must be small. Pure. */
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { ToolDescription } from './dialect.ts';

const longestAbout = 60;
const mostFields = 12;

/** `search(query, limit?: number) Finds pages.` A field without a type is a string; of the description one sentence. */
export function signatureOf({ name, description, inputSchema }: ToolDescription): string {
  const about = firstSentence(description.trim().replaceAll('\n', ' '));
  return `${name}(${inputSchema === null ? '' : fieldsOf(inputSchema)})${about === '' ? '' : ` ${about}`}`;
}

function firstSentence(text: string): string {
  const end = text.slice(0, longestAbout).search(/[.!?](\s|$)|[。！？]/);
  if (end >= 0) return text.slice(0, end + 1);
  return text.length <= longestAbout ? text : `${text.slice(0, longestAbout)}…`;
}

function fieldsOf({ properties, required }: JsonObject): string {
  if (!isJsonObject(properties)) return '';
  const needed: readonly JsonValue[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, 0);
    return `${name}${needed.includes(name) ? '' : '?'}${type === 'string' ? '' : `: ${type}`}`;
  });
  return fields.length > mostFields ? `${fields.slice(0, mostFields).join(', ')}, …` : fields.join(', ');
}

const mostWords = 6;

function typeOf(schema: JsonValue, depth: number): string {
  if (!isJsonObject(schema)) return 'any';
  if (Array.isArray(schema.enum)) return wordsOf(schema.enum);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) return schema.type.map(String).join('|');
  if (schema.type === 'array') return depth < 2 ? `${typeOf(schema.items ?? null, depth + 1)}[]` : 'array';
  if (schema.type === 'object' && isJsonObject(schema.properties) && depth < 2)
    return `{${Object.entries(schema.properties)
      .map(([name, inner]) => `${name}: ${typeOf(inner, depth + 1)}`)
      .join(', ')}}`;
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function wordsOf(values: readonly JsonValue[]): string {
  const words = values.slice(0, mostWords).map((value) => JSON.stringify(value));
  return [...words, ...(values.length > mostWords ? ['…'] : [])].join('|');
}
