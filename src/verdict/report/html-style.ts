/**
 * The page's stylesheet. One type scale (13, 15, 19, 28 px), one spacing scale (4, 8, 16, 24, 48 px), and two accent colors: good and bad.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1d1f23; --faint: #5b616b; --line: #dcd9d1;
  --well: #0b6b5b; --well-soft: #e0f1ed; --amiss: #b3261e; --amiss-soft: #fbe9e7; --plain-soft: #eceae4;
  --small: 0.8125rem; --body: 0.9375rem; --large: 1.1875rem; --huge: 1.75rem;
  --d1: 0.25rem; --d2: 0.5rem; --d3: 1rem; --d4: 1.5rem; --d5: 3rem;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --card: #1e2125; --ink: #eceae6; --faint: #a5abb5; --line: #373b42;
    --well: #5fd0b8; --well-soft: #173630; --amiss: #ff9a8f; --amiss-soft: #442421; --plain-soft: #2a2e34;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: var(--body)/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main, header { max-width: 64rem; margin: 0 auto; padding: 0 var(--d4); }
header { padding-top: var(--d5); }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: var(--huge); line-height: 1.2; letter-spacing: -0.01em; }
h2 { font-size: var(--large); line-height: 1.3; }
h3 { font-size: var(--small); letter-spacing: 0.06em; text-transform: uppercase; color: var(--faint); margin: var(--d4) 0 var(--d2); }
h4 { font-size: var(--body); line-height: 1.4; }
ul, ol { list-style: none; }
a { color: inherit; text-decoration-color: var(--faint); text-underline-offset: 0.2em; }
a:focus-visible { outline: 2px solid var(--well); outline-offset: 2px; }
bdi { overflow-wrap: anywhere; white-space: pre-wrap; }
.brand { font-size: var(--small); color: var(--faint); margin-bottom: var(--d2); }
.faint { color: var(--faint); }
.small { font-size: var(--small); }
.mono, .id { font-family: var(--mono); font-size: var(--small); font-variant-numeric: tabular-nums; }
.id { color: var(--faint); overflow-wrap: anywhere; }
.unseen { font: var(--small) var(--mono); background: var(--plain-soft); border-radius: 0.2rem; padding: 0 var(--d1); }
.is-well { color: var(--well); }
.is-amiss { color: var(--amiss); }
.counts { color: var(--faint); margin-top: var(--d2); }
.run-details { display: flex; flex-wrap: wrap; gap: var(--d1) var(--d4); margin-top: var(--d3); font-size: var(--small); }
.run-details div { display: flex; gap: var(--d2); min-width: 0; }
dt { color: var(--faint); }
.badge {
  flex: none; align-self: flex-start; display: inline-block; min-width: 7.75rem; padding: 0 var(--d2); border-radius: 0.25rem; text-align: center;
  font-size: var(--small); font-weight: 600; line-height: 1.5rem; background: var(--plain-soft); color: var(--ink);
}
.badge.well { background: var(--well-soft); color: var(--well); }
.badge.amiss { background: var(--amiss-soft); color: var(--amiss); }
.finding { border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); padding: var(--d3); }
.finding + .finding { margin-top: var(--d3); }
.finding > .head { display: flex; gap: var(--d3); }
.finding > dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: var(--d1) var(--d3); margin-top: var(--d2); }
.finding > dl dd { grid-column: 2; }
.covered { margin-top: var(--d4); color: var(--faint); }
details { border-top: 1px solid var(--line); padding: var(--d2) 0; }
details:target { background: var(--plain-soft); }
summary { cursor: pointer; }
.exchanges { padding: var(--d2) var(--d3); }
table { border-collapse: collapse; }
.matrix td { text-align: center; font-family: var(--mono); }
.matrix caption { text-align: left; font-size: var(--small); color: var(--faint); padding-bottom: var(--d2); }
th { font-weight: 600; text-align: left; font-size: var(--small); color: var(--faint); padding: var(--d1) var(--d3); border-bottom: 1px solid var(--ink); }
td { vertical-align: top; padding: var(--d2) var(--d3); }
.entry { border-left: 3px solid var(--well); padding-left: var(--d3); }
.entry.amiss { border-left-color: var(--amiss); }
.entry p + p { margin-top: 0; }
@media screen and (max-width: 40rem) {
  main, header { padding: 0 var(--d3); }
  header { padding-top: var(--d4); }
  .finding > dl { display: block; }
  .finding > dl dd { margin-bottom: var(--d2); }
}
@media print {
  @page { margin: 16mm 14mm; }
  :root { --paper: #ffffff; --small: 8pt; --body: 9.5pt; --large: 13pt; --huge: 19pt; --d5: 1.5rem; }
  body { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main, header { max-width: none; padding: 0; }
  h2, h3, h4, caption { break-after: avoid; }
  thead { display: table-header-group; }
  a { text-decoration: none; }
}
`;

/** The stylesheet's hash, for the page's content security policy, which allows nothing else. */
export const STYLE_HASH = "sha256-D1RsVOQybS0OrRYSkaDlyac22QOzkrBm80nGvlFJFHY=";
