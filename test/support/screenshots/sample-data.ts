import type { Customer, RewardDetail } from '../../../electron/contract/loyalty.ts'
import type { CustomerScreen } from '../../../electron/contract/customer-display.ts'
import type { Business, TillState } from '../../../electron/contract/till.ts'
import { NO_STAFF } from '../../../electron/contract/staff.ts'
import { DEFAULT_TILL_SETTINGS } from '../../../electron/contract/settings.ts'

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
  avatar: index === 1 ? '/picture/broken' : null,
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
  logo: '/picture/logo.svg',
  timeZone: 'Europe/Athens',
  currentPlan: 'Growth',
  currentPlanInterval: 'month',
  currentCustomers: 512,
  getStartedLink: 'https://points.example/join/aroma',
  address: { street: 'Ermou 24', city: 'Athina', state: 'Attiki', country: 'GR', zipCode: '105 63' }
}

export const tillState: TillState = {
  mode: 'business',
  accepted: true,
  baseUrl: 'https://points.example/api',
  business,
  settings: { ...DEFAULT_TILL_SETTINGS, tourSeen: true },
  staff: NO_STAFF,
  language: 'en',
  slipLanguage: 'en',
  country: 'GR',
  offlineSince: null,
  customerDisplayOpen: false,
  notices: [],
  slipsFolder: '/home/till/.config/Tillpoints/slips',
  version: '0.1.0',
  update: { kind: 'off' }
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
