/** The page's stylesheet. One type scale (13, 15, 19, 28 px) and two accent colors: good and bad. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1d1f23; --faint: #5b616b; --line: #dcd9d1;
  --well: #0b6b5b; --amiss: #b3261e; --plain: #eceae4;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --card: #1e2125; --ink: #eceae6; --faint: #a5abb5; --line: #373b42;
    --well: #5fd0b8; --amiss: #ff9a8f; --plain: #2a2e34;
  }
}
* { box-sizing: border-box; }
body {
  max-width: 66rem; margin: 0 auto; padding: 2rem 1rem; background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, p, ul, ol, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { font-size: 1.1875rem; line-height: 1.3; }
h3, th, .small, .mono, .id, caption { font-size: 0.8125rem; }
ul, ol { list-style: none; }
a { color: inherit; text-underline-offset: 0.2em; }
bdi { overflow-wrap: anywhere; white-space: pre-wrap; }
dt, h3, th, caption, .faint, .id, .covered { color: var(--faint); }
.mono, .id, .unseen, .matrix td { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, monospace; }
.unseen { background: var(--plain); border-radius: 0.2rem; padding: 0 0.25rem; }
.is-well { color: var(--well); }
.is-amiss { color: var(--amiss); }
.badge { flex: none; min-width: 7.75rem; padding: 0 0.5rem; border-radius: 0.25rem; font-weight: 600; background: var(--plain); }
.badge.well { color: var(--well); }
.badge.amiss { color: var(--amiss); }
.finding { border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); padding: 1rem; margin: 1rem 0; }
.finding > .head { display: flex; align-items: flex-start; gap: 1rem; }
.finding > dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; margin-top: 0.5rem; }
.finding > dl dd { grid-column: 2; }
.covered { margin: 1.5rem 0; }
details { border-top: 1px solid var(--line); padding: 0.5rem 0; }
details:target { background: var(--plain); }
summary { cursor: pointer; }
.exchanges { padding: 0.5rem 1rem; }
.entry { border-left: 3px solid var(--well); padding-left: 1rem; }
.entry.amiss { border-left-color: var(--amiss); }
table { border-collapse: collapse; }
caption, th { text-align: left; }
th, td { padding: 0.25rem 1rem; }
.matrix td { text-align: center; }
@media screen and (max-width: 40rem) { .finding > dl { display: block; } }
@media print {
  :root { --paper: #ffffff; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  h2, h3, caption { break-after: avoid; }
  thead { display: table-header-group; }
}
`;

export const STYLE_HASH = "sha256-zfiIhaxdSnjapMkUzjIdDMy26fhB6FMhEdVEGXuuuxU=";
