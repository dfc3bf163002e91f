/**
 * The images that links in the API's responses point to, and for sample data the pages. They are not part of the
 * documented interface, need no token, and contain nothing but what the URL contains. `pages/` has those of a shop.
 */
import { Hono } from 'hono'
import { renderAvatar, renderCode, renderLogo } from './images.ts'

/** Route patterns. */
const PUBLIC_PATHS = {
  logo: '/images/logo.png',
  avatar: '/images/avatars/:file{[a-z0-9_]{1,40}\\.png}',
  // A code and its picture. Hono's fast router takes no second pattern at the same place: `pages/` has all of `/q/`.
  code: '/q/:code',
  sampleCode: '/q/:code{[0-9A-Z]{1,40}(?:\\.png)?}',
  join: '/join/:business{[a-z0-9_]{1,40}}'
} as const

/** Where a logo is, by the name of a business's own one, or null. `pages/` serves the own ones. */
export const logoPath = (name: string | null): string =>
  name === null ? PUBLIC_PATHS.logo : `/images/logos/${name}`

/** Creates the links to the public paths below `publicUrl`, an origin such as `http://127.0.0.1:4010`. */
export const createLinks = (publicUrl: string) => {
  const base = publicUrl.replace(/\/+$/, '')
  return {
    /** @param name of a business's own logo; null for the built-in one */
    logo: (name: string | null) => base + logoPath(name),
    join: (businessId: string) => `${base}/join/${businessId}`,
    avatar: (customerId: string) => `${base}/images/avatars/${customerId}.png`,
    code: (code: string) => `${base}/q/${code}`,
    codeImage: (code: string) => `${base}/q/${code}.png`
  }
}

export type Links = ReturnType<typeof createLinks>

const respondPng = (png: Uint8Array<ArrayBuffer>): Response =>
  new Response(png, { headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' } })

const withoutExtension = (file: string): string => file.replace(/\.png$/, '')

/** The name of a code's picture. */
const CODE_IMAGE = /^[0-9A-Z]{1,40}\.png$/

/** What the pages of sample data say. */
const TEXTS = {
  code: (code: string) => `TRAINING - NO VALUE\n\nThis is the training code ${code}. It carries no points.\n`,
  join: 'TRAINING - NO VALUE\n\nThere is no business to join here.\n'
} as const

/** @param isSample whether the businesses are sample data, whose pages are served here */
export const createPublicRoutes = (links: Links, isSample: boolean): Hono => {
  const routes = new Hono()
  routes.get(PUBLIC_PATHS.logo, () => respondPng(renderLogo()))
  routes.get(PUBLIC_PATHS.avatar, (c) => respondPng(renderAvatar(withoutExtension(c.req.param('file')))))
  routes.get(isSample ? PUBLIC_PATHS.sampleCode : PUBLIC_PATHS.code, (c, next) => {
    const code = c.req.param('code')
    if (CODE_IMAGE.test(code)) return respondPng(renderCode(links.code(withoutExtension(code))))
    return isSample ? c.text(TEXTS.code(code)) : next()
  })
  if (isSample) routes.get(PUBLIC_PATHS.join, (c) => c.text(TEXTS.join))
  return routes
}
