import { expect, it } from 'vitest';
import { terminalScreen } from '../../src/cli/screen.ts';
import { styleFor } from '../../src/cli/style.ts';
import { terminal } from './terminal.ts';

const text = `Thought: short.
A line that is far too long for this terminal, so that it is left to it.
思考：中文也不能丢失，即使这一行比终端更宽也是如此。
exactly-twenty-chars
🎯 the end`;

const status = 'step 3/12 · 2.1 s/180 s · 1,832/300,000 tokens';

/** What a terminal shows that was never asked for a status. */
function plainly(columns: number): readonly string[] {
  const plain = terminal(columns);
  plain.write(text);
  return plain.rows();
}

const sizes = [1, 2, 3, 7, 8, 19, 20, 21, 64, 1_000];

it.each(sizes.flatMap((size) => [20, 21, 80].map((columns): [number, number] => [size, columns])))(
  'in pieces of %i at %i columns nothing is lost or mixed with the status',
  (size, columns) => {
    const shown = terminal(columns);
    const screen = terminalScreen(shown, styleFor(true));
    const characters = [...text];
    for (let at = 0; at < characters.length; at += size) {
      screen.status(`${status} ${at}`);
      screen.write(characters.slice(at, at + size).join(''));
      const seen = shown.rows().join('').replaceAll(/\s/g, '');
      const soFar = characters
        .slice(0, at + size)
        .join('')
        .replaceAll(/\s/g, '');
      expect(seen.startsWith(soFar)).toBe(true);
      expect('step3/12'.startsWith(seen.slice(soFar.length, soFar.length + 8))).toBe(true);
    }
    screen.status('');
    expect(shown.rows().join('\n').trimEnd()).toBe(plainly(columns).join('\n'));
  },
);

it('the status stands below a line that is not complete, in one row however narrow', () => {
  const shown = terminal(30);
  const screen = terminalScreen(shown, styleFor(false));
  screen.status(status);
  screen.write('Thought: so f');
  expect(shown.rows()).toEqual(['Thought: so f', 'step 3/12 · 1,832/300,000 …']);
  screen.write('ar.\nAction');
  screen.status('step 4/12');
  expect(shown.rows()).toEqual(['Thought: so far.', 'Action', 'step 4/12']);
});

it.each<[number, string, string]>([
  [80, 'thinking', 'step 3/12 · 2.1 s/180 s · 1,832/300,000 tokens · thinking'],
  [60, 'thinking', 'step 3/12 · 2.1 s/180 s · thinking'],
  [30, 'thinking', 'step 3/12 · thinking'],
  [20, 'thinking', 'step 3/12'],
  [80, '查询指标, 保存文件, 发送邮件', 'step 3/12 · 2.1 s/180 s · 1,832/300,000 tokens · 查询指标, 保存文件, 发送…'],
  [60, '查询指标, 保存文件, 发送邮件', 'step 3/12 · 2.1 s/180 s · 查询指标, 保存文件, 发送邮件'],
  [50, '查询指标, 保存文件, 发送邮件', 'step 3/12 · 2.1 s/180 s · 查询指标, 保存文件,…'],
])('in %i columns the status that ends in %s keeps its most telling parts', (columns, doing, expected) => {
  const shown = terminal(columns);
  terminalScreen(shown, styleFor(false)).status(`${status} · ${doing}`);
  expect(shown.rows()).toEqual([expected]);
});

it('behind a question that a person answered, text goes on in a new row', () => {
  const shown = terminal(30);
  const screen = terminalScreen(shown, styleFor(false));
  screen.write('Run it? [y/N] ');
  shown.write('y\n');
  screen.lineEnded();
  screen.write('Observation: done\n');
  screen.status(status);
  expect(shown.rows().slice(0, 2)).toEqual(['Run it? [y/N] y', 'Observation: done']);
});
