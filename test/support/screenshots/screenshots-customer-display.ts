/** What customers see, in every state, for screenshots of the second screen. */
import QRCode from 'qrcode'
import type {
  CustomerDisplayShows,
  CustomerDisplayView
} from '../../../electron/contract/customer-display.ts'
import { directionOf, localeOf, type Language } from '../../../electron/contract/language.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import type { QrDrawing } from '../../../electron/contract/slips.ts'
import { firstNameOf } from '../../../electron/main/customer-display/first-name.ts'

/** Sizes that customer displays come in, in px. */
export const DISPLAY_SIZES = [
  { width: 800, height: 480 },
  { width: 1024, height: 600 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 768, height: 1024 }
] as const

/** One screenshot of the customer display. */
export interface DisplayScreenshot {
  readonly name: string
  readonly shows: CustomerDisplayShows
  readonly training?: true
}

const draw = (text: string): QrDrawing => {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  let path = ''
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) {
      if (modules.get(y, x) === 1) path += `M${String(x)} ${String(y)}h1v1h-1z`
    }
  }
  return { size: modules.size, path }
}

const joinUs = draw('https://points.example/join/aroma')
const qr = draw('https://points.example/q/AR7K-5093?s=till')
const affordable = { best: 'House mug', others: 7, next: { name: 'Moka pot', missing: 110 } }
const longAffordable = {
  best: 'Παραδοσιακό πρωινό για τέσσερα άτομα με χειροποίητη μαρμελάδα',
  others: 1200,
  next: { name: 'Barista lesson on a Sunday morning, with lunch for two', missing: 1_250_000 }
}
const standing = {
  level: { name: 'Gold', factor: '1.5' },
  ending: { points: 120, lastDay: '2026-11-30' }
}
const idle = { kind: 'idle', businessName: 'Kafeneio Aroma', logo: '/image/logo.svg', joinUs } as const

export const DISPLAY_SCREENSHOTS: readonly DisplayScreenshot[] = [
  { name: 'idle', shows: idle },
  {
    name: 'idle-long',
    shows: { ...idle, businessName: 'Παραδοσιακό Καφενείο των Αδελφών Παπαδοπούλου', logo: null }
  },
  { name: 'idle-no-link', shows: { ...idle, joinUs: null } },
  { name: 'idle-training', shows: idle, training: true },
  {
    name: 'serving',
    shows: {
      ...{ kind: 'serving', firstName: firstNameOf('Μαρία Παπαδοπούλου'), balance: 1240 },
      ...{ standing: null, affordable }
    }
  },
  {
    name: 'serving-level',
    shows: {
      ...{ kind: 'serving', firstName: firstNameOf('Μαρία Παπαδοπούλου'), balance: 1240 },
      ...{ standing, affordable }
    }
  },
  {
    name: 'serving-long',
    shows: {
      kind: 'serving',
      firstName: firstNameOf('Konstantinos-Alexandros Papas'),
      balance: 9999999,
      standing: { level: { name: 'Freundeskreis des Hauses', factor: '2' }, ending: standing.ending },
      affordable: longAffordable
    }
  },
  {
    name: 'serving-no-customer',
    shows: { kind: 'serving', firstName: null, balance: 0, standing: null, affordable: null },
    training: true
  },
  {
    name: 'points-issued',
    shows: {
      kind: 'points-issued',
      firstName: firstNameOf('Ana Jovanović'),
      points: 250,
      qr,
      seconds: 84,
      affordable
    }
  },
  {
    name: 'points-issued-long',
    shows: {
      kind: 'points-issued',
      firstName: firstNameOf('Konstantinos-Alexandros Papas'),
      points: 9999999,
      qr: draw(`https://points.example/q/${'A'.repeat(180)}`),
      seconds: 9,
      affordable: longAffordable
    },
    training: true
  },
  {
    name: 'points-issued-no-customer',
    shows: { kind: 'points-issued', firstName: null, points: 5, qr, seconds: 84, affordable: null }
  },
  {
    name: 'points-issued-paper',
    shows: {
      kind: 'points-issued',
      firstName: firstNameOf('Ana Jovanović'),
      points: 1250,
      qr: null,
      seconds: 15,
      affordable
    }
  },
  {
    name: 'redeemed',
    shows: {
      kind: 'redeemed',
      firstName: firstNameOf('Μαρία Παπαδοπούλου'),
      reward: 'Cappuccino',
      cost: 120,
      balance: 1120,
      seconds: 15
    }
  },
  {
    name: 'credited',
    shows: {
      kind: 'credited',
      firstName: firstNameOf('Μαρία Παπαδοπούλου'),
      ...{ points: 250, balanceBefore: 990, balance: 1240, seconds: 15 }
    }
  },
  {
    name: 'credited-welcome',
    shows: {
      kind: 'credited',
      firstName: firstNameOf('Μαρία Παπαδοπούλου'),
      ...{ points: 250, balanceBefore: 0, balance: 300, seconds: 15 }
    }
  },
  {
    name: 'redeemed-long',
    shows: {
      kind: 'redeemed',
      firstName: firstNameOf('Konstantinos-Alexandros Papas'),
      reward: longAffordable.best,
      cost: 1_250_000,
      balance: 9_999_999,
      seconds: 9
    },
    training: true
  },
  {
    name: 'phone-entry',
    shows: {
      kind: 'phone-entry',
      businessName: idle.businessName,
      prefix: '+30',
      text: '',
      isInvalid: false
    }
  },
  {
    name: 'phone-entry-typed',
    shows: {
      kind: 'phone-entry',
      businessName: idle.businessName,
      prefix: '+30',
      text: '690 123 4567',
      isInvalid: false
    }
  },
  {
    name: 'phone-entry-long',
    shows: {
      kind: 'phone-entry',
      businessName: 'Παραδοσιακό Καφενείο των Αδελφών Παπαδοπούλου',
      prefix: '',
      text: '00 44 7400 123456 7890',
      isInvalid: true
    },
    training: true
  },
  { name: 'screen-number', shows: { kind: 'screen-number', number: 2 } }
]

/** The whole view of a screenshot, in a language. */
export const viewOf = ({ shows, training }: DisplayScreenshot, language: Language): CustomerDisplayView => ({
  shows,
  training: training === true,
  language,
  direction: directionOf(language),
  locale: localeOf(language, 'GR'),
  contrast: 'system',
  accent: null
})

/** What main draws for the settings. */
export const displayPreviews = ({
  slipLanguage,
  mode,
  settings
}: TillState): readonly CustomerDisplayView[] =>
  DISPLAY_SCREENSHOTS.filter(({ name }) => ['idle', 'serving', 'points-issued'].includes(name)).map(
    (screenshot) => {
      const view = viewOf(screenshot, slipLanguage)
      const { shows } = view
      const onPaper = shows.kind === 'points-issued' && settings.deliveryMethod === 'print'
      return { ...view, training: mode === 'training', shows: onPaper ? { ...shows, qr: null } : shows }
    }
  )
