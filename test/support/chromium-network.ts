/**
 * Chromium's own network stack behind the parts of Electron's `net` and `session` that `platform/fetch.ts` uses. The
 * stand-in fetches with Node, whose errors and repetitions are others. Here a page without web security sends each
 * request, so that it passes through Chromium's network service, and fails with the error that `net.fetch` has.
 */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { createHash, X509Certificate } from 'node:crypto'
import { trusted } from './certificates/index.ts'
import { CHROMIUM_MISSING, findChromium } from './chromium.ts'
import { LOOPBACK } from './loopback.ts'

/** SHA-256 of the public key of `trusted`, as Chromium's switch takes it. */
const trustedKey = createHash('sha256')
  .update(new X509Certificate(trusted.cert).publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64')

interface PageResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** One session: its connections are shared with no other. */
class NetworkSession {
  readonly #newContext: () => Promise<BrowserContext>
  #page: Promise<Page> | null = null

  constructor(newContext: () => Promise<BrowserContext>) {
    this.#newContext = newContext
  }

  /** Rejects with `net::ERR_…`, also when the body breaks off. */
  readonly fetch = async (request: Request): Promise<Response> => {
    this.#page ??= this.#newContext().then((context) => context.newPage())
    const page = await this.#page
    const failed = page.waitForEvent('requestfailed', { timeout: 0 })
    // Ends with the page, long after the response.
    failed.catch(() => undefined)
    const { url, method, headers } = request
    const sent = {
      url,
      method,
      headers: [...headers] as [string, string][],
      body: method === 'POST' ? await request.text() : null
    }
    const response = await page.evaluate(async ({ url, ...init }): Promise<PageResponse | null> => {
      try {
        const received = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' })
        const body = await received.text()
        return { status: received.status, headers: [...received.headers], body }
      } catch {
        return null
      }
    }, sent)
    if (response === null) throw new Error((await failed).failure()?.errorText ?? 'no error')
    const { status, headers: received, body } = response
    return new Response(body === '' ? null : body, { status, headers: Object.fromEntries(received) })
  }

  /** A new context is a new session: no connection survives it. */
  readonly closeAllConnections = async (): Promise<void> => {
    const page = await this.#page
    this.#page = null
    await page?.context().close()
  }
}

/** A Chromium that fetches, and trusts the certificate `trusted`. */
export class ChromiumNetwork {
  /** port of an HTTP proxy on loopback for the following sessions; null for none */
  proxyPort: number | null = null
  readonly net: { readonly fetch: (request: Request) => Promise<Response> }
  readonly session: {
    readonly defaultSession: NetworkSession
    readonly fromPartition: (name: string) => NetworkSession
  }
  readonly #browser: Browser

  /**
   * Starts Chromium. Rejects if the machine has none.
   * @param switches Chromium's switches, without `--`
   */
  static async open(switches: readonly string[]): Promise<ChromiumNetwork> {
    const executablePath = findChromium()
    if (executablePath === undefined) throw new Error(CHROMIUM_MISSING)
    const browser = await chromium.launch({
      executablePath,
      args: [
        '--disable-web-security',
        `--ignore-certificate-errors-spki-list=${trustedKey}`,
        // A name that no test resolves by accident.
        '--host-resolver-rules=MAP nowhere.example ~NOTFOUND',
        ...switches.map((name) => `--${name}`)
      ]
    })
    return new ChromiumNetwork(browser)
  }

  constructor(browser: Browser) {
    this.#browser = browser
    const createSession = (): NetworkSession =>
      new NetworkSession(() =>
        browser.newContext(
          this.proxyPort === null
            ? {}
            : { proxy: { server: `http://${LOOPBACK}:${this.proxyPort}`, bypass: '<-loopback>' } }
        )
      )
    const sessions = new Map<string, NetworkSession>()
    const defaultSession = createSession()
    this.net = { fetch: defaultSession.fetch }
    this.session = {
      defaultSession,
      fromPartition: (name) => {
        const session = sessions.get(name) ?? createSession()
        sessions.set(name, session)
        return session
      }
    }
  }

  close(): Promise<void> {
    return this.#browser.close()
  }
}
