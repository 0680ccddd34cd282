/** Small signs, drawn in 16 × 16. Each stands beside or within something that has a name. */
const paths = {
  first: 'M4 3v10M13 3.5 6 8l7 4.5z',
  backStep: 'M8 4 3 8l5 4zM13 4 8 8l5 4z',
  back: 'M10.5 3.5 5 8l5.5 4.5z',
  play: 'M5 3.2 13 8l-8 4.8z',
  pause: 'M5 3.5h2v9H5zM9 3.5h2v9H9z',
  forward: 'M5.5 3.5 11 8l-5.5 4.5z',
  forwardStep: 'M3 4l5 4-5 4zM8 4l5 4-5 4z',
  last: 'M12 3v10M3 3.5 10 8l-7 4.5z',
  copy: 'M5.5 5.5v-2h7v7h-2M3.5 5.5h7v7h-7z',
  check: 'M3.5 8.5l3 3 6-7',
  chevron: 'M6 4l4 4-4 4',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  moon: 'M12.8 10A5.4 5.4 0 0 1 6 3.2 5.4 5.4 0 1 0 12.8 10z',
  system: 'M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13',
  help: 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.2',
  person: 'M8 3a2.4 2.4 0 1 0 0 4.8A2.4 2.4 0 0 0 8 3zM3.5 13.2c.4-2.6 2.2-3.9 4.5-3.9s4.100 1.300 4.500 3.900',
} as const;

export type IconName = keyof typeof paths;

const filled: ReadonlySet<IconName> = new Set([
  'first',
  'backStep',
  'back',
  'play',
  'pause',
  'forward',
  'forwardStep',
  'last',
]);

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={filled.has(name) ? 'icon filled' : 'icon'} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
