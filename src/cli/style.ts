/** Whether and how a stream is coloured. Pure: what it depends on is passed in. */
import { styleText } from 'node:util';

/** What a text is, from which follows how it looks. */
export type Look = 'title' | 'dim' | 'thought' | 'call' | 'observation' | 'answer' | 'good' | 'warning' | 'bad';

export type Style = (look: Look, text: string) => string;

export interface Surroundings {
  readonly isTerminal: boolean;
  readonly variables: { readonly [name: string]: string | undefined };
}

/** https://no-color.org; FORCE_COLOR stands above it, as in Node. */
export function wantsColour({ isTerminal, variables }: Surroundings): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: terminal } = variables;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && !refused && terminal !== 'dumb';
}

export function styleFor(coloured: boolean): Style {
  return coloured ? (look, text) => (text === '' ? '' : styleText(formats[look], text, unchecked)) : (_, text) => text;
}

/** The check is ours: Node's own would look at stdout, whatever stream the text goes to. */
const unchecked = { validateStream: false };

const formats: { readonly [Name in Look]: Parameters<typeof styleText>[0] } = {
  title: 'bold',
  dim: 'dim',
  thought: ['bold', 'blue'],
  call: ['bold', 'magenta'],
  observation: ['bold', 'cyan'],
  answer: ['bold', 'green'],
  good: ['bold', 'green'],
  warning: 'yellow',
  bad: ['bold', 'red'],
};
