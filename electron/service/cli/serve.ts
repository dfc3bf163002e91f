/** `serve`: a shop's own service over HTTP. */
import { Hono, type Context } from 'hono'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as v from 'valibot'
import { API_PREFIX, createServiceApp } from '../api/app.ts'
import { createDeviceExtension } from '../api/device-extension.ts'
import { createIdentityRoute } from '../api/identity.ts'
import { createOpenApiRoute } from '../api/extension-openapi.ts'
import { createPairingRoutes } from '../api/pairing.ts'
import { hostOf, isLoopback, isReachable } from '../domain/addresses.ts'
import { systemRandomBytes } from '../domain/identifiers.ts'
import { BackupFolder } from '../manage/backups.ts'
import { createManagePages } from '../manage/index.ts'
import { MonitoredDatabase } from '../monitoring/database.ts'
import type { Log } from '../monitoring/log.ts'
import { Monitor, routeOf } from '../monitoring/monitor.ts'
import { Readiness } from '../monitoring/readiness.ts'
import { createPages, LONGEST_LIMIT_MINUTES, respondNotFound } from '../pages/index.ts'
import { listen, type Exposure, type ServiceServer } from '../server.ts'
import { AttemptStore } from '../store/attempts.ts'
import { countJoined } from '../store/businesses.ts'
import { CustomerCodeStore } from '../store/customer-codes.ts'
import { DailyRun } from '../store/daily-run.ts'
import type { Database } from '../store/database.ts'
import { DeviceStore } from '../store/devices.ts'
import { ImportRunner } from '../store/import-runner.ts'
import { KeptFormStore } from '../store/kept-forms.ts'
import { PublicAddress } from '../store/public-address.ts'
import { KeyedAnswers } from '../store/keyed-answers.ts'
import { StaffMemberStore } from '../store/staff-members.ts'
import { TillStore } from '../store/tills.ts'
import { INIT, InvalidArgumentsError, placeOf, type CommandArguments, type ShopCommand } from './command.ts'
import { inheritedSocket } from './inherited-socket.ts'
import { MONITORING_OPTIONS, parseMonitoring, serveMonitoring } from './monitoring.ts'
import { wholeNumber } from './options.ts'
import { backupsFolder } from './place.ts'
import { closeOnSignal } from './process.ts'
import { firstLinks } from './staff.ts'

const HOUR_MS = 3_600_000

/** How often the customers who joined are counted. */
const COUNTING_MS = 5000

/** Data that a backup replaced stay as long as a nightly backup. */
const REPLACED_DAYS = 14

/** What `listen` gives with each request. */
const originSchema = v.object({ address: v.string() })
const addressOf = (c: Context): string => v.parse(originSchema, c.env).address

interface ServeOptions extends Exposure {
  readonly port: number
  /** descriptor of the socket that systemd keeps, in place of `host` and `port` */
  readonly socket: number | undefined
  /** null: the server's own origin */
  readonly publicUrl: string | null
  /** null: nothing watches the service */
  readonly monitor: Monitor | null
  /** of a service in a folder */
  readonly backups: BackupFolder | undefined
  readonly log: Log
  readonly now: () => Date
}

/** Of a service whose tills would print codes that lead phones to themselves. */
const NO_PUBLIC_URL =
  'Without --public-url the codes on slips lead to this machine only: start with --public-url https://points.example.com, ' +
  'the name by which phones reach the service. For tills and phones on this machine, such as a test, it is http://127.0.0.1:4010'

