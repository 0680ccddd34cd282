import { describe, expect, it } from 'vitest';
import { demos } from '../../src/cli/demos/demos.ts';
import { createAgent, type TraceEvent } from '../../src/index.ts';
import { replayTrace } from '../../src/record.ts';
import { virtualClock } from '../../src/testing.ts';

describe('a trace of each demonstration', () => {
  it.each(demos)('$name', async ({ task, tools, model }) => {
    const clock = virtualClock();
    const trace: TraceEvent[] = [];
    const agent = createAgent({ model: model(clock), tools, clock, onEvent: (event) => trace.push(event) });
    await clock.until(agent.run(task));
    const replayed = await replayTrace(trace);
    expect(replayed.differences).toEqual([]);
    expect(replayed.agreed).toBe(replayed.compared);
  });
});
