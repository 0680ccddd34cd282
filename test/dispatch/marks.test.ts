/** The marks of a tool: refused where they mean nothing, and what a tool of the AI SDK is given. */
import { describe, expect, it, test } from 'vitest';
import type { AnyTool } from '../../src/core/tool.ts';
import { act, answer, anyInput, returns, setup } from '../shell/setup.ts';

describe('a mark that means nothing is refused when the agent is made', () => {
  const rows = ['readOnly', 'sideEffect', 'idempotent', 'endsRun', 'needsApproval'].flatMap((mark) =>
    [1, 0, 'true', 'yes', '', {}, [], ...(mark === 'needsApproval' ? [] : [null, () => true])].map((value) => ({
      mark,
      value,
    })),
  );

  test.each(rows)('$mark: $value', ({ mark, value }) => {
    const pay = { ...returns('paid'), ...Object.fromEntries([[mark, value]]) };
    const make = () => setup({ replies: [], tools: { pay } });
    expect(make).toThrow(`The tool "pay" has a ${mark === 'needsApproval' ? '' : 'mark '}${mark} that is n`);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_option', hint: expect.stringMatching(/true/) }));
  });

  test.each([true, false, undefined])('%s is a mark', async (value) => {
    for (const mark of ['readOnly', 'sideEffect', 'idempotent', 'endsRun', 'needsApproval']) {
      const pay = { ...returns('paid'), ...Object.fromEntries([[mark, value]]) };
      expect(() => setup({ replies: [], tools: { pay } })).not.toThrow();
    }
  });
});

describe('a tool of the AI SDK', () => {
  class Shop {
    readonly inputSchema = anyInput;
    readonly asked: unknown[] = [];
    readonly ran: unknown[] = [];
    needsApproval(_input: unknown, options: unknown): boolean {
      this.asked.push(options);
      return false;
    }
    execute(_input: unknown, options: unknown): string {
      this.ran.push(options);
      return 'sold';
    }
  }

  it('is given the context of the run by its name there, and is `this` of its functions', async () => {
    const shop = new Shop();
    const tools: Record<string, AnyTool> = { shop };
    const { run } = setup({ replies: [act('shop'), answer('ok')], tools });
    const context = { user: 'ada' };
    expect(await run({ context })).toMatchObject({ ok: true, steps: [{ calls: [{ status: 'succeeded' }] }, {}] });
    expect(shop.asked).toMatchObject([{ context, experimental_context: context }]);
    expect(shop.ran).toMatchObject([{ context, experimental_context: context }]);
  });
});
