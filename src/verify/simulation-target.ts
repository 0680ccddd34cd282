/** The target `run`: whole runs through the real shell, against everything at once. */
import { broken, type FuzzTarget, feed } from './fuzz-target.ts';
import { type Played, playSimulation } from './simulation-play.ts';
import { brokenPromises } from './simulation-promises.ts';
import { type SimulationScript, simulationScripts } from './simulation-script.ts';

/** `onPlayed` sees every run that came to its end, those of shrinking too. */
export function simulationTarget(onPlayed: (played: Played) => void = () => {}): FuzzTarget {
  return {
    name: 'run',
    takes: ['machine'],
    tells: 'whole runs on a virtual clock, with model, tools, person, observer and crashes against them: every promise',
    runs: 1_000,
    feed: (fc, { machine }) =>
      feed<SimulationScript>({
        fc,
        draws: simulationScripts(fc),
        holds: async (script) => {
          const played = await playSimulation(script, machine);
          onPlayed(played);
          const wrong = brokenPromises(played);
          if (wrong.length > 0) throw broken(wrong.join('\n'));
        },
      }),
  };
}
