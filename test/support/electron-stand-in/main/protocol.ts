import { runtime } from '../runtime.ts'
import { refuse, strict } from '../strict.ts'
import { ownSchemes, type Privileges } from './scheme-map.ts'

/** Answers a request for an address of the app's own scheme. */
type ProtocolHandler = (request: Request) => Response | Promise<Response>

const handlers = new Map<string, ProtocolHandler>()

/** The handler of an address's scheme, if the app registered one. */
export function protocolHandler(url: string): ProtocolHandler | undefined {
  return handlers.get(url.slice(0, url.indexOf(':')).toLowerCase())
}

const PRIVILEGES = new Set(['standard', 'secure', 'supportFetchAPI', 'codeCache'])

interface CustomScheme {
  readonly scheme: string
  readonly privileges?: Privileges & { readonly codeCache?: boolean }
}

function isCustomScheme(value: unknown): value is CustomScheme {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'scheme') === 'string'
}

/** Electron's `protocol`. */
export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes: unknown): void {
    if (runtime.ready) {
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    }
    if (!Array.isArray(schemes) || !schemes.every(isCustomScheme)) {
      throw new Error('Argument must be an array of custom schemes.')
    }
    for (const { scheme, privileges = {} } of schemes) {
      if (privileges.codeCache && !privileges.standard) {
        throw new Error(
          'Code cache can only be enabled when the custom scheme is registered as standard scheme.'
        )
      }
      const unknown = Object.keys(privileges).find((key) => !PRIVILEGES.has(key))
      if (unknown !== undefined) refuse(`the privilege '${unknown}' of a scheme`)
      ownSchemes.set(scheme, privileges)
    }
  },

  handle(scheme: string, handler: ProtocolHandler): void {
    if (!ownSchemes.has(scheme)) refuse(`protocol.handle('${scheme}')`)
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    handlers.set(scheme, handler)
  }
})
