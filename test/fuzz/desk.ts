/** A till's main process without Electron: the services and answers that index.ts wires, on a folder of their own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok } from '../../electron/contract/failure.ts'
import {
  aboutAnswers,
  batchesAnswers,
  connectionAnswers,
  createCheckCode,
  createDrafts,
  createToRenderer,
  createSaveDiagnostics,
  createStanding,
  customerDisplayAnswers,
  customersAnswers,
  diagnosticsAnswers,
  printersAnswers,
  rewardsAnswers,
  slipsAnswers,
  staffAnswers,
  tillAnswers,
  updatesAnswers
} from '../../electron/main/ipc/index.ts'
import { createCustomerDisplay } from '../../electron/main/customer-display/customer-display.ts'
import { createDiagnostics, type DiagnosticsService } from '../../electron/main/diagnostics/diagnostics.ts'
import {
  createLoyaltyClient,
  createPageReader,
  type LoyaltyClient
} from '../../electron/main/loyalty/loyalty-client.ts'
import { Images } from '../../electron/main/images/images.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import {
  LoyaltyPointsService,
  TRAINING_BASE_URL,
  TRAINING_PUBLIC_URL,
  TRAINING_TOKEN
} from '../../electron/service/index.ts'
import { RewardCatalogue } from '../../electron/main/rewards/reward-catalogue.ts'
import { CatalogueCache } from '../../electron/main/rewards/catalogue-cache.ts'
import { createSettings } from '../../electron/main/settings/index.ts'
import { registerIpcHandlers } from '../../electron/main/platform/ipc.ts'
import { enterWindow } from '../../electron/main/platform/windows.ts'
import { createSlips, drawQr, type Slips } from '../../electron/main/slips/slip-service.ts'
import { Staff } from '../../electron/main/staff/staff.ts'
import { requiredRole } from '../../electron/main/staff/permissions.ts'
import { RecentCustomers } from '../../electron/main/session/recent-customers.ts'
import { Session, type Credentials } from '../../electron/main/session/session.ts'
import type { RequestObserver } from '../../electron/main/session/reachability.ts'
import { createUpdates } from '../../electron/main/updates/updates.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { TILL_WINDOW } from './fake-electron.ts'
import { fontsFolder } from '../unit/main/slips/slip-service-fixture.ts'

const NOW = new Date('2026-11-21T12:05:33.000Z')
const now = (): Date => NOW

const printed = { printer: 'Counter', job: 1 }

const unreachable = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

export interface Desk {
  /** The till's own list of slips still answers. */
  readonly isAlive: () => boolean
  close(): Promise<void>
}

