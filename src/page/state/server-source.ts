/** Runs that the inspector's server sends, as `wire.ts` says. The browser itself connects again and says how far it had come. */
import { countTraceEvents, isEvent, isRefusal, isReply, isSummary, isText, parsed, readList } from './read-wire.ts';
import type { EventsListener, Objection, Source } from './source.ts';

/** After the server refused: it may have been started again. */
const retryMs = 5_000;

export function serverSource(token: string): Source {
  const address = (path: string, more = '') => `${path}?token=${encodeURIComponent(token)}${more}`;
  const ofRun = (key: string, what: string, more = '') => address(`/runs/${encodeURIComponent(key)}/${what}`, more);

  return {
    watchRuns(listener) {
      let areAll = true;
      return listen(address('/runs'), {
        onOpen() {
          areAll = true;
          listener.connection('open');
        },
        onLost: (isRefused) => listener.connection(isRefused ? 'refused' : 'lost'),
        on: {
          runs({ data }) {
            listener.runs(readList(parsed(data), isSummary), areAll);
            areAll = false;
          },
          gone: ({ data }) => listener.gone(readList(parsed(data), isText)),
        },
      });
    },

    watchEvents: (key, from, listener) =>
      watchEvents(ofRun(key, 'events', from === 0 ? '' : `&from=${from}`), listener),

    async decide(key, decision) {
      try {
        const answer = await fetch(ofRun(key, 'decisions'), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(decision),
        });
        return answer.ok ? null : objectionOf(answer.status, await answer.text());
      } catch {
        return { code: 'unreachable' };
      }
    },
  };
}

function watchEvents(address: string, listener: EventsListener): () => void {
  const close = listen(address, {
    onOpen: () => {},
    onLost: () => {},
    on: {
      events({ data, lastEventId }) {
        const events = readList(parsed(data), isEvent);
        const behind = Number.parseInt(lastEventId, 10);
        const count = countTraceEvents(events);
        if (Number.isSafeInteger(behind)) listener.events(events, Math.max(0, behind - count));
        else listener.failed(JSON.stringify(lastEventId));
      },
      reply({ data }) {
        const reply = parsed(data);
        if (isReply(reply)) listener.reply(reply);
      },
      end() {
        close();
        listener.end();
      },
    },
  });
  return close;
}

interface Listening {
  readonly onOpen: () => void;
  readonly onLost: (isRefused: boolean) => void;
  readonly on: { readonly [name: string]: (message: MessageEvent<string>) => void };
}

/** Until it is closed. A server that refuses is asked again, but without hurry. */
function listen(address: string, { onOpen, onLost, on }: Listening): () => void {
  let stream: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    stream = new EventSource(address);
    stream.onopen = onOpen;
    stream.onerror = () => {
      const isRefused = stream.readyState === EventSource.CLOSED;
      onLost(isRefused);
      if (isRefused) timer = setTimeout(open, retryMs);
    };
    for (const [name, take] of Object.entries(on)) stream.addEventListener(name, take);
  };
  open();
  return () => {
    clearTimeout(timer);
    stream.close();
  };
}

function objectionOf(status: number, text: string): Objection {
  const answer = parsed(text);
  return isRefusal(answer) ? answer : { code: 'answered', status };
}
