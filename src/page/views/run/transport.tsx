/** Through the run: by event, by step, playing, and straight to a place. */

import { type Speed, speeds } from '../../state/player.ts';
import type { Session } from '../../state/session.ts';
import { useStore } from '../../state/store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon, type IconName } from '../common/icon.tsx';

interface TransportProps {
  readonly session: Session;
  /** Events may still come. */
  readonly isLive: boolean;
}

export function Transport({ session, isLive }: TransportProps) {
  const texts = useTexts();
  const { player, recording } = session;
  const length = useStore(player.store, (state) => state.length);
  const position = useStore(player.store, (state) => state.position);
  const follows = useStore(player.store, (state) => state.follows);
  const speed = useStore(player.store, (state) => state.speed);
  const event = recording.eventAt(position);
  const step = event !== null && 'step' in event ? ` · ${texts.stepName(event.step)}` : '';
  const told = texts.eventOf(position, length, `${event?.type ?? '—'}${step}`);
  return (
    <section
      class="transport"
      aria-label={texts.playback}
      data-view="playback"
      data-position={position}
      data-length={length}
    >
      <Buttons session={session} isLive={isLive} />
      <input
        class="scrubber"
        type="range"
        min={Math.min(1, length)}
        max={length}
        value={position}
        aria-label={texts.position}
        aria-valuetext={told}
        onInput={({ currentTarget }) => player.seek(Number(currentTarget.value))}
      />
      <span class="transport-told" data-part="position">
        {told}
      </span>
      {isLive && follows && (
        <span class="following">
          <span class="pulse" />
          {texts.following}
        </span>
      )}
      <label class="speed">
        <span class="hidden">{texts.speed}</span>
        <select value={speed} onChange={({ currentTarget }) => player.setSpeed(speedOf(currentTarget.value))}>
          {speeds.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </label>
    </section>
  );
}

function Buttons({ session: { player }, isLive }: TransportProps) {
  const texts = useTexts();
  const isPlaying = useStore(player.store, (state) => state.isPlaying);
  const isEmpty = useStore(player.store, ({ length }) => length === 0);
  const isFirst = useStore(player.store, ({ position }) => position <= 1);
  const isLast = useStore(player.store, ({ position, length }) => position >= length);
  return (
    <div class="transport-buttons">
      <Press icon="first" name={texts.first} isOff={isFirst} onPress={player.first} />
      <Press icon="backStep" name={texts.backStep} isOff={isFirst} onPress={() => player.go('step', -1)} />
      <Press icon="back" name={texts.backEvent} isOff={isFirst} onPress={() => player.go('event', -1)} />
      <Press
        icon={isPlaying ? 'pause' : 'play'}
        name={isPlaying ? texts.pause : texts.play}
        isOff={isEmpty}
        isMain
        onPress={isPlaying ? player.pause : player.play}
      />
      <Press icon="forward" name={texts.forwardEvent} isOff={isLast} onPress={() => player.go('event', 1)} />
      <Press icon="forwardStep" name={texts.forwardStep} isOff={isLast} onPress={() => player.go('step', 1)} />
      <Press icon="last" name={isLive ? texts.toLive : texts.last} isOff={isLast} onPress={player.last} />
    </div>
  );
}

const speedOf = (text: string): Speed => speeds.find((one) => String(one) === text) ?? 1;

interface PressProps {
  readonly icon: IconName;
  readonly name: string;
  readonly isOff: boolean;
  readonly isMain?: boolean;
  readonly onPress: () => void;
}

/** Stays in the order of the tab key where it does nothing, so that the focus is not lost at an end. */
function Press({ icon, name, isOff, isMain = false, onPress }: PressProps) {
  return (
    <button
      type="button"
      class={isMain ? 'icon-button main' : 'icon-button'}
      data-press={icon}
      aria-label={name}
      title={name}
      aria-disabled={isOff}
      onClick={() => isOff || onPress()}
    >
      <Icon name={icon} />
    </button>
  );
}