const serveDatabase = (
  database: Database,
  { publicUrl, monitor, backups, log, now, ...exposure }: ServeOptions
): Promise<ServiceServer> =>
  listen({
    ...exposure,
    ownsProcess: true,
    openService: async (origin) => {
      // A socket from systemd shows its address when it is used.
      requireEncryption(exposure, hostOf(new URL(origin)))
      const ownOrigin = publicUrl ?? origin
      const hasAddress = publicUrl !== null || isReachable(new URL(origin))
      if (!hasAddress && (await new TillStore(database).hasAny())) {
        throw new InvalidArgumentsError(NO_PUBLIC_URL)
      }
      const shared = {
        database,
        publicUrl: ownOrigin,
        addressOf,
        now,
        random: systemRandomBytes,
        onCollected: () => monitor?.countCollected(),
        onInternalError: (error: unknown, request?: Request) => {
          monitor?.countInternalError()
          log.failure(
            request === undefined
              ? 'What no request waits for'
              : `${request.method} ${routeOf(app, request)}`,
            error
          )
        }
      }
      const imports = new ImportRunner({ ...shared, onError: (error) => log.failure('The import', error) })
      const shopRoutes = new Hono()
      shopRoutes.route('/', createIdentityRoute(database))
      shopRoutes.route(
        '/',
        createPairingRoutes({ ...shared, baseUrl: hasAddress ? ownOrigin + API_PREFIX : null })
      )
      shopRoutes.route('/', createPages(shared))
      shopRoutes.route('/', createManagePages({ ...shared, imports, backups }))
      shopRoutes.route('/', createOpenApiRoute(true))
      const app = createServiceApp({
        ...shared,
        isSample: false,
        shopRoutes,
        shopExtension: createDeviceExtension(shared),
        respondNotFound,
        isExpired: () => false
      })
      const attempts = new AttemptStore(database, now)
      const staff = new StaffMemberStore(shared)
      const answers = new KeyedAnswers(shared)
      const customerCodes = new CustomerCodeStore(shared)
      const devices = new DeviceStore(shared)
      const keptForms = new KeptFormStore(shared)
      const daily = new DailyRun(shared)
      const runDaily = (): void =>
        void daily.run().catch((error: unknown) => log.failure('The daily run', error))
      const clean = async (): Promise<void> => {
        database.deleteReplaced(new Date(now().getTime() - REPLACED_DAYS * 24 * HOUR_MS))
        await attempts.clean(LONGEST_LIMIT_MINUTES)
        await staff.clean()
        await answers.clean()
        await customerCodes.clean()
        await devices.clean()
        await keptForms.clean()
        await imports.store.clean()
        await imports.resume()
      }
      // A service whose database does not answer yet goes on within an hour, or when somebody looks at the import.
      imports.resume().catch((error: unknown) => log.failure('The import', error))
      runDaily()
      const cleaning = setInterval(() => {
        void clean().catch((error: unknown) => log.failure('The hourly clean-up', error))
        runDaily()
      }, HOUR_MS).unref()
      const counting = setInterval(
        () => void countJoined(database).catch((error: unknown) => log.failure('Counting customers', error)),
        COUNTING_MS
      ).unref()
      return {
        fetch: (request, environment) =>
          monitor === null ? app.fetch(request, environment) : monitor.fetch(app, request, environment),
        close: async () => {
          clearInterval(cleaning)
          clearInterval(counting)
          daily.close()
          monitor?.close()
          await backups?.cancel()
          await imports.close()
          await database.close()
        }
      }
    }
  })

const parsePublicUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new InvalidArgumentsError(`--public-url must read https://points.example.com, not "${text}"`)
}

const parseAddress = (option: string, text: string): string => {
  if (isIP(text) !== 0) return text
  throw new InvalidArgumentsError(`--${option} must be an IP address, not "${text}"`)
}

const readPem = (option: string, path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch {
    throw new InvalidArgumentsError(`--${option}: ${path} cannot be read`)
  }
}

/** Throws an `InvalidArgumentsError` for a service that other machines could reach without encryption. */
const requireEncryption = ({ tls, proxies = [] }: Exposure, host: string): void => {
  if (isLoopback(host) || tls !== undefined || proxies.length > 0) return
  throw new InvalidArgumentsError(
    `To listen on ${host}, --tls-cert and --tls-key are needed, or --behind-proxy with the address of the proxy that has them`
  )
}

/** Where the service listens, and how it is protected there. Throws an `InvalidArgumentsError`. */
const parseExposure = ({ option }: CommandArguments): Exposure => {
  const listen = option('listen')
  const host = listen === undefined ? undefined : parseAddress('listen', listen)
  const proxies = (option('behind-proxy')?.split(',') ?? []).map((text) => parseAddress('behind-proxy', text))
  const [cert, key] = [option('tls-cert'), option('tls-key')]
  if ((cert === undefined) !== (key === undefined)) {
    throw new InvalidArgumentsError('--tls-cert and --tls-key are needed together')
  }
  const tls =
    cert === undefined || key === undefined
      ? undefined
      : { cert: readPem('tls-cert', cert), key: readPem('tls-key', key) }
  if (host !== undefined) requireEncryption({ tls, proxies }, host)
  return { host, tls, proxies }
}

