/** What comes of a slip: printed, waiting, saved, refused; and what the lists say of it afterwards. */
import type { Page } from 'playwright-core'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { OfferedPapers, Printer } from '../../../electron/contract/printing.ts'
import type { HinderedPrint } from '../../../electron/contract/slips.ts'
import type { FakeState } from './fake-bridge.ts'
import { customers, printers, slip } from './sample-data.ts'
import type { Screenshot } from './screenshot.ts'
import { choose, go, points, press, print } from './steps.ts'

const queue = {
  settings: { printer: { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' } }
} as const satisfies FakeState
const notSaved = { kind: 'not-saved', what: 'slip' } as const

const refusedSize = (offered: OfferedPapers): Failure => ({
  kind: 'not-printed',
  fault: 'refused-size',
  mayStillPrint: false,
  offered
})
const OTHER_PAPERS: OfferedPapers = { papers: ['58mm', 'A4'], sizes: [] }
const LABELS_ONLY: OfferedPapers = { papers: [], sizes: ['28 × 89 mm', '57 × 32 mm', '19 × 72 mm'] }

/** The queues of the sample, of which the first offers these papers. */
const queuesWith = (offered: OfferedPapers): readonly Printer[] =>
  printers.map((one, index) => (index === 0 ? { ...one, offered } : one))

async function sell(page: Page): Promise<void> {
  await choose(page, 'Nikolaos')
  await points(page, '1250')
  await print(page)
}

const troubleWith = (slipFailure: Failure): FakeState => ({ issue: 'print-failed', slipFailure })

async function printerSettings(page: Page): Promise<void> {
  await go(page, 'Settings')
  await page.getByRole('tab', { name: 'Printer' }).click()
}

async function testPage(page: Page): Promise<void> {
  await printerSettings(page)
  await press(page, 'Print test page')
}

const DELAYED: HinderedPrint = {
  jobId: slip(25, {}).intentId,
  fault: 'printer-busy',
  slip: slip(25, {}),
  isTestPage: false
}

/** Names what is on a till that prints, and what hinders it. */
const PRINTING_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'till-queue-printed', case: queue, steps: sell },
  { name: 'till-queue-printing', case: { ...queue, issue: 'printing' }, steps: sell },
  { name: 'till-long-code', case: { code: 'AR7K5093QX2M' }, steps: sell },
  { name: 'till-save-failed', case: troubleWith(notSaved), steps: sell },
  { name: 'till-save-copy-failed', case: { issue: 'copy-failed', slipFailure: notSaved }, steps: sell },
  { name: 'till-refused-size', case: troubleWith(refusedSize(OTHER_PAPERS)), steps: sell },
  { name: 'till-refused-sizes', case: troubleWith(refusedSize(LABELS_ONLY)), steps: sell },
  {
    name: 'till-print-delayed',
    case: { ...queue, issue: 'printing', state: { hinderedPrint: DELAYED } },
    steps: sell
  },
  {
    name: 'settings-test-page-delayed',
    case: {
      ...queue,
      state: { hinderedPrint: { ...DELAYED, slip: null, isTestPage: true } },
      isTestPageSlow: true
    },
    steps: testPage
  },
  {
    name: 'till-printer-busy',
    case: troubleWith({ kind: 'not-printed', fault: 'printer-busy', mayStillPrint: false }),
    steps: sell
  },
  {
    name: 'till-printer-said',
    case: troubleWith({
      kind: 'not-printed',
      fault: 'aborted',
      mayStillPrint: true,
      said: 'Job held: the page log of department 4 is full'
    }),
    steps: sell
  },
  {
    name: 'settings-refused-size',
    case: { ...queue, queues: queuesWith(OTHER_PAPERS) },
    steps: printerSettings
  },
  {
    name: 'settings-no-paper',
    case: { ...queue, queues: queuesWith(LABELS_ONLY) },
    steps: printerSettings
  },
  {
    name: 'settings-test-busy',
    case: { paper: { kind: 'not-printed', fault: 'printer-busy', mayStillPrint: false } },
    steps: testPage
  },
  {
    name: 'settings-test-insecure',
    case: { paper: { kind: 'not-printed', fault: 'insecure-connection', mayStillPrint: false } },
    steps: testPage
  },
  {
    name: 'settings-display-queue',
    case: { ...queue, state: { customerDisplayOpen: true } },
    steps: async (page) => {
      await go(page, 'Settings')
      await page.getByRole('tab', { name: 'Customer display' }).click()
    }
  }
]

