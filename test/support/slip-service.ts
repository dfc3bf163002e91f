/**
 * A `SlipService` for tests and for the programs that they start: each function stands for what another service does, so that
 * a test names only what it looks at. Vitest is not loaded here.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AffordableRewards } from '../../electron/contract/affordable-rewards.ts'
import type { Standing } from '../../electron/contract/earning-rules.ts'
import { err, ok, type Result } from '../../electron/contract/failure.ts'
import type { Language } from '../../electron/contract/language.ts'
import type { CollectionPage, NewQrCode } from '../../electron/contract/loyalty.ts'
import type { Redemption } from '../../electron/contract/redemptions.ts'
import type { Credit } from '../../electron/contract/credits.ts'
import type { Return } from '../../electron/contract/returns.ts'
import type { RetentionSettings } from '../../electron/contract/privacy.ts'
import type { ReceiptPrinter, SystemQueue } from '../../electron/contract/printing.ts'
import type { DeliveryMethod } from '../../electron/contract/settings.ts'
import type { Batch, QrDrawing, Slip } from '../../electron/contract/slips.ts'
import type { Lazy } from '../../electron/main/lazy.ts'
import { NO_STAFF, type ServingCashier } from '../../electron/contract/staff.ts'
import {
  type CashierErasure,
  DEFAULT_SETTINGS,
  type StoredSettings
} from '../../electron/main/settings/settings-schema.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import type { PrintControl } from '../../electron/main/printing/print-job.ts'
import type { SlipPrintJob } from '../../electron/main/printing/slip-folder.ts'
import type {
  BusinessClient,
  BusinessId,
  SlipBusiness
} from '../../electron/main/session/current-business.ts'
import {
  openSlips,
  type SlipService,
  type SlipServiceDependencies
} from '../../electron/main/slips/slip-service.ts'
import { noOpLogger } from './no-op-logger.ts'
import { business } from './sample-business.ts'

export const fontsFolder = fileURLToPath(new URL('../../resources/fonts', import.meta.url))

export type PrintSettings = Pick<StoredSettings, 'printer' | 'copies' | 'oneJob'>

/** Slips are saved to the folder, one printout each. */
export const folderSettings: PrintSettings = {
  printer: { destination: { kind: 'folder' }, paperSize: '80mm' },
  copies: 1,
  oneJob: false
}

/** Returns a response to `POST /qr`. */
export const qrCode = (code: string, points: number): NewQrCode => ({
  code,
  qrURL: `https://loyalty.example/q/${encodeURIComponent(code)}`,
  qrImageURL: null,
  rewardPoints: points,
  status: 'active',
  usedDate: null,
  expiresAt: null,
  createdAt: '2026-11-21T12:05:33.000Z',
  updatedAt: null
})

/** A till that makes no codes itself. */
const NO_OFFLINE_KEYS: SlipServiceDependencies['offlineKeys'] = {
  isOffline: false,
  current: null,
  owner: '',
  asked: {},
  open: () => Promise.resolve(),
  accept: () => Promise.resolve(),
  drop: () => undefined,
  spend: () => undefined
}

/** What a test may replace. */
export type SlipDoubles = Omit<
  SlipServiceDependencies,
  | 'business'
  | 'staff'
  | 'catalogue'
  | 'recent'
  | 'standings'
  | 'languages'
  | 'printing'
  | 'display'
  | 'settings'
  | 'slipsFolder'
  | 'listener'
