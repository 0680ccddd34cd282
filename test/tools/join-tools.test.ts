/** The tools of several sources become one record, or it is said which two cannot. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { AgentError } from '../../src/core/errors.ts';
import type { AnyTool } from '../../src/core/tool.ts';
import { tool } from '../../src/tool.ts';
import { type JoinOptions, joinTools, type ToolSources } from '../../tools/join-tools.ts';
import { act, answer, returns, setup } from '../shell/setup.ts';

const search = tool({ inputSchema: z.object({ q: z.string() }), readOnly: true, execute: ({ q }) => `found ${q}` });
const send = tool({ inputSchema: z.object({ to: z.string() }), sideEffect: true, execute: () => 'sent' });
const count = tool({ inputSchema: z.object({ n: z.number() }), readOnly: true, execute: ({ n }) => n });

/** A record with a member of this name, whatever the name. */
const named = (name: string, one: AnyTool = search) => Object.fromEntries([[name, one]]);

describe('different names', () => {
  it('are joined in order, each the tool that it was', () => {
    const tools = joinTools({ crm: { search, count }, mail: { send } });
    expect(Object.entries(tools)).toEqual([
      ['search', search],
      ['count', count],
      ['send', send],
    ]);
    expect(tools.search).toBe(search);
    expectTypeOf(tools).toEqualTypeOf<{
      readonly search: typeof search;
      readonly count: typeof count;
      readonly send: typeof send;
    }>();
  });

  it('have their source before them where that is asked for', () => {
    const tools = joinTools({ crm: { search, count }, web: { search } }, { prefix: true });
    expect(Object.keys(tools)).toEqual(['crm_search', 'crm_count', 'web_search']);
    expectTypeOf(tools).toEqualTypeOf<{
      readonly crm_search: typeof search;
      readonly crm_count: typeof count;
      readonly web_search: typeof search;
    }>();
  });

  it.each<[string, ToolSources, readonly string[]]>([
    ['of no sources', {}, []],
    ['of a source without tools', { crm: {}, mail: { send } }, ['send']],
    ['that are alike in letters of other scripts', { a: named('查询'), b: named('搜索') }, ['查询', '搜索']],
    ['that begin alike', { a: named('search'), b: named('search_all') }, ['search', 'search_all']],
    ['that the prototype has', { a: named('constructor'), b: named('toString') }, ['constructor', 'toString']],
    ['that the prototype sets', { a: named('__proto__'), b: { send } }, ['__proto__', 'send']],
    ['that are alike in one source, which is its own matter', { a: { search, Search: send } }, ['search', 'Search']],
  ])('%s', (_what, sources, names) => {
    const tools = joinTools(sources);
    expect(Object.keys(tools)).toEqual(names);
    expect(Object.getPrototypeOf(tools)).toBe(Object.prototype);
  });

  it('run, whatever they are called', async () => {
    const tools = joinTools({ a: named('__proto__', returns('one')), b: named('constructor', returns('two')) });
    const { run } = setup({ replies: [act('__proto__'), act('constructor'), answer('ok')], tools });
    const { steps } = await run();
    expect(steps.flatMap(({ calls }) => calls.map(({ tool: name, output }) => [name, output]))).toEqual([
      ['__proto__', 'one'],
      ['constructor', 'two'],
    ]);
  });
});

describe('refused', () => {
  const withPrefix: JoinOptions = { prefix: true };
  it.each<[string, ToolSources, JoinOptions, string, string]>([
    [
      'equal names',
      { crm: { search }, mail: { send }, web: { search: count } },
      {},
      'The tool "search" is in two sources: "crm" and "web".',
      'crm_search, web_search',
    ],
    [
      'the same tool twice',
      { crm: { search }, web: { search } },
      {},
      '"search" is in two sources',
      'Rename one of them',
    ],
    [
      'names that differ by case',
      { crm: { search }, web: { Search: count } },
      {},
      'The tools "search" and "Search" of the sources "crm" and "web" differ by case and signs alone.',
      'crm_search, web_Search',
    ],
    [
      'names that differ by signs',
      { a: named('send-mail'), b: named('send mail') },
      {},
      '"send-mail" and "send mail"',
      '',
    ],
    ['names in wide letters', { a: named('search'), b: named('ｓｅａｒｃｈ') }, {}, 'differ by case', ''],
    [
      'equal names that the prototype has',
      { a: named('constructor'), b: named('constructor') },
      {},
      '"constructor"',
      '',
    ],
    ['equal names that the prototype sets', { a: named('__proto__'), b: named('__proto__') }, {}, '"__proto__"', ''],
    [
      'equal names behind their sources',
      { a: named('b_c'), a_b: named('c') },
      withPrefix,
      'The tool "a_b_c" is in two sources: "a" and "a_b".',
      'Rename one of the tools, or one of the sources.',
    ],
  ])('%s', (_what, sources, options, message, hint) => {
    const error = thrownBy(() => joinTools(sources, options));
    expect(error.code).toBe('invalid_option');
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });

  it.each<[string, unknown, unknown, string]>([
    ['no record', null, {}, 'sources is no record of tools.'],
    ['a list', [{ search }], {}, 'sources is no record of tools.'],
    ['a source that is a list', { crm: [search] }, {}, 'sources.crm is no record of tools.'],
    ['a source that is nothing', { crm: undefined }, {}, 'sources.crm is no record of tools.'],
    ['a prefix that is a text', { crm: { search } }, { prefix: 'crm' }, 'prefix is no boolean.'],
  ])('%s', (_what, sources, options, message) => {
    expect(thrownBy(() => Reflect.apply(joinTools, undefined, [sources, options])).message).toBe(message);
  });
});

function thrownBy(work: () => unknown): AgentError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof AgentError) return thrown;
    throw thrown;
  }
  throw new Error('Nothing was thrown.');
}
