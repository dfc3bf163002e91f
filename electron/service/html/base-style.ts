/** What all pages of the service look like: the till's colours (renderer/src/styles/tokens.css), without web fonts. */

// The accent and the danger are a little darker than the till's in light: 7:1 for numbers and buttons, read in the sun.
export const BASE_CSS = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --sheet: #ffffff; --ink: #1b1b18; --muted: #66645c; --line: #e2ded3;
  --accent: #0a6249; --on-accent: #ffffff; --danger: #a8231b;
  --shadow: rgb(27 27 24 / 14%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151513; --sheet: #1e1e1b; --ink: #f2f0ea; --muted: #a5a298; --line: #34332e;
    --accent: #4cc79c; --on-accent: #10231c; --danger: #ff8a80;
    --shadow: rgb(0 0 0 / 45%);
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`
