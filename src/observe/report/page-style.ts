/** How the page of a report looks: light and dark, on a screen and on a phone. */
export const pageStyle = `
:root { --paper: #ffffff; --raised: #f5f6f8; --ink: #16191f; --soft: #59616e; --line: #dfe2e7;
  --good: #1a7f4b; --warning: #9a5b00; --bad: #b42318; --plain: #3b5bdb; --track: #e6e8ec; }
@media (prefers-color-scheme: dark) { :root { --paper: #12151a; --raised: #1a1e25; --ink: #e8eaee; --soft: #a0a8b4;
  --line: #2c323b; --good: #4cc38a; --warning: #f0b45b; --bad: #ff8a7a; --plain: #8da6ff; --track: #2a3039; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
.brand { margin: 0; color: var(--soft); letter-spacing: .04em; }
h1 { margin: .1em 0 .35em; font-size: clamp(2rem, 7vw, 3.2rem); line-height: 1.1; }
h1 small { display: inline-block; margin-left: .5em; color: var(--soft); font-size: 1rem; font-weight: 400; }
h1.good { color: var(--good); } h1.warning { color: var(--warning); } h1.bad { color: var(--bad); }
h2 { margin: 0 0 .6rem; font-size: 1.15rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
section { margin-top: 2rem; padding: 1.1rem 1.2rem 1.2rem; background: var(--raised); border: 1px solid var(--line); border-radius: .7rem; }
.gauge { display: block; width: 100%; height: .8rem; border-radius: .4rem; }
.track { fill: var(--track); }
.fill { fill: var(--plain); } .fill.good { fill: var(--good); } .fill.warning { fill: var(--warning); } .fill.bad { fill: var(--bad); }
.sub, .note { color: var(--soft); } .sub { margin: .7rem 0 0; } .note { margin: .5rem 0 0; font-size: .92rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } .wide + .wide { margin-top: 1.2rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: .35rem .6rem; border-top: 1px solid var(--line); text-align: right; white-space: nowrap; }
thead th, thead td { border-top: 0; color: var(--soft); font-weight: 500; }
th:first-child, td:first-child { padding-left: 0; text-align: left; }
tbody th { max-width: 22rem; overflow: hidden; text-overflow: ellipsis; font-weight: 500; }
tr.warning th { color: var(--warning); } tr.bad th { color: var(--bad); } tr.good th { color: var(--good); }
td.bar { width: 40%; min-width: 5rem; padding-right: 0; } td.bar svg { display: block; width: 100%; height: .8rem; }
.failures { margin: 0; padding: 0; list-style: none; } .failures li + li { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.failures p { margin: .25rem 0 0; overflow-wrap: anywhere; } .times { color: var(--bad); }
blockquote { margin: .4rem 0 0; padding-left: .8rem; border-left: 3px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: .9rem/1.4 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--plain); outline-offset: 2px; }
@media (max-width: 40rem) { h1 small { display: block; margin: .3em 0 0; } section { padding: .9rem; } th, td { padding: .3rem .45rem; } td.bar { min-width: 4rem; } }
@media print { section { break-inside: avoid; } }
`;