/** A slip of every state that the sample has not. */
const OTHER_STATES = [
  slip(16, {
    code: 'AR7K5093QX2M',
    cashier: { id: 'k1', name: 'Konstantina Papageorgopoulou-Nikolaidou' },
    caller: { id: 'p1', name: 'Restaurant POS 5.2' },
    reference: 'R-1042/2026',
    destination: {
      kind: 'receipt-printer',
      connection: { kind: 'network', host: '192.168.1.50', port: 9100, announcedName: null },
      language: 'esc-pos',
      widthDots: null,
      cut: 'partial',
      code: 'raster',
      reportsState: false
    }
  }),
  slip(11, {
    state: 'refused',
    code: null,
    url: null,
    issuedAt: null,
    expiresAt: null,
    printedAt: null,
    failure: { kind: 'offline' }
  }),
  slip(12, {
    printedAt: null,
    destination: null,
    caller: { id: 'p1', name: 'Restaurant POS 5.2' },
    reference: 'R-1042',
    state: 'given'
  }),
  slip(13, { state: 'printing', printedAt: null }),
  slip(14, { state: 'print-failed', printedAt: null, failure: notSaved })
]

const history = async (page: Page): Promise<void> => {
  await go(page, 'Slips')
  await page.getByRole('searchbox', { name: 'Search slips' }).scrollIntoViewIfNeeded()
}

async function check(page: Page, code: string): Promise<void> {
  await go(page, 'Slips')
  await page.getByRole('searchbox', { name: 'Check code' }).fill(code)
  await page.keyboard.press('Enter')
}

/** What is said of slips afterwards. */
const LIST_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'slips-queue', case: queue, steps: (page) => go(page, 'Slips') },
  {
    name: 'slips-states',
    case: { slips: OTHER_STATES },
    steps: history
  },
  {
    name: 'slips-details-all',
    case: { slips: OTHER_STATES },
    steps: async (page) => {
      await history(page)
      await page.getByRole('list', { name: 'History' }).getByRole('button').first().click()
    }
  },
  { name: 'slips-checked-long', steps: (page) => check(page, 'AR7K 5093 QX2M') },
  { name: 'slips-checked-unknown', steps: (page) => check(page, 'AR7K-5093X') },
  {
    name: 'slips-checked-not-found',
    case: { check: { kind: 'not-found' } },
    steps: (page) => check(page, 'AR7K-5093')
  },
  {
    name: 'many-queue-running',
    case: { ...queue, batch: { printed: 60 } },
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Open batch')
    }
  },
  {
    name: 'many-queue-cancel',
    case: { ...queue, batch: { state: 'paused', unknown: 1, waiting: 45, ended: 1, printed: 71 } },
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Open batch')
      await press(page, 'End batch')
    }
  }
]

const [somebody] = customers
/** A customer of the list who is served at the till. */
const serve = async (page: Page): Promise<void> => {
  await go(page, 'Customers')
  await page.getByRole('list').getByRole('button').nth(1).click()
  await press(page, 'Serve at the till')
}

/** What the service says of a customer who is served from a list. */
const CUSTOMER_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'till-merged', case: somebody ? { reading: somebody } : {}, steps: serve },
  { name: 'till-balance-unread', case: { reading: { kind: 'timeout' } }, steps: serve }
]

/** What became of slips, and what the till says of it. */
export const OUTCOME_SCREENSHOTS: readonly Screenshot[] = [
  ...PRINTING_SCREENSHOTS,
  ...LIST_SCREENSHOTS,
  ...CUSTOMER_SCREENSHOTS
]
