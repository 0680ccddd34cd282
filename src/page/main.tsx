/** The inspector's page. `test/build-page.mjs` makes one file of it, which asks for nothing but its own server. */
import { options, render } from 'preact';
import { embeddedRuns, embeddedSource } from './state/embedded-source.ts';
import { createInspector } from './state/inspector.ts';
import { PricesContext, pricesInPage } from './state/prices.ts';
import { serverSource } from './state/server-source.ts';
import { InspectorContext } from './state/use-inspector.ts';
import { App } from './views/app.tsx';

// However many events come, the page is drawn once a frame.
options.debounceRendering = requestAnimationFrame;

const embedded = embeddedRuns();
const token = new URLSearchParams(location.search).get('token') ?? '';
const inspector = createInspector(embedded === null ? serverSource(token) : embeddedSource(embedded));

render(
  <InspectorContext.Provider value={inspector}>
    <PricesContext.Provider value={pricesInPage()}>
      <App />
    </PricesContext.Provider>
  </InspectorContext.Provider>,
  document.body,
);
