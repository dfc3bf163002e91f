/** The look of the pages: the till's colours and sizes (renderer/src/styles/tokens.css), without script and web fonts. */
import { createHash } from 'node:crypto'

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --sheet: #fff; --ink: #1b1b18; --muted: #66645c; --line: #e2ded3;
  --accent: #0b6b4f; --on-accent: #fff; --danger: #b3261e; --edge: #66645c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151513; --sheet: #1e1e1b; --ink: #f2f0ea; --muted: #a5a298; --line: #34332e;
    --accent: #4cc79c; --on-accent: #10231c; --danger: #ff8a80; --edge: #a5a298;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 16px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
header, main, footer { max-inline-size: 480px; margin-inline: auto; }
header { display: flex; align-items: center; gap: 12px; margin-block: 8px 24px; font-size: 20px; font-weight: 650; }
header img { inline-size: 44px; block-size: 44px; border-radius: 10px; }
h1 { font-size: 28px; line-height: 1.2; font-weight: 650; margin-block: 0 12px; }
h2 { font-size: 18px; font-weight: 650; margin-block: 32px 8px; }
p { margin-block: 0 16px; }
.sheet {
  background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: 24px;
}
.sheet > :last-child { margin-block-end: 0; }
.figure { font-size: 44px; line-height: 1.1; font-weight: 650; margin-block: 4px 16px; color: var(--accent); }
.digits { font-size: 44px; letter-spacing: 0.12em; font-weight: 650; font-variant-numeric: tabular-nums; }
.muted { color: var(--muted); }
.fault { color: var(--danger); margin-block: 4px 0; }
label { display: block; font-weight: 550; margin-block-end: 4px; }
.field { margin-block-end: 16px; }
input:not([type='hidden']) {
  inline-size: 100%; min-block-size: 48px; padding: 8px 12px; font: inherit; font-size: 18px;
  color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: 10px;
}
input[aria-invalid] { border-color: var(--danger); }
button, .button {
  display: block; inline-size: 100%; min-block-size: 52px; padding: 12px 16px; font: inherit; font-size: 18px;
  font-weight: 550; text-align: center; text-decoration: none; border-radius: 10px; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
}
.quiet { color: var(--ink); background: var(--sheet); border-color: var(--edge); }
.danger { color: var(--sheet); background: var(--danger); border-color: var(--danger); }
form + form, form + .button, .button + form, .button + .button, .sheet + .button, .sheet + form { margin-block-start: 12px; }
ul { list-style: none; margin: 0; padding: 0; }
.rows > li {
  display: flex; justify-content: space-between; align-items: center; gap: 16px;
  padding-block: 12px; border-block-end: 1px solid var(--line);
}
.rows .muted { font-size: 14px; }
.rows .number { font-weight: 550; font-variant-numeric: tabular-nums; }
.rows form, .rows .number { flex: none; margin: 0; }
.rows button { inline-size: auto; min-block-size: 44px; font-size: 16px; padding: 8px 16px; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
footer { margin-block: 40px 16px; font-size: 14px; }
footer ul { display: flex; flex-wrap: wrap; gap: 4px; margin-inline: -10px; }
footer a { display: inline-block; padding: 10px; }
footer [aria-current] { color: var(--muted); text-decoration: none; }
`

/** The style's source in a Content-Security-Policy (CSP Level 3, 2.3.1). */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
