/** `serve`: a shop's own service over HTTP. */
import { API_PREFIX, createServiceApp } from '../api/app.ts'
import { createPairingRoutes } from '../api/pairing.ts'
import { systemRandomBytes } from '../domain/identifiers.ts'
import { emitWarning } from '../index.ts'
import { listen } from '../server.ts'
import type { Database } from '../store/database.ts'
import { InvalidArgumentsError, type ShopCommand } from './command.ts'
import { wholeNumber } from './options.ts'
import { closeOnSignal } from './process.ts'

const serveDatabase = (database: Database, port: number, publicUrl: string | undefined) =>
  listen({
    port,
    ownsProcess: true,
    openService: (origin) => {
      const shared = { database, now: () => new Date(), random: systemRandomBytes }
      const ownOrigin = publicUrl ?? origin
      const app = createServiceApp({
        ...shared,
        publicUrl: ownOrigin,
        isSample: false,
        shopRoutes: createPairingRoutes(shared, ownOrigin + API_PREFIX),
        isExpired: () => false,
        onInternalError: emitWarning
      })
      return Promise.resolve({ fetch: (request) => app.fetch(request), close: () => database.close() })
    }
  })

const parsePublicUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new InvalidArgumentsError(`--public-url must read https://points.example.com, not "${text}"`)
}

export const serveCommand: ShopCommand = {
  name: 'serve',
  summary: 'Serves the businesses over HTTP on this machine (127.0.0.1).',
  options: {
    port: { value: 'PORT', text: 'port to listen on, 0 for any free port (default 4010)' },
    'public-url': {
      value: 'URL',
      text: 'origin by which customers reach the service, for the codes on slips'
    }
  },
  run: async ({ database, option }) => {
    const port = wholeNumber('--port', option('port') ?? '4010', 0, 65_535)
    const publicUrl = option('public-url')
    const server = await serveDatabase(
      database,
      port,
      publicUrl === undefined ? undefined : parsePublicUrl(publicUrl)
    )
    closeOnSignal(server)
    return { text: `listening on ${server.url}`, json: { url: server.url }, isServing: true }
  }
}
