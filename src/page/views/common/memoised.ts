import { Component, type ComponentChild, type ComponentType, type FunctionComponent, h } from 'preact';

/** Drawn again only where one of its props is another value: what an event does not touch stays the same object. */
export function memoised<Props extends object>(view: FunctionComponent<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before = new Map(Object.entries(this.props));
      const after = Object.entries(next);
      return before.size !== after.length || after.some(([name, value]) => !Object.is(before.get(name), value));
    }

    override render(): ComponentChild {
      return h(view, this.props);
    }
  };
}
