/** The icons of the shop's pages (lucide, ISC licence). */
import { html } from 'hono/html'
import type { Html } from '../html/document.ts'

const icon = (paths: Html): Html => html`<svg viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`

export const ICONS = {
  // chart-column
  today: icon(html`<path d="M3 3v16a2 2 0 0 0 2 2h16M18 17V9M13 17V5M8 17v-3" />`),
  // users
  customers: icon(
    html`<path
        d="M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M22 21v-2a4 4 0 0 0-3-3.87M16 3.13a4 4 0 0 1 0 7.75"
      />
      <circle cx="9" cy="7" r="4" />`
  ),
  // qr-code
  codes: icon(
    html`<rect width="5" height="5" x="3" y="3" rx="1" /><rect width="5" height="5" x="16" y="3" rx="1" />
      <rect width="5" height="5" x="3" y="16" rx="1" />
      <path
        d="M21 16h-3a2 2 0 0 0-2 2v3M21 21v.01M12 7v3a2 2 0 0 1-2 2H7M3 12h.01M12 3h.01M12 16v.01M16 12h1M21 12v.01M12 21v-1"
      />`
  ),
  // gift
  rewards: icon(
    html`<rect x="3" y="8" width="18" height="4" rx="1" />
      <path
        d="M12 8v13M19 12v7a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-7M7.5 8a2.5 2.5 0 0 1 0-5A4.8 8 0 0 1 12 8a4.8 8 0 0 1 4.5-5 2.5 2.5 0 0 1 0 5"
      />`
  ),
  // percent
  rules: icon(
    html`<path d="M19 5 5 19" /><circle cx="6.5" cy="6.5" r="2.5" /><circle cx="17.5" cy="17.5" r="2.5" />`
  ),
  // monitor
  tills: icon(html`<rect width="20" height="14" x="2" y="3" rx="2" /><path d="M8 21h8M12 17v4" />`),
  // store
  profile: icon(
    html`<path
        d="m2 7 4.41-4.41A2 2 0 0 1 7.83 2h8.34a2 2 0 0 1 1.42.59L22 7M4 12v8a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-8"
      />
      <path
        d="M15 22v-4a2 2 0 0 0-2-2h-2a2 2 0 0 0-2 2v4M2 7h20M22 7v3a2.7 2.7 0 0 1-5.3 0 2.7 2.7 0 0 1-4.7 0 2.7 2.7 0 0 1-4.7 0A2.7 2.7 0 0 1 2 10V7"
      />`
  ),
  // database
  data: icon(
    html`<ellipse cx="12" cy="5" rx="9" ry="3" /><path d="M3 5v14a9 3 0 0 0 18 0V5M3 12a9 3 0 0 0 18 0" />`
  ),
  // key-round
  staff: icon(
    html`<path
        d="M2.6 17.4A2 2 0 0 0 2 18.8V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.2a2 2 0 0 0 1.4-.6l.8-.8a6.5 6.5 0 1 0-4-4z"
      />
      <circle cx="16.5" cy="7.5" r=".5" />`
  ),
  // circle-user-round
  me: icon(
    html`<path d="M18 20a6 6 0 0 0-12 0" /><circle cx="12" cy="10" r="4" /><circle cx="12" cy="12" r="10" />`
  ),
  // menu
  menu: icon(html`<path d="M4 12h16M4 6h16M4 18h16" />`),
  // arrow-left
  back: icon(html`<path d="m12 19-7-7 7-7M19 12H5" />`),
  // arrow-up, arrow-down
  up: icon(html`<path d="m5 12 7-7 7 7M12 19V5" />`),
  down: icon(html`<path d="M12 5v14M19 12l-7 7-7-7" />`)
} as const
