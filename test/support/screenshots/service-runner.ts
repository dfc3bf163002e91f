/** Opens the pages of a shop's own service in a browser, each in a shop of its own, whose data the screenshot prepares. */
import type { Context } from 'hono'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import type { Language } from '../../../electron/contract/language.ts'
import { createServiceApp } from '../../../electron/service/api/app.ts'
import { systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { BackupFolder } from '../../../electron/service/manage/backups.ts'
import { createManagePages } from '../../../electron/service/manage/index.ts'
import { createPages } from '../../../electron/service/pages/index.ts'
import { listen, type ServiceServer } from '../../../electron/service/server.ts'
import { BusinessStore } from '../../../electron/service/store/businesses.ts'
import { DatabaseUnavailableError, type Database } from '../../../electron/service/store/database.ts'
import { openSqlite } from '../../../electron/service/store/sqlite.ts'
import { CHROMIUM_MISSING, findChromium } from '../chromium.ts'
import { Shop } from '../service-shop.ts'
import { BROWSER_ARGS, createPagePool } from './page-pool.ts'
import type { OpenScreen, Variant } from './screenshot-runner.ts'

/** The sizes of the pages: a phone, and the window of a computer. */
export const SERVICE_SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 }
] as const

/** A customer's browser and the shop whose pages it opens. */
export interface ServiceScene {
  readonly page: Page
  readonly shop: Shop
  /** id of the shop, which the paths of its pages contain */
  readonly business: string
  /** the browser's address as the service sees it, by which attempts are counted */
  readonly address: string
  /** folder of its backups, for a shop alone on its machine */
  readonly backups: string
  /** Opens a path of the service. */
  readonly visit: (path: string) => Promise<void>
}

/** One screenshot of the service's pages, and the steps before it is taken. */
export interface ServiceScreenshot {
  readonly name: string
  /** name of the shop; Kafeneio Aroma unless given */
  readonly shopName?: string
  readonly timeZone?: string
  /** no node of the database takes writes */
  readonly isUnavailable?: true
  /** the browser keeps no cookies, as those of some messengers */
  readonly isWithoutCookies?: true
  /** the shop is alone on its machine, and this program (JavaScript for Node) makes its backups */
  readonly backUpBy?: string
  readonly steps: (scene: ServiceScene) => Promise<void>
}

export interface ServiceRunner {
  /** Opens a new shop and runs the steps of `screenshot`. `faults` of the result has logged errors and a failed step. */
  open(screenshot: ServiceScreenshot, variant: Variant): Promise<OpenScreen>
  close(): Promise<void>
}

/** The country of the shop, whose numbers and dates a page in this language then shows. */
const COUNTRIES: Readonly<Record<Language, string>> = {
  en: 'GB',
  de: 'DE',
  fr: 'FR',
  es: 'ES',
  el: 'GR',
  ar: 'EG'
}

/** Names the browser to the service. */
const ADDRESS_HEADER = 'x-address'
/** Says that the database is not available to a request. */
const UNAVAILABLE_HEADER = 'x-unavailable'

/** Says that the browser of a request keeps no cookies. */
const WITHOUT_COOKIES_HEADER = 'x-without-cookies'

const rejectUnavailable = () => Promise.reject(new DatabaseUnavailableError('No node takes writes.'))

/** Refused forms and unknown codes are among the pages; Chromium logs their status. */
const STATUS_LOGGED = /^Failed to load resource: the server responded with a status of 4|of 50[03] /

interface Serving {
  readonly origin: string
  readonly server: ServiceServer
}

