/** Caddy of Debian's package, as the proxy before a service, on loopback. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { LOOPBACK } from '../loopback.ts'

const CADDY = '/usr/bin/caddy'
/** Depends on libnss3-tools, by which a Chromium learns to trust an authority. */
export const CADDY_PACKAGE = 'caddy'

/** Returns whether Caddy is installed. */
export const hasCaddy = (): boolean => existsSync(CADDY)

const CADDY_MISSING = `The tests behind a proxy need Caddy: apt-get install --no-install-recommends ${CADDY_PACKAGE}`

/**
 * Returns why the tests behind Caddy are skipped, as one sentence; null when they run. The path is Debian's. With `CI` set they
 * run on Linux in any case, and fail where it is missing.
 */
export const caddySkipReason = (): string | null => {
  if (process.platform !== 'linux')
    return `The tests behind Caddy run on Linux only; this is ${process.platform}.`
  return hasCaddy() || process.env['CI'] ? null : CADDY_MISSING
}

interface CaddyOptions {
  /** made if it is missing; what Caddy keeps is in it, and its process works in it */
  readonly folder: string
  /** a Caddyfile without global options */
  readonly sites: string
  readonly httpPort: number
  readonly httpsPort: number
  /** IP address to listen on; 127.0.0.1 unless given */
  readonly host?: string
}

/** Where a test's Caddy differs from an installed one: ports and folders, and who signs certificates. */
const globalOptions = ({ folder, httpPort, httpsPort, host = LOOPBACK }: CaddyOptions): string => `{
	admin off
	storage file_system ${JSON.stringify(join(folder, 'storage'))}
	http_port ${String(httpPort)}
	https_port ${String(httpsPort)}
	default_bind ${host}
	local_certs
	skip_install_trust
	log cached {
		output stderr
		include tls.cache
		level DEBUG
	}
}
`

export class Caddy {
  readonly #process: ChildProcess
  readonly #folder: string

  private constructor(process: ChildProcess, folder: string) {
    this.#process = process
    this.#folder = folder
  }

  /** Starts Caddy with sites. Resolves when it listens and answers with their certificates. Rejects with what it said if it ends before. */
  static async start(options: CaddyOptions): Promise<Caddy> {
    if (!hasCaddy()) throw new Error(CADDY_MISSING)
    const { folder, sites } = options
    mkdirSync(folder, { recursive: true })
    const config = join(folder, 'Caddyfile')
    writeFileSync(config, globalOptions(options) + sites)
    const child = spawn(CADDY, ['run', '--adapter', 'caddyfile', '--config', config], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe']
    })
    const said: string[] = []
    // A certificate is obtained some time before it is cached, and until then a handshake is refused.
    const awaited = new Set(['serving initial configuration', 'added certificate to cache'])
    for await (const line of createInterface(child.stderr)) {
      said.push(line)
      for (const text of awaited) if (line.includes(text)) awaited.delete(text)
      if (awaited.size > 0) continue
      // What it says from now on is not kept, and does not fill the pipe.
      child.stderr.resume()
      return new Caddy(child, folder)
    }
    throw new Error(`Caddy did not start:\n${said.slice(-5).join('\n')}`)
  }

  /** certificate of the authority by which Caddy signs those of its sites, PEM */
  get authorityFile(): string {
    return join(this.#folder, 'storage/pki/authorities/local/root.crt')
  }

  /** Kills the process, as a power failure does. */
  kill(): void {
    this.#process.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }
}