/** Opens a till in training mode, and wires its bridge to the `ipcMain` of the test. No request leaves this process. */
export async function openDesk(): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-desk-'))
  const settings = createSettings(folder, now)
  settings.update({ mode: 'training' })
  const training = new LoyaltyPointsService({
    file: ':memory:',
    tokens: [TRAINING_TOKEN],
    publicUrl: TRAINING_PUBLIC_URL,
    seed: { customers: 30 }
  })
  const connect = (
    credentials: Credentials,
    watch?: RequestObserver,
    fetch = unreachable as (request: Request) => Promise<Response>
  ) =>
    createLoyaltyClient({
      ...credentials,
      fetch,
      watch,
      language: () => 'en',
      qrImageParameter: () => settings.values.qrImageParameter,
      retryDelay: () => 0
    })
  const session = new Session<LoyaltyClient>({
    memory: () => settings.values,
    remember: (change) => settings.update(change),
    connect,
    openTraining: () =>
      Promise.resolve(
        connect({ baseUrl: TRAINING_BASE_URL, token: TRAINING_TOKEN }, undefined, (request) =>
          training.fetch(request)
        )
      ),
    onChange: () => undefined
  })
  const images = new Images(unreachable)
  const country = (): string => settings.values.country ?? 'GR'
  const pdfRenderer = new SlipPdfRenderer(fontsFolder)
  const slips = createSlips({
    journalFile: join(folder, 'journal.sqlite'),
    slipsFolder: join(folder, 'slips'),
    pdfRenderer,
    createQr: (points) => session.ask((service) => service.createQr(points)),
    currentBusiness: () =>
      session.business && {
        ...session.business,
        training: session.mode === 'training',
        locale: 'en-GB',
        slip: settings.values.slip,
        logo: null
      },
    now,
    onSlip: () => undefined,
    onBatch: () => undefined,
    printOnPrinter: () => Promise.resolve(ok(printed)),
    settings: () => settings.values,
    log: noOpLogger
  })
  const diagnostics = createDiagnostics({
    versions: { till: '0.0.0', electron: '0', chromium: '0', node: process.versions.node },
    platform: { system: process.platform, release: '0', architecture: process.arch, locale: 'en' },
    printers: () => Promise.resolve(ok([])),
    journal: () => Promise.resolve(slips.numbers()),
    backups: () => Promise.resolve({ count: 0, newest: null }),
    settings: () => settings.values,
    logFiles: () => [],
    secrets: () => [],
    log: noOpLogger
  })
  const useSlips = (): Promise<Slips> => Promise.resolve(slips)
  const useDiagnostics = (): Promise<DiagnosticsService> => Promise.resolve(diagnostics)
  const askWhere = (name: string): Promise<string> => Promise.resolve(join(folder, name))
  const updates = createUpdates({
    feed: () => settings.values.updates.feed,
    openUpdater: () => Promise.reject(new Error('No updater here')),
    obstacle: () => slips.underWay(),
    closeDown: () => Promise.resolve(),
    restart: () => undefined,
    notInstalled: false,
    onChange: () => undefined,
    now,
    log: noOpLogger
  })
  const staff = new Staff({
    store: {
      read: () => settings.values.staff,
      update: (change) => settings.update({ staff: { ...settings.values.staff, ...change } })
    },
    lockAfterMinutes: () => settings.values.lockAfterMinutes,
    systemIdleSeconds: () => 0,
    onChange: () => undefined
  })
  const recent = new RecentCustomers(() => session.mode)
  const catalogue = new RewardCatalogue({
    readPage: createPageReader((asked, signal) =>
      session.ask((service) => service.listRewards(asked, signal), signal)
    ),
    owner: () => ({ key: session.mode, cached: false }),
    cache: new CatalogueCache(join(folder, 'rewards.json')),
    now,
    onChange: () => undefined
  })
  const forPage = createToRenderer(images, country, (customer) => display.saw(customer))
  const standing = createStanding({
    settings,
    session,
    forPage: forPage.account,
    staff: () => staff.state,
    language: () => 'en',
    slipLanguage: () => 'en',
    customerDisplayOpen: () => false,
    country,
    slipsFolder: join(folder, 'slips'),
    version: '0.0.0',
    update: () => updates.state,
    tell: () => undefined
  })
  const display = createCustomerDisplay({
    state: () => standing.state(),
    drawQr,
    isShown: () => true,
    tell: () => undefined,
    now,
    after: () => () => undefined
  })
  const checkCode = createCheckCode(session, (code) => Promise.resolve(slips.byCode(code)))
  const memory = {
    // The keyring of an operating system is another test's concern.
    seal: (token: string) =>
      Promise.resolve({
        kind: 'sealed' as const,
        sealed: { ciphertext: Buffer.from(token).toString('base64'), weak: false }
      }),
    keep: (connection: Parameters<typeof settings.update>[0]) =>
      settings.update({ ...connection, mode: 'business' }),
    forget: () => settings.update({ mode: 'onboarding', baseUrl: null, token: null, business: null })
  }
  await session.refresh()
  // Only as much of a window as the bridge looks at.
  Reflect.apply(enterWindow, undefined, ['till', TILL_WINDOW])
  registerIpcHandlers(
    {
      till: tillAnswers(
        standing,
        settings,
        session,
        createDrafts(() => session.mode),
        () => undefined
      ),
      connection: connectionAnswers(standing, session, memory, forPage),
      customers: customersAnswers(session, country, checkCode, forPage, {
        recent,
        sendPartialSearchResult: () => undefined
      }),
      rewards: rewardsAnswers(session, catalogue),
      slips: slipsAnswers(useSlips, session, checkCode, askWhere, now, (id) => recent.serve(id)),
      batches: batchesAnswers(useSlips, session),
      printers: printersAnswers(
        () =>
          Promise.resolve({
            list: () => Promise.resolve(ok([])),
            print: () => Promise.resolve(ok(printed))
          }),
        useSlips,
        pdfRenderer,
        () => 'en-GB',
        now
      ),
      diagnostics: diagnosticsAnswers(useDiagnostics, createSaveDiagnostics(useDiagnostics, askWhere, now)),
      updates: updatesAnswers(updates),
      customerDisplay: customerDisplayAnswers(
        display,
        { screens: () => [], showNumbers: () => undefined },
        useSlips
      ),
      staff: staffAnswers(standing, staff, {
        baseUrl: () => settings.values.baseUrl,
        business: () => session.refresh(),
        ownerOf: (credentials) => connect(credentials).account()
      }),
      about: aboutAnswers({
        version: '0.0.0',
        versions: process.versions,
        licences: join(folder, 'no-licences.txt'),
        manifest: join(folder, 'no-manifest.json')
      })
    },
    (group, call, input) => staff.refusal(requiredRole(group, call, input)),
    noOpLogger
  )
  return {
    isAlive: () => slips.list({ offset: 0 }).ok,
    async close() {
      staff.close()
      session.close()
      catalogue.close()
      await slips.close()
      training.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
