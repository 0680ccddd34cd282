/**
 * Runs in each page of the tests before the page's own script: it writes down what happens there. Nothing of the page knows it.
 * What a hostile text would do if it ran is to set `hacked`.
 */
(() => {
  const watched = {
    /** The states that were lit, one after the other. */
    lit: [],
    /** Where the playback stood, one after the other. */
    positions: [],
    /** What the page's policy kept it from. */
    blocked: [],
    /** How often something in the list of runs was drawn. */
    listDraws: 0,
    /** How long each piece of work was that held the page up: milliseconds. */
    longTasks: [],
  };
  Object.defineProperty(window, 'watched', { value: watched });

  const noted = (list, value) => {
    if (value && list.at(-1) !== value) list.push(value);
  };
  const noteCharts = (within) => {
    for (const chart of within?.querySelectorAll('[data-view="chart"]') ?? []) noted(watched.lit, chart.dataset.lit);
  };
  const noteAttribute = (element, name) => {
    if (name === 'data-lit' && element.matches('[data-view="chart"]')) noted(watched.lit, element.dataset.lit);
    if (name === 'data-position') noted(watched.positions, element.dataset.position);
  };
  const isInList = ({ target }) => target instanceof Element && target.closest('[data-view="runs"]') !== null;
  const look = (changes) => {
    for (const { target, type, attributeName, addedNodes } of changes) {
      if (type === 'attributes') noteAttribute(target, attributeName);
      if (addedNodes.length > 0) noteCharts(target);
    }
    if (changes.some(isInList)) watched.listDraws += 1;
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });

  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    watched.blocked.push(`${violatedDirective} ${blockedURI}`);
  });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });

  /** What each press of a key costs, in milliseconds: hearing it, drawing what it changed, and the layout of that. */
  watched.costsOfKey = async (key, shiftKey, times) => {
    const costs = [];
    for (let count = 0; count < times; count += 1) {
      // The page's own drawing stands between these two.
      let from = 0;
      requestAnimationFrame(() => {
        from = performance.now();
      });
      const before = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
      const heard = performance.now() - before;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      document.body.getBoundingClientRect();
      costs.push(heard + performance.now() - from);
    }
    return costs;
  };
})();