> & {
  readonly onSlip: (slip: Slip) => void
  readonly onRedemption: (redemption: Redemption) => void
  readonly onCredit: (credit: Credit) => void
  readonly onReturn: (returned: Return) => void
  readonly onBatch: (batch: Batch) => void
  readonly onDamage: () => void
  readonly onCollectionsRead: () => void
  readonly onPrintHindered: () => void
  readonly createQr: (points: number, business: BusinessId) => Promise<Result<NewQrCode>>
  readonly issueCode: BusinessClient['issueCode']
  /** null: the service does not tell what was collected */
  readonly readCollections: ((since: string) => Promise<Result<CollectionPage>>) | null
  readonly redeem: (
    ...asked: [...Parameters<BusinessClient['redeem']>, BusinessId]
  ) => ReturnType<BusinessClient['redeem']>
  readonly reverseRedemption: (
    ...asked: [...Parameters<BusinessClient['reverseRedemption']>, BusinessId]
  ) => ReturnType<BusinessClient['reverseRedemption']>
  readonly credit: BusinessClient['credit']
  readonly reverseCredit: BusinessClient['reverseCredit']
  readonly takeBack: BusinessClient['takeBack']
  readonly forgetCashier: BusinessClient['forgetCashier']
  readonly offlineKey: BusinessClient['offlineKey']
  readonly reportOfflineCodes: BusinessClient['reportOfflineCodes']
  /** names that the service is to forget */
  readonly erasures: CashierErasure[]
  readonly onBalance: (customerId: string, balance: number | null) => void
  readonly showRedeemed: (redemption: Redemption) => void
  readonly showCredited: (credit: Credit) => void
  readonly currentBusiness: () => SlipBusiness | null
  readonly connectedId: () => string | null
  readonly currentCashier: () => ServingCashier | null
  readonly readStanding: (customerId: string) => Promise<Standing | null>
  readonly affordable: (customerId: string, points: number) => AffordableRewards | null
  readonly exportLanguage: () => Language
  readonly printOnPrinter: (
    job: SlipPrintJob,
    to: SystemQueue | ReceiptPrinter,
    control: PrintControl
  ) => Promise<Result<unknown>>
  readonly removeTemporaryFiles: () => Promise<number>
  readonly settings: () => PrintSettings
  readonly retention: () => RetentionSettings
  /** `print`: there is no customer display */
  readonly deliveryMethod: () => DeliveryMethod
  /** returns whether customers can see it */
  readonly showOnDisplay: (slip: Slip, qr: QrDrawing | null) => boolean
}

