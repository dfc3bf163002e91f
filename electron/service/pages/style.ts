/** The look of the customers' pages: one thing a page, on the paper of a slip. */
import { BASE_CSS } from '../html/base-style.ts'
import { createStyle } from '../html/document.ts'

/** The style sheet of the customers' pages. */
export const STYLE = createStyle(`
${BASE_CSS}
body {
  display: flex; flex-direction: column; margin: 0; padding: 16px; min-block-size: 100vh; min-block-size: 100dvh;
  background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
header, main, footer { inline-size: 100%; max-inline-size: 440px; margin-inline: auto; }
header {
  display: flex; align-items: center; gap: 12px; margin-block: 4px 20px; font-size: 1.125rem; line-height: 1.3; font-weight: 650;
}
header bdi { text-wrap: balance; }
/* A name in Latin or Greek letters stands beside the logo, too. */
[dir='rtl'] header bdi { text-align: right; }
header img { flex: none; inline-size: 48px; block-size: 48px; border-radius: 10px; object-fit: contain; }
main { flex: 1; padding-block-start: 4px; }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; margin-block: 0 12px; text-wrap: balance; }
h2 { font-size: 1.125rem; line-height: 1.3; font-weight: 650; margin-block: 36px 4px; text-wrap: balance; }
p { margin-block: 0 16px; text-wrap: pretty; }
/* Long words of German and Greek, in large type on a narrow phone. */
h1, label, button, .button { hyphens: auto; }
/* The paper of a slip, torn off below: the only thing with a shadow. */
.slip {
  position: relative; margin-block-end: 16px; padding: 24px 24px 20px; background: var(--sheet);
  border: 1px solid transparent; border-radius: 2px 2px 0 0; filter: drop-shadow(0 2px 8px var(--shadow));
}
.slip::after {
  content: ''; position: absolute; inset: 100% -1px auto; block-size: 7px;
  background: conic-gradient(from -45deg at 50% 100%, var(--sheet) 90deg, transparent 0) 50% 0 / 14px 7px;
}
.slip > :last-child { margin-block-end: 0; }
/* A number as large as on the paper; the h1 above it says what it counts. */
.label { margin: 0; font-size: 1rem; font-weight: 550; color: var(--muted); }
.figure { margin-block: 0 16px; font-size: 1.5rem; line-height: 1.15; font-weight: 650; word-spacing: 0.15em; }
/* On a line of its own rather than split, which it is only where it is wider than the page. */
bdi[dir] { display: inline-block; max-inline-size: 100%; }
.figure bdi { font-size: min(3.75rem, 14vw); letter-spacing: -0.02em; }
/* Words in place of a number: Arabic has them for one and two. */
.figure bdi:not([dir]) { font-size: min(2.25rem, 10vw); letter-spacing: 0; }
.digits { font-size: min(3.75rem, 14vw); line-height: 1.2; font-weight: 650; letter-spacing: 0.04em; }
.digits bdi { font-variant-numeric: tabular-nums; }
.digits span + span { margin-inline-start: 0.35em; }
.done { display: flex; align-items: center; gap: 8px; }
.done svg, .label.done { color: var(--accent); }
svg { flex: none; inline-size: 1.25em; block-size: 1.25em; fill: none; stroke: currentColor; stroke-width: 2.25;
  stroke-linecap: round; stroke-linejoin: round; vertical-align: -0.25em; }
/* The frame has the size of the code, and its room before it is loaded. */
.code { display: block; inline-size: min(100%, 240px); aspect-ratio: 1; margin: 0 auto 12px; border: 0; border-radius: 2px; }
.frame { display: block; min-block-size: 0; padding: 0; background: transparent; }
.frame > div { display: grid; align-content: center; block-size: 100vh; padding: 0; }
/* Dark on white in every theme, as scanners read it. */
.qr { display: block; inline-size: 100%; block-size: auto; fill: #000; stroke: none; background: #fff; }
.address { padding: 12px; border: 1px solid var(--line); border-radius: 10px; font-weight: 550; user-select: all; }
.address bdi { white-space: normal; }
hr { margin: 16px -24px 20px; border: 0; border-block-start: 2px dashed var(--line); }
.muted { color: var(--muted); }
.fault { color: var(--danger); }
label { display: block; font-weight: 550; margin-block-end: 4px; }
.field { margin-block-end: 20px; }
.field p { margin-block: 10px 0; font-size: 0.875rem; line-height: 1.4; }
.field .fault { margin-block: 0 8px; font-weight: 550; }
input:not([type='hidden']), select {
  inline-size: 100%; min-block-size: 52px; padding: 8px 12px; font: inherit; font-size: 1.25rem; text-align: start;
  color: inherit; background: var(--sheet); border: 1px solid var(--muted); border-radius: 10px;
}
input[aria-invalid], select[aria-invalid] { border: 2px solid var(--danger); }
button, .button {
  display: block; inline-size: 100%; min-block-size: 52px; padding: 12px 16px; font: inherit; font-size: 1.125rem;
  font-weight: 600; text-align: center; text-wrap: balance; text-decoration: none; border-radius: 10px; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
}
.quiet { color: var(--ink); background: var(--sheet); border-color: var(--muted); }
.danger { color: var(--danger); background: var(--sheet); border-color: var(--danger); }
button + button { margin-block-start: 12px; }
.pair { display: flex; flex-wrap: wrap; align-items: end; gap: 0 12px; margin-block-start: 12px; }
.pair .field { flex: 1 1 8rem; }
form + form, form + .button, .button + form, .button + .button { margin-block-start: 12px; }
ul { list-style: none; margin: 0; padding: 0; }
.rows > li {
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; min-block-size: 56px;
  padding-block: 12px; border-block-end: 1px solid var(--line);
}
/* In large type, what stands beside it goes to a line of its own. */
.rows > li > :first-child { flex: 1 1 8rem; min-inline-size: 0; }
.rows > li > * { max-inline-size: 100%; }
.rows .below { display: block; font-size: 0.875rem; color: var(--muted); }
/* Beside a button, a day has a line of its own, and two on the narrowest phone. */
.day { display: inline-block; }
.rows .can { color: var(--accent); font-weight: 550; }
.rows .number { flex: none; font-weight: 600; font-variant-numeric: tabular-nums; }
.rows form { flex: none; margin: 0; }
.rows :is(button, .button) { inline-size: auto; margin: 0; min-block-size: 44px; padding: 8px 16px; font-size: 1rem; }
progress {
  appearance: none; flex: 1 0 100%; inline-size: 100%; block-size: 4px; margin-block-start: 4px; border: 0;
  border-radius: 2px; overflow: hidden; background: var(--line);
}
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
.slip .rows { margin-block: -8px 16px; }
.rows + .button { margin-block-start: 16px; }
h2 + .button { margin-block-start: 12px; }
h2 + p { margin-block: 0 4px; }
/* The letters of Arabic are smaller. */
:is(.field p, .rows .below):lang(ar) { font-size: 0.9375rem; }
footer { margin-block-start: 40px; padding-block-start: 8px; border-block-start: 1px solid var(--line); font-size: 0.875rem; }
footer ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 6rem), 1fr)); }
footer :is(a, button) {
  display: flex; align-items: center; inline-size: auto; min-inline-size: 44px; min-block-size: 44px; padding: 0; border: 0;
  font: inherit; color: var(--muted); background: none; text-decoration: none;
}
footer :is(a, button):hover { text-decoration: underline; }
footer [aria-current] { color: var(--ink); font-weight: 650; }
/* Nine digits in the widest font. */
@media (max-width: 359px) { .figure bdi { font-size: min(2.5rem, 12.5vw); } }
@media (min-width: 480px) { footer ul { grid-template-columns: repeat(auto-fit, minmax(4.5rem, 1fr)); } }
@media (min-width: 900px) {
  body { padding: 32px; }
  body > :first-child { margin-block-start: min(6vh, 64px); }
  .wide header, .wide main, .wide footer { max-inline-size: 920px; }
  .wide main { display: grid; grid-template: auto 1fr / 420px 1fr; gap: 8px 48px; align-items: start; }
  .more { grid-area: 1 / 2 / span 2 / auto; }
  .more > h2:first-child { margin-block-start: 0; }
}
`)
