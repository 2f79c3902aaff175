/** The reference's stylesheet: one type scale (13, 15, 18, 28 px), one spacing scale (4, 8, 16, 24 px), one accent color. */
export const REFERENCE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f5; --card: #ffffff; --line: #d8ddd6; --text: #16201b; --quiet: #55625b; --accent: #0b6e4f; --warm: #a04a06; --bad: #b3261e;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1512; --card: #161e1a; --line: #33403a; --text: #e8eeea; --quiet: #a3b1aa; --accent: #5cc9a0; --warm: #f2a65a; --bad: #ff9a91;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 0.9375rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header, .columns { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0.25rem 0 0.5rem; }
h2 { font-size: 1.125rem; margin: 1.5rem 0 0.5rem; }
h3 { font-size: 0.9375rem; margin: 0; overflow-wrap: anywhere; }
h4 { font-size: 0.8125rem; color: var(--quiet); margin: 1rem 0 0.25rem; }
p { margin: 0.25rem 0; max-width: 48rem; }
a { color: var(--accent); }
code { font: 0.8125rem var(--mono); overflow-wrap: anywhere; }
.quiet { color: var(--quiet); font-size: 0.8125rem; }
.for-readers { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.75rem 1rem; margin: 0 0 0.5rem; }
.method { font: bold 0.8125rem var(--mono); color: var(--accent); }
.post, .put, .patch { color: var(--warm); }
.delete { color: var(--bad); }
summary { cursor: pointer; color: var(--quiet); font-size: 0.8125rem; padding: 0.25rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.8125rem; }
th, td { text-align: left; vertical-align: top; border-top: 1px solid var(--line); padding: 0.25rem 1rem 0.25rem 0; font-weight: normal; }
thead th { color: var(--quiet); border: 0; }
tbody th { min-width: 10rem; }
td { min-width: 8rem; }
em { color: var(--warm); font-style: normal; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 1.5rem; }
  nav ul { position: sticky; top: 1.5rem; display: block; }
}
@media print { details > * { display: block; } nav { display: none; } }
`;