/** The dependencies of a service whose journal and slips are in `folder`, and which has no printer and no service. */
export function slipDependencies(
  folder: string,
  changes: Partial<SlipDoubles> = {}
): SlipServiceDependencies {
  const doubles: SlipDoubles = {
    journalFile: join(folder, 'journal.db'),
    backupsFolder: join(folder, 'backups'),
    createQr: () => Promise.reject(new Error('There is no service')),
    issueCode: () => Promise.reject(new Error('There is no service')),
    redeem: () => Promise.reject(new Error('There is no service')),
    reverseRedemption: () => Promise.reject(new Error('There is no service')),
    credit: () => Promise.reject(new Error('There is no service')),
    reverseCredit: () => Promise.reject(new Error('There is no service')),
    takeBack: () => Promise.reject(new Error('There is no service')),
    forgetCashier: () => Promise.reject(new Error('There is no service')),
    offlineKey: () => Promise.reject(new Error('There is no service')),
    reportOfflineCodes: () => Promise.reject(new Error('There is no service')),
    erasures: [],
    onBalance: () => undefined,
    showRedeemed: () => undefined,
    showCredited: () => undefined,
    currentBusiness: () => business,
    connectedId: () => doubles.currentBusiness()?.id ?? null,
    currentCashier: () => null,
    readStanding: () => Promise.resolve(null),
    affordable: () => null,
    exportLanguage: () => 'en',
    pdfRenderer: new SlipPdfRenderer(fontsFolder),
    printOnPrinter: () => Promise.reject(new Error('No printer is set')),
    removeTemporaryFiles: () => Promise.resolve(0),
    settings: () => folderSettings,
    retention: () => DEFAULT_SETTINGS.retention,
    deliveryMethod: () => 'print',
    showOnDisplay: () => false,
    now: () => new Date(),
    onSlip: () => undefined,
    onRedemption: () => undefined,
    onCredit: () => undefined,
    onReturn: () => undefined,
    onBatch: () => undefined,
    onDamage: () => undefined,
    onCollectionsRead: () => undefined,
    onPrintHindered: () => undefined,
    offlineKeys: NO_OFFLINE_KEYS,
    readCollections: null,
    log: noOpLogger,
    ...changes
  }
  let isShown: boolean | null = null
  /** the customer whose balance was asked for last */
  let asked = ''
  const clientOf = (business: BusinessId): BusinessClient => ({
    createQr: (points) => doubles.createQr(points, business),
    issueCode: doubles.issueCode,
    collections: (since) =>
      doubles.readCollections?.(since) ?? Promise.resolve(err({ kind: 'not-connected' })),
    redeem: (key, request) => doubles.redeem(key, request, business),
    reverseRedemption: (key, request) => doubles.reverseRedemption(key, request, business),
    credit: doubles.credit,
    reverseCredit: doubles.reverseCredit,
    takeBack: doubles.takeBack,
    forgetCashier: doubles.forgetCashier,
    offlineKey: doubles.offlineKey,
    reportOfflineCodes: doubles.reportOfflineCodes
  })
  return {
    ...doubles,
    slipsFolder: join(folder, 'slips'),
    listener: {
      rowChanged: ({ slip }) => doubles.onSlip(slip),
      redemptionChanged: doubles.onRedemption,
      creditChanged: doubles.onCredit,
      returnChanged: doubles.onReturn,
      batchChanged: doubles.onBatch,
      journalDamaged: doubles.onDamage,
      collectionsRead: doubles.onCollectionsRead,
      printHindered: doubles.onPrintHindered
    },
    business: {
      current: () => {
        const business = doubles.currentBusiness()
        if (business === null || doubles.readCollections !== null) return business
        return { ...business, extensions: business.extensions.filter((one) => one !== 'collections/1') }
      },
      isReachable: () => true,
      ask: (business, request) => request(clientOf(business)),
      askExtension: (business, request) => request(clientOf(business)),
      connectedId: doubles.connectedId,
      isServed: ({ id, training }) => {
        const current = doubles.currentBusiness()
        return current?.id === id && current.training === training
      }
    },
    staff: {
      get state() {
        return { ...NO_STAFF, cashier: doubles.currentCashier() }
      },
      get erasures() {
        return [...doubles.erasures]
      },
      endErasure(ended) {
        doubles.erasures.splice(doubles.erasures.indexOf(ended), 1)
      }
    },
    recent: {
      balanceOf: (customerId) => {
        asked = customerId
        return 0
      },
      setBalance: doubles.onBalance
    },
    standings: { read: doubles.readStanding },
    catalogue: { affordable: (points) => (points === null ? null : doubles.affordable(asked, points)) },
    languages: {
      get screen() {
        return doubles.exportLanguage()
      }
    },
    printing: {
      async print(job, to, control = {}) {
        const printed = await doubles.printOnPrinter({ fileName: '', trace: {}, ...job }, to, {
          signal: control.signal ?? new AbortController().signal,
          hindered: (fault) => control.hindered?.(fault)
        })
        return printed.ok ? ok({ printer: 'test', job: null }) : printed
      },
      removeTemporaryFiles: doubles.removeTemporaryFiles
    },
    display: {
      isOpen: () => isShown ?? doubles.deliveryMethod() !== 'print',
      showIssuedPoints: (slip, qr) => {
        isShown = doubles.showOnDisplay(slip, qr)
      },
      showRedeemed: doubles.showRedeemed,
      showCredited: doubles.showCredited,
      setBalance: () => undefined
    },
    settings: {
      get values() {
        return {
          ...DEFAULT_SETTINGS,
          ...doubles.settings(),
          retention: doubles.retention(),
          deliveryMethod: doubles.deliveryMethod()
        }
      }
    }
  }
}

/** Lends a service that is open to what opens it. */
export const lazySlips = (slips: SlipService): OpenedOnce => ({
  get: () => Promise.resolve(ok(slips)),
  opened: ok(slips)
})

type OpenedOnce = Pick<Lazy<Result<SlipService>>, 'get' | 'opened'>

/** Opens a service in `folder`. Throws when its journal cannot be opened. */
export function openTestSlips(folder: string, changes: Partial<SlipDoubles> = {}): SlipService {
  const { slips } = openSlips(slipDependencies(folder, changes))
  if (!slips.ok) throw new Error(`The slips cannot be opened: ${slips.failure.kind}`)
  return slips.value
}
