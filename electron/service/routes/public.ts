/**
 * What the service's own links lead to: pictures, and a page that says what a training code is. Outside the
 * documented interface, without a token, and without a look into the data: everything is drawn from the address.
 */
import { PUBLIC_PATHS, type Links } from '../links.ts'
import { avatarPicture } from '../images/avatar.ts'
import { codePicture } from '../images/code.ts'
import { logoPicture } from '../images/logo.ts'
import type { App } from '../service.ts'

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
