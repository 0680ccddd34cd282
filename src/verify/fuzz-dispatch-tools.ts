/** Tools that try to break the gates: their schema, their question for approval and their work all misbehave. */
import type { Clock } from '../core/clock.ts';
import type { AnyTool, ToolRecord } from '../core/tool.ts';
import { type ToolBehaviour, toolBehaviours, toolOf } from './arbitrary-tool.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';

export interface HostileTool {
  readonly name: string;
  readonly behaviour: ToolBehaviour;
  readonly mark: 'readOnly' | 'idempotent' | 'sideEffect' | 'unmarked';
  readonly schema: SchemaKind;
  readonly asks: 'default' | 'always' | 'never' | 'throws' | 'hangs' | 'rejects' | 'odd';
  readonly timeoutMs: number;
}

const never = () => new Promise<never>(() => {});
const issue = (message: unknown, path?: unknown) => () => ({ issues: [{ message, path }] });
const standard = (validate: (value: unknown) => unknown) => ({
  '~standard': { version: 1, vendor: 'hostile', validate },
});
const fails = () => {
  throw new Error('x'.repeat(100_000));
};

const schemas = {
  any: { type: 'object' },
  strict: {
    type: 'object',
    properties: { q: { type: 'string' }, id: { type: 'integer', minimum: 1 } },
    required: ['q'],
    additionalProperties: false,
  },
  bad_pattern: { type: 'object', properties: { q: { type: 'string', pattern: '(' } } },
  endless_reference: { $ref: '#' },
  validate_throws: standard(fails),
  validate_hangs: standard(never),
  validate_rejects: standard(() => Promise.reject(new Error('no'))),
  validate_later: standard((value) => Promise.resolve({ value })),
  validate_nothing: standard(() => undefined),
  // biome-ignore lint/suspicious/noThenProperty: something that looks like a promise is the point.
  validate_then_odd: standard(() => ({ then: 1 })),
  issues_no_list: standard(() => ({ issues: 'wrong' })),
  issue_symbol: standard(issue(Symbol('odd'))),
  issue_object: standard(issue({ toString: fails })),
  issue_long: standard(issue('y'.repeat(100_000))),
  issue_path_odd: standard(issue('wrong', [Symbol('a'), { key: 'b' }, 3, null])),
  issue_many: standard(() => ({ issues: Array.from({ length: 10_000 }, () => ({ message: 'wrong' })) })),
  sdk_throws: { jsonSchema: { type: 'object' }, validate: fails },
  sdk_odd: { jsonSchema: { type: 'object' }, validate: () => 7 },
  sdk_error: {
    jsonSchema: { type: 'object' },
    validate: () => ({ success: false, error: Object.assign(new Error(), { message: 5 }) }),
  },
  sdk_changes: {
    jsonSchema: { type: 'object' },
    validate: (value: unknown) => {
      if (typeof value === 'object' && value !== null) Reflect.set(value, 'added', true);
      return { success: true, value };
    },
  },
} as const;

type SchemaKind = keyof typeof schemas;

const schemaKinds = Object.keys(schemas).filter((name): name is SchemaKind => Object.hasOwn(schemas, name));

const questions: { readonly [kind in HostileTool['asks']]: AnyTool['needsApproval'] } = {
  default: undefined,
  always: true,
  never: false,
  throws: fails,
  hangs: never,
  rejects: () => Promise.reject(new Error('no')),
  odd: () => 'perhaps',
};

export function hostileTools(fc: FastCheck, name: Arbitrary<string>): Arbitrary<readonly HostileTool[]> {
  const tool = fc.record<HostileTool>({
    name,
    behaviour: toolBehaviours(fc),
    mark: fc.constantFrom('readOnly', 'idempotent', 'sideEffect', 'unmarked', 'unmarked'),
    schema: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('any', 'any', 'strict') },
      { weight: 1, arbitrary: fc.constantFrom(...schemaKinds) },
    ),
    asks: fc.oneof(
      { weight: 3, arbitrary: fc.constant('default') },
      { weight: 1, arbitrary: fc.constantFrom('always', 'never', 'throws', 'hangs', 'rejects', 'odd') },
    ),
    timeoutMs: fc.constantFrom(0, 10, 15_000),
  });
  return fc.uniqueArray(tool, { maxLength: 4, selector: (each) => each.name });
}

export function recordOf(tools: readonly HostileTool[], clock: Pick<Clock, 'setTimer'>): ToolRecord {
  return Object.fromEntries(
    tools.map(({ name, behaviour, mark, schema, asks, timeoutMs }) => {
      const needsApproval = questions[asks];
      const marks = mark === 'unmarked' ? {} : { [mark]: true };
      const made = { ...toolOf(behaviour, clock, { ...marks, timeoutMs }), inputSchema: schemas[schema] };
      return [name, needsApproval === undefined ? made : { ...made, needsApproval }];
    }),
  );
}
