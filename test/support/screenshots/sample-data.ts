import type { Standing } from '../../../electron/contract/earning-rules.ts'
import type { EarningRule } from '../../../electron/contract/points-calculation.ts'
import type { Batch, Slip } from '../../../electron/contract/slips.ts'
import type { CustomerScreen } from '../../../electron/contract/customer-display.ts'
import type { Diagnostics } from '../../../electron/contract/diagnostics.ts'
import type { Customer, RewardDetail } from '../../../electron/contract/loyalty.ts'
import { PAPER_SIZES } from '../../../electron/contract/paper.ts'
import {
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  type FoundPrinters,
  type MovedPrinter,
  type Printer,
  type ReceiptConnection
} from '../../../electron/contract/printing.ts'
import { DEFAULT_TILL_SETTINGS } from '../../../electron/contract/settings.ts'
import { NO_LOCAL_INTERFACE, type Caller } from '../../../electron/contract/local-interface.ts'
import { NO_STAFF } from '../../../electron/contract/staff.ts'
import type { Business, TillState } from '../../../electron/contract/till.ts'

/** Believable people and rewards for pictures of the screen. Nobody here exists. */
const PEOPLE: readonly (readonly [name: string, phone: string, balance: number, email?: string])[] = [
  ['Μαρία Παπαδοπούλου', '+30 690 123 4567', 1240, 'maria@example.com'],
  ['Nikos Georgiou', '+30 694 555 0101', 85],
  ['Eleni Nikolaidou', '+30 697 400 2200', 412],
  [
    'Nikolaos Konstantinidis-Papageorgopoulos',
    '+30 693 111 2233',
    9999999,
    'nikolaos.konstantinidis@example.com'
  ],
  ['Ana Jovanović', '+381 60 123 4567', 0],
  ['ليلى حسن', '+20 100 123 4567', 320],
  ['Nguyễn Thị Hồng', '+84 91 234 56 78', 77],
  ['李小龙', '+86 138 0013 8000', 2600],
  ['Søren Kjær', '+45 20 12 34 56', 1],
  ['Nikita Волков', '+7 912 345-67-89', 150],
  ['Chloé Nicolas', '+33 6 12 34 56 78', 505],
  ['Dominika Wójcik', '+48 601 234 567', 990]
]

export const customers: readonly Customer[] = PEOPLE.map(([name, phone, balance, email], index) => ({
  id: `c${String(index + 1)}`,
  name,
  phone,
  email: email ?? null,
  avatar: index === 1 ? '/image/broken' : null,
  balance,
  lifetimePoints: index === 4 ? null : balance * 3 + 20
}))

const REWARDS: readonly (readonly [name: string, cost: number, enabled?: boolean])[] = [
  ['Filter coffee', 80],
  ['Freddo espresso', 120],
  ['Slice of orange pie', 180],
  ['Koulouri and a juice', 200],
  ['Breakfast for one', 450],
  ['Bag of beans, 250 g', 600],
  ['Pumpkin spice latte', 250, false],
  ['Breakfast for two', 850],
  ['House mug', 1250],
  ['Barista lesson on a Sunday morning, with lunch', 2400],
  ['Moka pot', 3200],
  ['A table on the roof for eight', 12000]
]

export const rewards: readonly RewardDetail[] = REWARDS.map(([name, cost, enabled = true], index) => ({
  id: `r${String(index + 1)}`,
  name,
  cost,
  index: index + 1,
  isEnable: enabled,
  createdAt: '2026-02-03T08:00:00.000Z',
  updatedAt: '2026-10-28T16:20:00.000Z'
}))

export const business: Business = {
  id: 'b1',
  name: 'Kafeneio Aroma',
  logo: '/image/logo.svg',
  timeZone: 'Europe/Athens',
  currentPlan: 'Growth',
  currentPlanInterval: 'month',
  currentCustomers: 512,
  getStartedLink: 'https://points.example/join/aroma',
  address: { street: 'Ermou 24', city: 'Athina', state: 'Attiki', country: 'GR', zipCode: '105 63' },
  extensions: ['collections/1']
}

/** A program that was paired just now. */
export const pairedCaller: Caller = {
  id: '3f0c2a52-7c1e-4d1c-9a53-0f5b8f6f8f10',
  name: 'Aroma POS, back office',
  pairedAt: '2026-11-23T12:00:00.000Z',
  lastUsedAt: null,
  mayIssueWhileLocked: false
}

/** A program that the shop uses. */
export const usedCaller: Caller = {
  id: '4f0c2a52-7c1e-4d1c-9a53-0f5b8f6f8f10',
  name: 'Restaurant POS 5.2',
  pairedAt: '2026-10-02T09:30:00.000Z',
  lastUsedAt: '2026-11-22T20:41:00.000Z',
  mayIssueWhileLocked: true
}

