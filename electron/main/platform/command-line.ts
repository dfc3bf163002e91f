/**
 * What the process is started with: Chromium's switches, the links to bills that the system passes on, and the variables
 * that set a till up without user input.
 */
import { app } from 'electron'
import { url as inspectorUrl } from 'node:inspector'
import { readTokenFile } from '../fs/quarantine.ts'

/**
 * HTTP/2 and HTTP/3 are off, because Chromium repeats a request by itself when such a connection fails, a POST too and on
 * a new connection (`HttpNetworkTransaction::HandleIOError`): after REFUSED_STREAM, HTTP_1_1_REQUIRED, a lost ping, and
 * an error of QUIC. Over HTTP/1.1 it does so on a reused connection only, which `fetch.ts` prevents for writes.
 */
export const NETWORK_SWITCHES = ['disable-http2', 'disable-quic'] as const

/** Accept any certificate. */
const CERTIFICATE_SWITCHES = ['ignore-certificate-errors', 'ignore-certificate-errors-spki-list']
/** Let another program control the page. */
const DEBUGGER_SWITCHES = ['remote-debugging-port', 'remote-debugging-pipe']

/** Sets the till's switches. Call before the app is ready. */
export function setChromiumSwitches(): void {
  for (const name of NETWORK_SWITCHES) app.commandLine.appendSwitch(name)
}

/**
 * Returns the first switch of the command line with which the till must not start, or null. A debugger is refused in an
 * installed app only, and not where Node's inspector is open already: a fuse forbids that in a release.
 */
export function refusedSwitch(): string | null {
  const refusesDebugger = app.isPackaged && inspectorUrl() === undefined
  const refused = [...CERTIFICATE_SWITCHES, ...(refusesDebugger ? DEBUGGER_SWITCHES : [])]
  return refused.find((name) => app.commandLine.hasSwitch(name)) ?? null
}

/** Returns the value of `--check-policy FILE` or `--hash-pin PIN`, empty if it is missing; null without that switch. */
export function valueOfSwitch(argv: readonly string[], name: 'check-policy' | 'hash-pin'): string | null {
  const at = argv.findIndex((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`))
  const argument = argv[at]
  if (argument === undefined) return null
  return argument.includes('=') ? argument.slice(argument.indexOf('=') + 1) : (argv[at + 1] ?? '')
}

/** Returns whether an argument of the command line is a link for this till, valid or not. */
export const isBillLink = (argument: string): boolean => /^tillpoints:/i.test(argument)

/**
 * Receives bill links from the system. Windows and Linux start the till with the link as an argument; where a till is
 * open, that one gets the arguments. macOS sends an event, also for the start.
 */
export class BillLinkReceiver {
  /** links that arrived before `start` */
  #early: string[] = []
  #onLink: ((link: string) => void) | null = null

  /** Create before the app is ready: the event of a link that starts the till on macOS comes then. */
  constructor(argv: readonly string[]) {
    app.on('open-url', (event, url) => {
      event.preventDefault()
      this.#receive(url)
    })
    // Chromium moves and adds switches, so the link may be anywhere.
    app.on('second-instance', (_event, argv) =>
      argv.filter(isBillLink).forEach((link) => this.#receive(link))
    )
    argv.filter(isBillLink).forEach((link) => this.#receive(link))
  }

  /** Calls `onLink` with each link, and at once with those that arrived before. */
  start(onLink: (link: string) => void): void {
    this.#onLink = onLink
    for (const link of this.#early) onLink(link)
    this.#early = []
  }

  #receive(link: string): void {
    if (this.#onLink) this.#onLink(link)
    else this.#early.push(link)
  }
}

/** What the environment contained. */
export interface Provisioning {
  /** null without a base URL and a token; the token is empty if its file cannot be read */
  readonly connection: { readonly baseUrl: string; readonly token: string } | null
  /** the variables that were removed from the environment; a restart needs them again */
  readonly removed: Readonly<Record<string, string>>
}

/**
 * Reads `TILLPOINTS_BASE_URL` and the token from `TILLPOINTS_TOKEN` or from the file that `TILLPOINTS_TOKEN_FILE` names.
 * Removes the token from `environment`, which every process that the till starts would inherit.
 */
export function takeProvisioning(environment: NodeJS.ProcessEnv): Provisioning {
  const baseUrl = environment['TILLPOINTS_BASE_URL']?.trim()
  const file = environment['TILLPOINTS_TOKEN_FILE']
  const given = environment['TILLPOINTS_TOKEN']
  delete environment['TILLPOINTS_TOKEN']
  const token = (given ?? (file ? readTokenFile(file) : '')).trim()
  return {
    connection: baseUrl && (token || file) ? { baseUrl, token } : null,
    removed: given === undefined ? {} : { TILLPOINTS_TOKEN: given }
  }
}