/** Starts a service over a database, which it closes at its end. */
const serve = async (opened: Database, now: Date, backups?: BackupFolder): Promise<Serving> => {
  let origin = ''
  const server = await listen({
    port: 0,
    openService: (publicUrl) => {
      origin = publicUrl
      const appOver = (database: Database) => {
        const shared = {
          database,
          publicUrl,
          now: () => now,
          random: systemRandomBytes,
          onCollected: () => undefined,
          onInternalError: () => undefined
        }
        const addressOf = (c: Context) => c.req.header(ADDRESS_HEADER) ?? ''
        const dependencies = { ...shared, addressOf, backups }
        const shopRoutes = createPages(dependencies)
        shopRoutes.route('/', createManagePages(dependencies))
        return createServiceApp({ ...shared, isSample: false, shopRoutes, isExpired: () => false })
      }
      const app = appOver(opened)
      const close = () => opened.close()
      const unavailable = appOver({
        ...{ dialect: opened.dialect, read: rejectUnavailable, write: rejectUnavailable },
        ...{ transaction: rejectUnavailable, deleteReplaced: () => undefined, close }
      })
      return Promise.resolve({
        fetch: async (request) => {
          const response = await (request.headers.has(UNAVAILABLE_HEADER) ? unavailable : app).fetch(request)
          // A page does not load again while it is looked at.
          response.headers.delete('refresh')
          if (request.headers.has(WITHOUT_COOKIES_HEADER)) response.headers.delete('set-cookie')
          return response
        },
        close
      })
    }
  })
  return { origin, server }
}

interface Home {
  readonly origin: string
  readonly database: Database
  /** folder of its backups */
  readonly backups: string
  readonly close: () => Promise<void>
}

/** Starts a service for one shop, whose backups the program `source` makes. */
const serveAlone = async (source: string, now: Date): Promise<Home> => {
  const folder = await mkdtemp(join(tmpdir(), 'screenshot-backups-'))
  const database = await openSqlite(':memory:')
  const backups = new BackupFolder({
    folder,
    command: [process.execPath, '-e', source, '--'],
    now: () => now,
    onError: () => undefined
  })
  const { origin, server } = await serve(database, now, backups)
  return {
    origin,
    database,
    backups: folder,
    close: async () => {
      await backups.cancel()
      await server.close()
      await rm(folder, { recursive: true })
    }
  }
}

/** Starts a browser and a service in memory. Throws without a Chromium. */
export async function createServiceRunner(): Promise<ServiceRunner> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(CHROMIUM_MISSING)
  const opened = await openSqlite(':memory:')
  // All shops have the same clock.
  const { now } = await Shop.addTo(opened)
  const shared = await serve(opened, now)
  const browser = await chromium.launch({ executablePath, args: BROWSER_ARGS })
  const lend = createPagePool(browser)
  let visitors = 0

  return {
    async open(
      {
        shopName = 'Kafeneio Aroma',
        timeZone = 'Europe/Athens',
        isUnavailable,
        isWithoutCookies,
        backUpBy,
        steps
      },
      variant
    ) {
      const { page, faults, close } = await lend({ ...variant, script: '' })
      const home: Home =
        backUpBy === undefined
          ? { origin: shared.origin, database: opened, backups: '', close: () => Promise.resolve() }
          : await serveAlone(backUpBy, now)
      const shop = await Shop.addTo(home.database)
      const businesses = new BusinessStore(home.database)
      const business = await businesses.get(shop.business)
      const address = { ...business.address, country: COUNTRIES[variant.language] }
      await businesses.update({ ...business, name: shopName, timeZone, address })
      const visitor = `visitor ${String(++visitors)}`
      await page.context().clearCookies()
      await page.setExtraHTTPHeaders({
        ...{ 'Accept-Language': variant.language, [ADDRESS_HEADER]: visitor },
        ...(isUnavailable ? { [UNAVAILABLE_HEADER]: 'yes' } : {}),
        ...(isWithoutCookies ? { [WITHOUT_COOKIES_HEADER]: 'yes' } : {})
      })
      try {
        await steps({
          page,
          shop,
          business: business.id,
          address: visitor,
          backups: home.backups,
          visit: async (path) => {
            await page.goto(home.origin + path)
          }
        })
      } catch (error) {
        faults.push(String(error))
      }
      return {
        page,
        faults: faults.filter((fault) => !STATUS_LOGGED.test(fault)),
        close: async () => {
          await close()
          await home.close()
        }
      }
    },
    async close() {
      await browser.close()
      await shared.server.close()
    }
  }
}
