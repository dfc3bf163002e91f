/** The options of `serve` by which programs watch it, and their port. */
import { isIP } from 'node:net'
import type { Monitor } from '../monitoring/monitor.ts'
import type { Readiness } from '../monitoring/readiness.ts'
import { createMonitoringRoutes } from '../monitoring/routes.ts'
import { listen, type ServiceServer } from '../server.ts'
import { InvalidArgumentsError, type CommandArguments } from './command.ts'
import { wholeNumber } from './options.ts'
import { BACKUPS_OPTION, backupsFolder, newestBackup } from './place.ts'

export const MONITORING_OPTIONS = {
  'metrics-listen': {
    value: '[ADDRESS:]PORT',
    text: 'serve /healthz, /readyz and /metrics there, without TLS; on 127.0.0.1 unless an address is given'
  },
  backups: BACKUPS_OPTION
}

interface MonitoringOptions {
  /** null: no port */
  readonly listenOn: { readonly host: string; readonly port: number } | null
  readonly newestBackup: () => number | null
}

const parseListen = (text: string): MonitoringOptions['listenOn'] => {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (port === '' || isIP(address) === 0) {
    throw new InvalidArgumentsError(`--metrics-listen must read 9464 or 192.0.2.1:9464, not "${text}"`)
  }
  return { host: address, port: wholeNumber('the port of --metrics-listen', port, 0, 65_535) }
}

/** Throws an `InvalidArgumentsError` for an address that cannot be listened on. */
export const parseMonitoring = ({ option }: CommandArguments): MonitoringOptions => {
  const [text, data] = [option('metrics-listen'), option('data')]
  const backups = option('backups') ?? (data === undefined ? undefined : backupsFolder(data))
  return {
    listenOn: text === undefined ? null : parseListen(text),
    newestBackup: () => (backups === undefined ? null : newestBackup(backups))
  }
}

/** Starts the port of the programs that watch. Rejects if it is in use. */
export const serveMonitoring = (
  listenOn: { readonly host: string; readonly port: number },
  readiness: Readiness,
  monitor: Monitor
): Promise<ServiceServer> => {
  const routes = createMonitoringRoutes(readiness, monitor)
  const service = { fetch: (request: Request) => routes.fetch(request), close: () => Promise.resolve() }
  return listen({ ...listenOn, openService: () => Promise.resolve(service) })
}
