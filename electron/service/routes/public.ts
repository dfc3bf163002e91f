import { avatarPicture, codePicture, logoPicture } from '../images.ts'
import type { App } from './api.ts'

/** Addresses that this service hands out. All of them lie outside the documented interface, and need no token. */

/** Path patterns of the public addresses, as the router takes them. */
const PUBLIC_PATHS = {
  logo: '/pictures/logo.png',
  avatar: '/pictures/avatars/:file{[a-z0-9_]{1,40}\\.png}',
  codeImage: '/q/:file{[0-9A-Z]{1,40}\\.png}',
  code: '/q/:code{[0-9A-Z]{1,40}}',
  join: '/join'
} as const

/** Makes links below `publicUrl`, an origin such as `http://127.0.0.1:4010`. */
export const linksBelow = (publicUrl: string) => {
  const base = publicUrl.replace(/\/+$/, '')
  return {
    logo: `${base}/pictures/logo.png`,
    join: `${base}/join`,
    avatar: (customerId: string) => `${base}/pictures/avatars/${customerId}.png`,
    code: (code: string) => `${base}/q/${code}`,
    codeImage: (code: string) => `${base}/q/${code}.png`
  }
}

export type Links = ReturnType<typeof linksBelow>

/* from public.ts:
 * What the service's own links lead to: pictures, and a page that says what a training code is. Outside the
 * documented interface, without a token, and without a look into the data: everything is drawn from the address.
 */

const picture = (png: Uint8Array<ArrayBuffer>): Response =>
  new Response(png, { headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' } })

/** Adds the routes to `app`. */
export const publicRoutes = (app: App, links: Links): void => {
  app.get(PUBLIC_PATHS.logo, () => picture(logoPicture()))
  app.get(PUBLIC_PATHS.avatar, (c) => picture(avatarPicture(c.req.param('file').replace(/\.png$/, ''))))
  app.get(PUBLIC_PATHS.codeImage, (c) =>
    picture(codePicture(links.code(c.req.param('file').replace(/\.png$/, ''))))
  )
  app.get(PUBLIC_PATHS.code, (c) =>
    c.text(`TRAINING - NO VALUE\n\nThis is the training code ${c.req.param('code')}. It carries no points.\n`)
  )
  app.get(PUBLIC_PATHS.join, (c) => c.text('TRAINING - NO VALUE\n\nThere is no business to join here.\n'))
}
