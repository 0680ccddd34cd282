/** A page, as far as the inspector's server knows: node observing-reader.js URL. Says so when the list has come. */
import { get } from 'node:http';

const [url] = process.argv.slice(2);
const at = (path) => {
  const address = new URL(path, url);
  address.search = new URL(url).search;
  return address;
};
let shown = null;

/** One run at a time, as a page shows it. */
function show(key) {
  shown?.destroy();
  shown = get(at(`/runs/${key}/events`), { agent: false }, (response) => {
    response.on('error', () => {});
    response.resume();
  }).on('error', () => {});
}

get(at('/runs'), { agent: false }, (response) => {
  process.stdout.write('open\n');
  response.setEncoding('utf8').on('data', (text) => {
    const key = [...text.matchAll(/"key":"(r\d+)"/g)].at(-1)?.[1];
    if (key !== undefined) show(key);
  });
});
