/**
 * The images that links in the API's responses point to, and for sample data the pages. They are not part of the
 * documented interface, need no token, and contain nothing but what the URL contains. `pages/` has those of a shop.
 */
import { Hono } from 'hono'
import { initialsOf } from '../../contract/text.ts'
import { encodeQr } from '../../images/qr-code.ts'
import { qrPng } from '../../images/qr-png.ts'
import { renderAvatar, renderInitials, renderSampleLogo } from './images.ts'

/** Route patterns. */
const PUBLIC_PATHS = {
  sampleLogo: '/images/logo.png',
  initials: '/images/initials/:letters',
  avatar: '/images/avatars/:file{[a-z0-9_]{1,40}\\.png}',
  // A code and its picture. Hono's fast router takes no second pattern at the same place: `pages/` has all of `/q/`.
  code: '/q/:code',
  sampleCode: '/q/:code{[0-9A-Z]{1,40}(?:\\.png)?}',
  join: '/join/:business{[a-z0-9_]{1,40}}'
} as const

/** Where a business's logo is, by its name. `pages/` serves it. */
export const logoPath = (name: string): string => `/images/logos/${name}`

/** Where the mark of a business is that must have one, as an icon: its logo, or the initials of its name. */
export const markPath = ({ name, logo }: { readonly name: string; readonly logo: string | null }): string =>
  logo === null ? `/images/initials/${encodeURIComponent(initialsOf(name, 'en'))}` : logoPath(logo)

/**
 * Creates the links to the public paths below `publicUrl`, an origin such as `http://127.0.0.1:4010`.
 * @param isSample whether the businesses are sample data, which has a logo
 */
export const createLinks = (publicUrl: string, isSample = false) => {
  const base = publicUrl.replace(/\/+$/, '')
  return {
    /** Empty for a business without a logo. */
    logo: (name: string | null) => {
      if (name !== null) return base + logoPath(name)
      return isSample ? base + PUBLIC_PATHS.sampleLogo : ''
    },
    join: (businessId: string) => `${base}/join/${businessId}`,
    avatar: (customerId: string) => `${base}/images/avatars/${customerId}.png`,
    code: (code: string) => `${base}/q/${code}`,
    codeImage: (code: string) => `${base}/q/${code}.png`
  }
}

export type Links = ReturnType<typeof createLinks>

/** The letters are escaped, and no script in the image would run. */
const respondInitials = (letters: string): Response =>
  new Response(renderInitials(letters), {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': "default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=86400'
    }
  })

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
  routes.get(PUBLIC_PATHS.initials, (c) => respondInitials(c.req.param('letters').slice(0, 32)))
  routes.get(PUBLIC_PATHS.avatar, (c) => respondPng(renderAvatar(withoutExtension(c.req.param('file')))))
  routes.get(isSample ? PUBLIC_PATHS.sampleCode : PUBLIC_PATHS.code, (c, next) => {
    const code = c.req.param('code')
    const link = links.code(withoutExtension(code))
    if (CODE_IMAGE.test(code)) return respondPng(Uint8Array.from(qrPng(encodeQr(link))))
    return isSample ? c.text(TEXTS.code(code)) : next()
  })
  if (isSample) {
    routes.get(PUBLIC_PATHS.sampleLogo, () => respondPng(renderSampleLogo()))
    routes.get(PUBLIC_PATHS.join, (c) => c.text(TEXTS.join))
  }
  return routes
}
