/**
 * The inspector's page as one file: one style and one script in it, nothing else to load. It says itself, by their hashes, that
 * nothing else may run (`Content-Security-Policy`). Runs are put in where `runsMark` stands.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Stands once in the page. In its place goes the element with the runs, or nothing. */
export const runsMark = '<!-- fuseloop-runs -->';

/** Gives the text of the page. */
export async function buildPage() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { page: 'src/page/main.tsx', style: 'src/page/styles/page.css' },
    outdir: 'out',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none', // THIRD-PARTY.md
    tsconfig: 'src/page/tsconfig.json',
    logLevel: 'warning',
  });
  const text = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text.trim();
  return pageOf(text('.js'), text('.css'));
}

/** Writes it, by default to `dist/inspector.html`; in one move, so that nobody reads half of it while another test writes it, too. */
export async function writePage(file = `${root}dist/inspector.html`) {
  const page = await buildPage();
  mkdirSync(dirname(file), { recursive: true });
  const own = `${file}.${process.pid}-${randomUUID()}`;
  writeFileSync(own, page);
  renameSync(own, file);
}

function pageOf(script, style) {
  // Either would end the element, or hide its end, wherever it stands in it.
  for (const [what, source] of Object.entries({ script, style }))
    if (/<\/(script|style)|<!--/i.test(source)) throw new Error(`the ${what} of the page holds a mark of HTML`);
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>fuseloop inspector</title>
<style>${style}</style>
</head>
<body>
${runsMark}
<script>${script}</script>
</body>
</html>
`;
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

if (process.argv[1] === fileURLToPath(import.meta.url)) await writePage();