/** The origin that the option names, which is kept with the data; or the kept one; null if there is neither. */
const publicUrlOf = async (database: Database, given: string | undefined): Promise<string | null> => {
  const kept = new PublicAddress(database)
  if (given === undefined) return kept.read()
  const origin = parsePublicUrl(given)
  await kept.keep(origin)
  return origin
}

/** The backups of a service in a folder, which the command `backup` of this program makes. */
const backupsOf = (input: CommandArguments): BackupFolder | undefined => {
  const place = placeOf('serve', input)
  if (!('folder' in place)) return undefined
  const [, program = ''] = process.argv
  return new BackupFolder({
    folder: input.option('backups') ?? backupsFolder(place.folder),
    command: [
      ...[process.execPath, ...process.execArgv, program, 'backup'],
      ...['--progress', '--data', place.folder, '--']
    ],
    now: input.now,
    onError: (error) => input.log.failure('The backup', error)
  })
}

/** The port of a service that is given no other. */
export const DEFAULT_PORT = '4010'

/** The options of `serve`, which `doctor` takes, too: it looks at what they lead to. */
export const SERVE_OPTIONS = {
  port: { value: 'PORT', text: `port to listen on, 0 for any free port (default ${DEFAULT_PORT})` },
  'public-url': {
    value: 'URL',
    text: 'origin by which customers reach the service, for the codes on slips; kept for later starts'
  },
  listen: { value: 'ADDRESS', text: 'IP address to listen on (default 127.0.0.1, this machine only)' },
  'tls-cert': { value: 'FILE', text: 'certificate with its chain, PEM' },
  'tls-key': { value: 'FILE', text: 'key of the certificate, PEM' },
  'behind-proxy': {
    value: 'ADDRESS[,ADDRESS]',
    text: 'IP addresses of the proxies that add TLS and X-Forwarded-For'
  },
  ...MONITORING_OPTIONS
}

export const serveCommand: ShopCommand = {
  name: 'serve',
  summary:
    'Serves tills and customers over HTTP; to other machines with --listen, to monitoring with --metrics-listen.',
  options: {
    ...SERVE_OPTIONS,
    [INIT]: { text: 'make the folder and the database of a new service first, unless they are there' }
  },
  run: async (input) => {
    const { database, option, now, log } = input
    const port = wholeNumber('--port', option('port') ?? DEFAULT_PORT, 0, 65_535)
    const exposure = parseExposure(input)
    const hasAddress = option('listen') !== undefined || option('port') !== undefined
    const socket = inheritedSocket(process.env, hasAddress)
    const { listenOn, newestBackup } = parseMonitoring(input)
    const publicUrl = await publicUrlOf(database, option('public-url'))
    const monitor = listenOn === null ? null : new Monitor(newestBackup)
    const watched = monitor === null ? database : new MonitoredDatabase(database, monitor)
    const server = await serveDatabase(watched, {
      ...exposure,
      port,
      socket,
      publicUrl,
      monitor,
      backups: backupsOf(input),
      log,
      now
    })
    const { url } = server
    const monitoring =
      listenOn === null || monitor === null
        ? null
        : await serveMonitoring(listenOn, new Readiness(database, now), monitor).catch(
            async (error: unknown) => {
              await server.close()
              throw error
            }
          )
    closeOnSignal(server, ...(monitoring === null ? [] : [monitoring]))
    const metrics = monitoring === null ? [] : [`${monitoring.origin}/metrics`]
    // A service whose database does not answer yet serves, and prints its links at its next start.
    const links = await firstLinks(database, now, publicUrl ?? server.origin).catch((error: unknown) => {
      log.failure('The link of the owner', error)
      return []
    })
    const lines = [
      `listening on ${url}`,
      ...metrics.map((address) => `metrics on ${address}`),
      ...links.map((link) => `Open once, within a day, to choose the owner's password: ${link}`)
    ]
    return { text: lines.join('\n'), json: { url, metrics: metrics[0], links }, isServing: true }
  }
}
