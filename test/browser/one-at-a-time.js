/**
 * For `FUSELOOP_SLOW_PAGE`, in each page before its own script: the events of a run come to it one at a time, with a pause after each,
 * however many the server sends at once. Nothing is lost, and the order stays.
 */
(() => {
  const pauseMs = 15;
  /** So many of a stream come alone. Those behind come as they were sent, or a long run would take minutes. */
  const mostAlone = 100;
  const ofRun = new Set(['events', 'reply', 'end']);
  const isOfTrace = ({ type }) => type !== 'reply.delta' && type !== 'reply.restarted';

  /** The same message in pieces: the id of each says how many events of the trace the page has behind it. */
  const inPieces = (message) => {
    const events = JSON.parse(message.data);
    let behind = Number(message.lastEventId) - events.filter(isOfTrace).length;
    return events.map((event) => {
      behind += isOfTrace(event) ? 1 : 0;
      return new MessageEvent(message.type, { data: JSON.stringify([event]), lastEventId: String(behind) });
    });
  };

  /** Those that were sent and have not come, of each source. */
  const waiting = new WeakMap();
  const come = (source) => {
    const left = waiting.get(source);
    if (source.readyState === EventSource.CLOSED) left.messages.length = 0;
    const next = left.messages.shift();
    left.isComing = next !== undefined;
    if (next === undefined) return;
    next.take(next.message);
    setTimeout(come, pauseMs, source);
  };

  const { addEventListener } = EventSource.prototype;
  EventSource.prototype.addEventListener = function (name, take) {
    if (!ofRun.has(name)) return addEventListener.call(this, name, take);
    const left = waiting.get(this) ?? { messages: [], alone: 0, isComing: false };
    waiting.set(this, left);
    addEventListener.call(this, name, (message) => {
      const isInPieces = name === 'events' && left.alone < mostAlone;
      const pieces = isInPieces ? inPieces(message) : [message];
      if (isInPieces) left.alone += pieces.length;
      left.messages.push(...pieces.map((piece) => ({ take, message: piece })));
      if (left.isComing) return;
      left.isComing = true;
      setTimeout(come, pauseMs, this);
    });
  };
})();
