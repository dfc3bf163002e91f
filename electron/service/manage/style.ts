/** The look of the shop's own pages: the till's colours, lists and words, forms of one column. */
import { BASE_CSS } from '../html/base-style.ts'
import { createStyle } from '../html/document.ts'

export const MANAGE_STYLE = createStyle(`
${BASE_CSS}
:root {
  --accent-ground: color-mix(in srgb, var(--accent) 8%, var(--sheet));
  --danger-ground: color-mix(in srgb, var(--danger) 7%, var(--sheet));
  --bar: color-mix(in srgb, var(--muted) 45%, var(--paper));
}
body {
  display: grid; grid-template-rows: auto 1fr auto; margin: 0; min-block-size: 100vh; min-block-size: 100dvh;
  background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
.skip { position: absolute; inset-block-start: -100px; inset-inline-start: 16px; padding: 12px 16px; background: var(--sheet); z-index: 1; }
.skip:focus { inset-block-start: 8px; }
a { color: var(--accent); }
svg { flex: none; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 1.75;
  stroke-linecap: round; stroke-linejoin: round; }
[dir='rtl'] .back svg { transform: scaleX(-1); }
header { display: flex; align-items: center; justify-content: space-between; gap: 16px; min-block-size: 64px; padding: 8px 16px; border-block-end: 1px solid var(--line); }
.shop { display: flex; align-items: center; gap: 12px; min-block-size: 48px; min-inline-size: 0; color: inherit; font-size: 1.125rem; line-height: 1.3; font-weight: 650; text-decoration: none; }
.shop bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.shop img { flex: none; inline-size: 40px; block-size: 40px; border-radius: 10px; object-fit: contain; }
main { min-inline-size: 0; inline-size: 100%; max-inline-size: 1000px; padding: 24px 16px 48px; }
body:not(.signed-in) { display: flex; flex-direction: column; }
body:not(.signed-in) main { flex: 1; max-inline-size: 472px; margin-inline: auto; }
h1 { font-size: 1.75rem; line-height: 1.25; font-weight: 650; margin-block: 0 16px; text-wrap: balance; }
h2 { font-size: 1.125rem; line-height: 1.3; font-weight: 650; margin-block: 40px 8px; text-wrap: balance; }
h1 + h2 { margin-block-start: 24px; }
p { margin-block: 0 16px; text-wrap: pretty; max-inline-size: 640px; }
bdi[dir], .number { white-space: nowrap; font-variant-numeric: tabular-nums; }
/* The code of an offline slip is longer than a phone is wide. */
bdi.long { white-space: normal; }
.muted { color: var(--muted); }
.warning { max-inline-size: 640px; padding-inline-start: 12px; border-inline-start: 4px solid var(--danger); }
.check { display: flex; align-items: center; gap: 12px; min-block-size: 44px; }
.check input { inline-size: 24px; block-size: 24px; min-block-size: 24px; flex: none; }
.back { margin-block: 0 8px; }
.back a { display: inline-flex; align-items: center; gap: 8px; min-block-size: 44px; }
main > .done, main > .fault { padding: 12px 16px; border-radius: 10px; font-weight: 550; }
main > .done { display: flex; align-items: center; gap: 8px; color: var(--accent); background: var(--accent-ground); }
main > .fault { color: var(--danger); background: var(--danger-ground); }
label { display: block; font-weight: 550; margin-block-end: 4px; text-wrap: balance; }
.field { margin-block-end: 20px; }
.field p { margin-block: 8px 0; font-size: 0.875rem; line-height: 1.4; }
.field .fault { margin-block: 0 8px; color: var(--danger); font-weight: 550; }
input:not([type='hidden'], [type='checkbox']), select, textarea {
  inline-size: 100%; min-block-size: 48px; padding: 8px 12px; font: inherit; font-size: 1.125rem; text-align: start;
  color: inherit; background: var(--sheet); border: 1px solid var(--muted); border-radius: 10px;
}
input[aria-invalid], select[aria-invalid] { border: 2px solid var(--danger); }
input[type='file'] { padding: 10px 12px; font-size: 1rem; }
form { margin: 0; }
fieldset { margin: 0 0 20px; padding: 0; border: 0; min-inline-size: 0; }
legend { padding: 0; margin-block-end: 8px; font-weight: 650; }
.days { display: flex; flex-wrap: wrap; gap: 0 16px; }
.days legend { margin-block-end: 0; font-weight: 550; }
.days .fault { flex-basis: 100%; margin: 0; color: var(--danger); font-weight: 550; }
.days .check { flex: none; gap: 8px; margin: 0; font-weight: 400; white-space: nowrap; }
.menu { flex: none; }
form + p, form + .rows, .rows + form, .rows + p, .rows + .buttons { margin-block-start: 20px; }
.rows + .figures { margin-block-start: 40px; }
.narrow { max-inline-size: 440px; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-block-size: 48px; padding: 8px 20px;
  font: inherit; font-size: 1rem; font-weight: 600; line-height: 1.3; text-align: center; text-decoration: none;
  border-radius: 10px; cursor: pointer; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
}
.quiet, .confirm .button { color: var(--ink); background: var(--sheet); border-color: var(--muted); }
.danger { color: var(--danger); background: var(--sheet); border-color: var(--danger); }
.buttons { display: flex; flex-wrap: wrap; gap: 12px; max-inline-size: none; }
.confirm { padding: 20px; border: 1px solid var(--line); border-radius: 10px; background: var(--sheet); max-inline-size: 640px; }
.confirm > :last-child { margin-block-end: 0; }
/* One field and its button in a line. */
.line { display: flex; flex-wrap: wrap; align-items: end; gap: 12px; max-inline-size: 640px; margin-block-end: 16px; }
.line .field { flex: 1 1 200px; margin-block-end: 0; }
.line.pair .field { flex-basis: 140px; }
ul { list-style: none; margin: 0; padding: 0; }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 16px; min-block-size: 60px; padding-block: 10px; border-block-end: 1px solid var(--line); }
.rows > li > :first-child { flex: 1 1 180px; min-inline-size: 0; }
.rows a.whole { display: block; min-block-size: 44px; padding-block: 10px; color: inherit; text-decoration: none; font-weight: 550; }
.rows a.whole:hover { text-decoration: underline; }
.rows .below, td .below { display: block; font-size: 0.875rem; font-weight: 400; color: var(--muted); }
.rows .number { flex: none; font-weight: 600; }
.rows .off { color: var(--muted); }
.steps svg { color: var(--accent); }
.rows button, .rows .button { min-block-size: 44px; padding: 6px 14px; font-weight: 550; }
.rows .arrow { inline-size: 44px; padding: 0; }
.rows .acts { display: flex; flex-wrap: wrap; gap: 8px; }
.rows .acts button:not(.arrow) { min-inline-size: 184px; }
.figures { display: flex; flex-wrap: wrap; gap: 24px 48px; margin-block: 0 24px; }
.figures > div { min-inline-size: 120px; }
.figures dt { color: var(--muted); overflow-wrap: normal; }
.figures dd { margin: 0; overflow-wrap: normal; font-size: 2.25rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; }
.figures dd a { color: inherit; text-decoration-thickness: 1px; text-underline-offset: 6px; }
.figures .below { display: block; font-size: 0.875rem; line-height: 1.5; font-weight: 400; color: var(--muted); }
.secret { font-size: 2rem; line-height: 1.3; font-weight: 650; letter-spacing: 0.06em; font-variant-numeric: tabular-nums; }
.address { padding: 12px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--sheet); max-inline-size: 640px; user-select: all; }
.logo { display: block; inline-size: 96px; block-size: 96px; border-radius: 10px; object-fit: contain; }
/* The bars fill the width; the words beside them keep their size. */
.chart svg { display: block; inline-size: 100%; block-size: 180px; border-block: 1px solid var(--line); }
.chart rect { fill: var(--accent); stroke: none; }
.chart .issued { fill: var(--bar); }
.chart p { display: flex; justify-content: space-between; margin: 4px 0 0; max-inline-size: none; font-size: 0.875rem; color: var(--muted); }
.key { display: flex; flex-wrap: wrap; gap: 4px 24px; font-size: 0.875rem; color: var(--muted); }
.key span::before { content: ''; display: inline-block; inline-size: 12px; block-size: 12px; margin-inline-end: 8px; border-radius: 2px; background: var(--accent); }
.key .issued::before { background: var(--bar); }
summary { cursor: pointer; min-block-size: 44px; display: flex; align-items: center; color: var(--accent); }
table { border-collapse: collapse; white-space: nowrap; font-variant-numeric: tabular-nums; }
th, td { padding-block: 8px; padding-inline: 0 16px; text-align: start; border-block-end: 1px solid var(--line); font-weight: 400; }
th, th.number { color: var(--muted); white-space: normal; overflow-wrap: break-word; vertical-align: bottom; }
/* Digits are written from left to right in Arabic, too: the ones stand below one another. */
td.number, th.number, .entries .number { text-align: right; }
.scroll { max-inline-size: 100%; overflow-x: auto; }
progress { appearance: none; display: block; inline-size: 100%; max-inline-size: 640px; block-size: 8px; border: 0; border-radius: 4px; overflow: hidden; background: var(--line); margin-block-end: 8px; }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
#sections { margin: 0; padding: 8px; border: 1px solid var(--line); background: var(--paper); color: var(--ink); }
#sections a { display: flex; align-items: center; gap: 12px; min-block-size: 48px; padding: 4px 12px; border-radius: 10px; color: inherit; text-decoration: none; }
#sections a:hover { background: var(--sheet); }
.scroll + .buttons { margin-block-start: 16px; }
td:first-child { min-inline-size: 8em; white-space: normal; }
#sections [aria-current], .buttons [aria-current] { color: var(--accent); background: var(--accent-ground); font-weight: 600; }
.me { margin-block-start: 8px; padding-block-start: 8px; border-block-start: 1px solid var(--line); }
.me form { padding: 4px 12px; }
footer { padding: 8px 16px; border-block-start: 1px solid var(--line); font-size: 0.875rem; }
footer ul { display: flex; flex-wrap: wrap; gap: 0 20px; justify-content: center; }
footer a, footer button { display: flex; align-items: center; min-inline-size: 44px; min-block-size: 44px; padding: 0; font: inherit; color: var(--muted); background: none; border: 0; text-decoration: none; }
footer a:hover, footer button:hover { text-decoration: underline; }
footer [aria-current] { color: var(--ink); font-weight: 650; }
/* Numbers in two columns and a menu below the header, on a phone. */
@media (max-width: 56.2em) {
  .figures { column-gap: 32px; }
  .figures > div { flex: 1 1 0; display: flex; flex-direction: column; justify-content: flex-end; min-inline-size: min-content; }
  .figures dd { font-size: clamp(1.5rem, 8.5vw, 1.875rem); white-space: nowrap; }
  .figures.even { display: grid; grid-template-columns: 1fr 1fr; column-gap: 16px; row-gap: 0; }
  .figures.even > div { display: grid; grid-row: span 2; grid-template-rows: subgrid; justify-content: normal; min-inline-size: 0; padding-block-end: 20px; }
  .entries > li { display: grid; grid-template-columns: 1fr minmax(5ch, auto); }
  .entries .button { grid-column: 1 / -1; justify-self: start; }
  table { inline-size: 100%; font-size: 0.875rem; }
  th, td { padding-inline-end: 8px; }
  th:last-child, td:last-child { padding-inline-end: 0; }
  #sections { inset: 64px 0 auto; inline-size: 100%; max-block-size: calc(100dvh - 64px); overflow-y: auto; box-shadow: 0 8px 24px var(--shadow); }
}
/* A table whose numbers have their names beside them: on a phone its columns would not fit. */
@media (max-width: 30em) {
  .named thead { display: none; }
  .named, .named :is(tbody, tr, td) { display: block; }
  .named tr { padding-block: 8px; border-block-end: 1px solid var(--line); }
  .named td { padding: 0; border: 0; }
  .named td.number { display: flex; gap: 16px; align-items: baseline; min-block-size: 32px; white-space: normal; }
  .named td.number::before { content: attr(data-name); flex: 1; text-align: start; color: var(--muted); }
  .named td.number .below { min-inline-size: 8em; }
}
/* A rail, where there is room. */
@media (min-width: 56.25em) {
  .signed-in { grid-template-columns: 232px 1fr; }
  .signed-in > header { grid-column: 1 / -1; }
  .signed-in > footer { grid-column: 1 / -1; }
  .signed-in > main { grid-column: 2; }
  .menu { display: none; }
  #sections { display: flex; flex-direction: column; justify-content: space-between; position: static; inline-size: auto; block-size: auto; padding: 16px 12px; border: 0; border-inline-end: 1px solid var(--line); overflow: visible; }
  /* A menu that is open when a tablet is turned stays above the page, and so takes no room of it. */
  #sections:popover-open { position: fixed; inset: 64px auto 0; inset-inline-start: 0; inline-size: 232px; }
  main { padding: 32px 40px 64px; }
  .entries { display: grid; grid-template-columns: 1fr auto auto; }
  .entries > li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; }
}
/* The sections and who is signed in stay in sight on a long page. */
@media (min-width: 56.25em) and (min-height: 40em) {
  #sections > ul { position: sticky; inset-block-start: 16px; }
  .me { position: sticky; inset-block-end: 16px; }
}
`)