export const tillState: TillState = {
  mode: 'business',
  owner: 1,
  accepted: true,
  baseUrl: 'https://points.example/api',
  business,
  isNameRequired: false,
  settings: { ...DEFAULT_TILL_SETTINGS, tourSeen: true },
  managed: null,
  staff: NO_STAFF,
  language: 'en',
  slipLanguage: 'en',
  country: 'GR',
  offlineSince: null,
  customerDisplayOpen: false,
  customerDisplayTouch: false,
  billWaiting: false,
  system: { everyScreenLock: true, customerDisplay: true },
  notices: [],
  slipsFolder: '/home/till/.config/Tillpoints/slips',
  version: '0.1.0',
  update: { kind: 'off' },
  localInterface: NO_LOCAL_INTERFACE,
  collectionsAsOf: '2026-11-21T12:05:00.000Z',
  hinderedPrint: null,
  offlineSlips: null,
  shopRule: null,
  pointsExpiry: null
}

/** A till with a second screen that looks towards the customer. */
export const customerScreens: readonly CustomerScreen[] = [
  { id: 1, label: 'Built-in display', number: 1, width: 1366, height: 768, primary: true, tillIsHere: true },
  { id: 2, label: 'Pole display', number: 2, width: 800, height: 480, primary: false, tillIsHere: false }
]

/** The beginning of a text that is very long. */
export const sampleLicences = ['bits-ui 2.21.0', 'hono 4.13.19', 'valibot 1.5.0']
  .map(
    (name) =>
      `${name}\n\nMIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy.\n`
  )
  .join('\n')

/** Slips in every state, batches and printers, for pictures of the screen. */
export const slip = (index: number, change: Partial<Slip>): Slip => ({
  intentId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  state: 'printed',
  revision: 3,
  points: 50 * index,
  remaining: null,
  cashier: null,
  caller: null,
  reference: null,
  customer: {
    id: customers[index % customers.length]?.id ?? '',
    name: customers[index % customers.length]?.name ?? ''
  },
  code: `AR7K-${String(4821 + index * 37)}`,
  url: `https://points.example/q/AR7K-${String(4821 + index * 37)}`,
  requestedAt: new Date(Date.UTC(2026, 10, 21, 12, 2 - index * 7)).toISOString(),
  issuedAt: new Date(Date.UTC(2026, 10, 21, 12, 2 - index * 7, 1)).toISOString(),
  expiresAt: new Date(Date.UTC(2027, 1, 19, 12, 2 - index * 7, 1)).toISOString(),
  printedAt: new Date(Date.UTC(2026, 10, 21, 12, 2 - index * 7, 3)).toISOString(),
  shownAt: null,
  returned: false,
  offline: null,
  collectedAt: null,
  takenBackAt: null,
  file: `/home/till/slips/AR7K-${String(4821 + index * 37)}.pdf`,
  destination: { kind: 'folder' },
  failure: null,
  ending: null,
  copies: 0,
  lastCopy: null,
  batch: null,
  training: false,
  ...change
})

export const slips: readonly Slip[] = [
  slip(1, {
    collectedAt: '2026-11-21T12:01:00.000Z',
    copies: 2,
    lastCopy: {
      number: 2,
      state: 'printed',
      startedAt: '2026-11-21T12:10:00.000Z',
      destination: { kind: 'folder' },
      failure: null
    }
  }),
  slip(2, {
    state: 'unknown',
    code: null,
    url: null,
    issuedAt: null,
    expiresAt: null,
    printedAt: null,
    failure: { kind: 'unknown-outcome', cause: 'timeout' }
  }),
  slip(3, { customer: null, collectedAt: '2026-11-21T11:48:00.000Z' }),
  slip(4, {
    state: 'print-failed',
    printedAt: null,
    destination: { kind: 'queue', name: 'Counter' },
    failure: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: true }
  }),
  slip(5, { points: 9999999, collectedAt: '2026-11-20T17:31:00.000Z' }),
  slip(6, {
    state: 'refused',
    code: null,
    url: null,
    issuedAt: null,
    expiresAt: null,
    printedAt: null,
    failure: { kind: 'rejected', status: 422, message: 'Points are not allowed today' }
  }),
  slip(7, { state: 'issued', printedAt: null }),
  slip(8, { training: true }),
  slip(9, {
    state: 'discarded',
    printedAt: null,
    ending: { at: '2026-11-21T12:20:00.000Z', note: 'Typed twice' }
  }),
  slip(10, {
    state: 'given',
    ending: { at: '2026-11-21T12:20:00.000Z', note: '' },
    collectedAt: '2026-11-21T11:20:00.000Z',
    takenBackAt: '2026-11-21T11:58:00.000Z'
  }),
  slip(15, {}),
  slip(220, {})
]

/** A batch that came a good way. */
export const batch: Batch = {
  batchId: '00000000-0000-4000-9000-000000000001',
  points: 250,
  count: 120,
  oneJob: false,
  state: 'running',
  reason: null,
  issued: 74,
  printed: 72,
  saved: 0,
  handedOver: 0,
  sent: 0,
  failed: 2,
  ended: 0,
  unknown: 0,
  waiting: 46,
  startedAt: '2026-11-21T12:00:00.000Z',
  endedAt: null,
  training: false
}

