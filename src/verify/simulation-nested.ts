/** The agent that runs as a tool in a simulation, and the ledger of what it spent, which no crash erases. */
import { createAgent } from '../agent.ts';
import type { AgentTool } from '../as-tool.ts';
import type { Model } from '../core/model.ts';
import { scriptedModel } from '../models/scripted.ts';
import { labelled } from '../protocol/labelled.ts';
import type { Arbitrary, FastCheck } from './fast-check.ts';
import type { Life } from './simulation-life.ts';

export interface NestedScript {
  /** How often it calls its own tool in each run before it answers. */
  readonly calls: number;
  /** Of what is left of the budget. */
  readonly share: number;
  /** Before each of its replies. */
  readonly delayMs: number;
}

/** What it really did, over all runs and lives. */
export interface NestedLedger {
  /** First tries of its steps. */
  steps: number;
  toolCalls: number;
}

export const nestedTool = 'delegate';

export function nestedScripts(fc: FastCheck): Arbitrary<NestedScript> {
  return fc.record({
    calls: fc.constantFrom(0, 1, 3, 50, 50),
    share: fc.constantFrom(0.5, 1, 1),
    delayMs: fc.constantFrom(0, 10, 40_000),
  });
}

export function nestedInputs(fc: FastCheck): Arbitrary<{ readonly task: string }> {
  return fc.nat(2).map((n) => ({ task: `part ${n}` }));
}

export function nestedAgent(script: NestedScript, life: Life, ledger: NestedLedger): AgentTool<string> {
  const agent = createAgent({
    model: nestedModel(script, life, ledger),
    tools: {
      peek: {
        description: 'peek',
        inputSchema: { type: 'object', properties: {} },
        readOnly: true,
        execute: () => {
          ledger.toolCalls++;
          return life.dead() ? new Promise(() => {}) : 'seen';
        },
      },
    },
    clock: life.engine,
    loopGuard: 'off',
    checkLaws: false,
  });
  return agent.asTool({ description: 'Finds things out.', readOnly: true, share: script.share });
}

/** Written in `labelled`, whatever the dialect of the run that asks it. */
function nestedModel({ calls, delayMs }: NestedScript, life: Life, ledger: NestedLedger): Model {
  return {
    provider: 'simulated',
    name: 'delegate',
    generate(request) {
      if (request.attempt === 1 && !life.dead()) ledger.steps++;
      const { step } = request;
      const text =
        step > calls
          ? labelled.form.answer('I know.', `part ${step}`)
          : labelled.form.call('I need data.', 'peek', { n: step });
      return scriptedModel([{ text, delayMs }], { clock: life.world }).generate(request);
    },
  };
}
