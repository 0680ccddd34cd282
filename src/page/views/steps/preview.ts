import { visible } from '../common/json-text.ts';

/** The beginning of a value, in one line: for where there is no room for all of it. However large it is, little of it is read. */
export function preview(value: unknown, most = 160): string {
  const text = typeof value === 'string' ? value.slice(0, most * 2) : begin(value, most);
  return visible(text.replace(/\s+/g, ' ').slice(0, most));
}

/** Of nested values, no more than this is looked into. */
const deepest = 3;

function begin(value: unknown, room: number, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room));
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  if (depth === deepest) return isList ? '[…]' : '{…}';
  let text = '';
  for (const key in value) {
    if (text.length >= room) break;
    const member = begin(Reflect.get(value, key), room - text.length, depth + 1);
    text += `${text === '' ? '' : ', '}${isList ? '' : `${key}: `}${member}`;
  }
  return isList ? `[${text}]` : `{${text}}`;
}