export const printers: readonly Printer[] = [
  {
    kind: 'queue',
    name: 'Counter',
    description: 'Receipt printer at the counter',
    state: { kind: 'ready' },
    isDefault: true,
    isRaw: false,
    offered: { papers: PAPER_SIZES, sizes: [] },
    reportsDeletedJobs: true,
    deviceUri: ''
  },
  {
    kind: 'queue',
    name: 'Office_Laser',
    description: '',
    state: { kind: 'hindered', fault: 'out-of-paper' },
    isDefault: false,
    isRaw: false,
    offered: { papers: PAPER_SIZES, sizes: [] },
    reportsDeletedJobs: true,
    deviceUri: ''
  }
]

/** The diagnostics of a till without faults, apart from one printer. */
export const diagnostics: Diagnostics = {
  versions: { till: '0.1.0', electron: '45.4.1', chromium: '154.0.8001.20', node: '24.21.0' },
  platform: { system: 'linux', release: '6.12.48', architecture: 'x64', locale: 'en-GB' },
  printers: { kind: 'listed', printers },
  journal: {
    version: 2,
    bytes: 18_432_000,
    slips: {
      requested: 0,
      issued: 1,
      printing: 0,
      printed: 12_480,
      saved: 3,
      'handed-over': 0,
      'print-failed': 2,
      unknown: 1,
      refused: 1,
      'not-sent': 30,
      'on-receipt': 0,
      shown: 0,
      given: 4,
      discarded: 9
    },
    copies: 118,
    batches: 6,
    first: '2026-02-02T08:14:10.000Z',
    last: '2026-11-21T12:04:51.000Z'
  },
  backups: { count: 14, newest: '~/.config/Tillpoints/backups/journal-2026-11-21.sqlite' },
  managed: null,
  loggedErrors: [
    {
      time: '2026-11-21T11:58:02.412Z',
      level: 'warn',
      event: 'slip-print-failed',
      details:
        '{"intentId":"0b8f1c1e-5d0f-4d8e-9b7a-2f6f0a9b6c11","failure":"not-printed","fault":"out-of-paper"}'
    },
    {
      time: '2026-11-20T17:31:44.020Z',
      level: 'error',
      event: 'backup-failed',
      details: '{"backup":"journal-2026-11-20.sqlite","error":{"error":"NoRoom"}}'
    }
  ]
}

const receiptPrinter = (connection: ReceiptConnection) => ({
  kind: 'receipt-printer' as const,
  connection,
  ...DEFAULT_RECEIPT_OPTIONS
})

/** One printer of each kind, as a search finds them. */
export const foundPrinters: FoundPrinters = {
  printers: [
    {
      id: 'network 1',
      name: 'EPSON TM-m30II-H',
      location: 'Bar, left of the till',
      address: '192.168.1.50',
      destination: receiptPrinter({
        kind: 'network',
        host: '192.168.1.50',
        port: 9100,
        announcedName: 'EPSON TM-m30II-H (4A11B0)'
      })
    },
    {
      id: 'network 2',
      name: 'HP LaserJet Pro M404dn',
      location: 'Office',
      address: '192.168.1.61',
      destination: null
    },
    {
      id: 'usb',
      name: 'Star mC-Print3',
      location: '',
      address: '/dev/usb/lp0',
      destination: receiptPrinter({ kind: 'device', path: '/dev/usb/lp0' })
    },
    {
      id: 'serial',
      name: '',
      location: '',
      address: '/dev/ttyUSB0',
      destination: receiptPrinter({ kind: 'serial', path: '/dev/ttyUSB0', ...DEFAULT_SERIAL_OPTIONS })
    }
  ],
  refused: 0
}

export const movedPrinter: MovedPrinter = {
  from: { kind: 'network', host: '192.168.1.50', port: 9100, announcedName: 'EPSON TM-m30II-H (4A11B0)' },
  to: { kind: 'network', host: '192.168.1.77', port: 9100, announcedName: 'EPSON TM-m30II-H (4A11B0)' },
  intentIds: []
}

/** A shop's rules at a time at which bills earn twice as much. */
export const shopRule: EarningRule = {
  ...{ pointsPerUnit: '1', rounding: 'down', minimum: '5', currency: 'EUR' },
  ...{ version: 4, maximum: null },
  groups: [
    { name: 'Tobacco', factor: '0' },
    { name: 'Wine', factor: '1.5' }
  ],
  levels: [
    { name: 'Silver', factor: '1.25' },
    { name: 'Gold', factor: '1.5' }
  ],
  factors: [{ name: 'Tuesday afternoon', factor: '2' }]
}

/** What a good customer has by these rules. */
export const standing: Standing = {
  level: { name: 'Gold', factor: '1.5' },
  next: { name: 'Platinum', missing: 250 },
  ending: { points: 120, lastDay: '2026-11-30' }
}
