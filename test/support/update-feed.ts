/** An update server with faults. */
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the server delivers the offered file. */
type Serving = 'whole' | 'half' | 'other' | 'elsewhere'

/** A feed on this machine. */
export interface UpdateFeed {
  readonly url: string
  /** requested paths, without queries */
  readonly asked: string[]
  /** headers of the last request */
  headers: Readonly<Record<string, unknown>>
  /**
   * Offers a version as one AppImage. `half`: the connection breaks in the middle; `other`: its bytes are not those of
   * the description; `elsewhere`: it is said to be on a server that is asked without https.
   */
  offer(version: string, file: Buffer, serving?: Serving): void
  close(): Promise<void>
}

const sha512 = (file: Buffer): string => createHash('sha512').update(file).digest('base64')

/** The description as electron-builder writes it. */
const description = (version: string, file: Buffer): string =>
  [
    `version: ${version}`,
    'files:',
    `  - url: ${nameOf(version)}`,
    `    sha512: ${sha512(file)}`,
    `    size: ${file.length}`,
    `path: ${nameOf(version)}`,
    `sha512: ${sha512(file)}`,
    "releaseDate: '2026-11-21T08:00:00.000Z'",
    ''
  ].join('\n')

const nameOf = (version: string): string => `Tillpoints-${version}-linux-x86_64.AppImage`

/** Starts a feed without an offer. */
export async function openUpdateFeed(): Promise<UpdateFeed> {
  let offered: { version: string; file: Buffer; serving: Serving } | null = null
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://feed')
    feed.asked.push(pathname)
    feed.headers = request.headers
    if (offered === null) {
      response.writeHead(404).end()
      return
    }
    const { version, file, serving } = offered
    if (pathname === '/latest-linux.yml') response.end(description(version, file))
    else if (pathname !== `/${nameOf(version)}`) response.writeHead(404).end()
    else if (serving === 'elsewhere')
      response.writeHead(302, { location: 'http://updates.invalid/till' }).end()
    else if (serving === 'other') response.end(Buffer.concat([file, Buffer.from('more')]))
    else if (serving === 'half') {
      response.writeHead(200, { 'content-length': file.length })
      response.write(file.subarray(0, file.length / 2), () => request.socket.destroy())
    } else response.end(file)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const feed: UpdateFeed = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: [],
    headers: {},
    offer(version, file, serving = 'whole') {
      offered = { version, file, serving }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return feed
}
